"""One file per outside format, pure: records to the format's documents, and back where the format keeps enough."""
