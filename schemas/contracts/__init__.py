"""The published JSON Schemas (Draft 2020-12) of everything that goes in or comes out."""
