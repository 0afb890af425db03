"""Synth: from sources to graphs, paths and tasks, and the policies that attempt them."""
