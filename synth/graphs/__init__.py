"""Graphs that tasks are sampled from: building, storing, sampling, measuring and drawing them."""
