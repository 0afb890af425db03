"""Pure readers of file content, shared by recognisers and checks: bytes in, records out."""
