"""Verification: evidence to verdict, and the filters that keep or drop a trajectory with a reason."""
