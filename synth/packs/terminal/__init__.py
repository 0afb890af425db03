"""The built-in terminal pack: every file here that states ``SKILLS`` or ``STARTS`` is part of it."""
