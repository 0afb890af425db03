"""Synthesis: sources, graphs, packs, tasks, policies and the one agent loop."""
