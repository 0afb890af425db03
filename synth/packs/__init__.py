"""Skill packs: procedures that know how to set up, do and predict, so that tasks need no model."""
