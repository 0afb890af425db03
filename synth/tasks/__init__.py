"""From a path to a task: blueprint, phrasing, composition."""
