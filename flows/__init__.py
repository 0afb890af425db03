"""Flows: wires the parts together and runs them; the command line, the store, publishing and export."""
