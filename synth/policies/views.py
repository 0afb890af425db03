"""The views that suit an artefact."""

from __future__ import annotations

import random

from trajmill.schemas.content.tables import Table
from trajmill.synth.packs.facts import (
    Archive,
    Database,
    Document,
    Facts,
    Folder,
    Lines,
    Log,
    Records,
    Repository,
    Script,
    Settings,
    Text,
)
from trajmill.synth.policies.view import View
from trajmill.synth.policies.views_files import (
    first_lines,
    json_views,
    last_lines,
    line_count,
    log_views,
    raw_views,
    table_views,
    whole,
)
from trajmill.synth.policies.views_stores import archive_views, database_views, folder_views, repository_views


def views_of(path: str, facts: Facts, rng: random.Random) -> tuple[View, ...]:
    """Views that suit the kind of artefact, in drawn order."""
    options = list(_views(path, facts, rng))
    rng.shuffle(options)
    return tuple(options)


def _views(path: str, facts: Facts, rng: random.Random) -> tuple[View, ...]:
    match facts:
        case Table():
            return table_views(path, facts, rng)
        case Records() | Document():
            return json_views(path, facts, rng)
        case Log():
            return log_views(path, rng)
        case Folder():
            return folder_views(path)
        case Archive():
            return archive_views(path, facts)
        case Database():
            return database_views(path)
        case Repository():
            return repository_views(path)
        case Text():
            return raw_views(path)
        case Settings() | Script():
            return (whole(path), line_count(path))
        case Lines():
            return (first_lines(path, rng), line_count(path), last_lines(path, rng))
