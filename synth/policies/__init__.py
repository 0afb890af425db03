"""Policies: what chooses the actions of a rollout."""
