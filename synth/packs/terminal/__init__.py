"""The built-in terminal pack: one file per family of skills; every file that states ``SKILLS`` or ``STARTS`` is part of it."""
