"""Sandboxes: one contract, several backends; knows nothing of tasks, models or verdicts."""
