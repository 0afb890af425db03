"""The Python model of a workspace: what is there, and what the next skill works on.

A skill's effect is a function from state to state. Nothing here runs a command.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from trajmill.schemas.tree import Entry, FileEntry, Tree
from trajmill.synth.packs.facts import Facts


@dataclass(frozen=True, slots=True)
class Artefact:
    """A file or folder in a known scenario."""

    path: str
    """Relative to the workspace."""
    scenario: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class State:
    """A workspace after some of the work."""

    tree: Tree
    """Entries whose bytes are certain."""
    focus: Artefact
    """What the next skill works on."""
    opaque: Mapping[str, Facts] = field(default_factory=dict)
    """Paths whose bytes depend on the tool that wrote them (archives, databases), with what is known of them."""
    loose: frozenset[str] = frozenset()
    """Paths whose content is certain but whose bytes may differ (quoting, layout of JSON, a final newline)."""

    def exact(self, path: str) -> bool:
        """Whether the bytes at the path are certain, so that sizes and checksums of it can be predicted."""
        return self.tree.file(path) is not None and path not in self.loose

    def holds(self, path: str) -> bool:
        """Whether the path, or something below it, exists."""
        prefix = f"{path}/"
        known = (*self.tree.entries, *self.opaque)
        return any(p == path or p.startswith(prefix) for p in known)

    def data(self, path: str) -> bytes:
        """Bytes of a certain regular file. Raises KeyError if it is none."""
        entry = self.tree.file(path)
        if entry is None:
            raise KeyError(path)
        return entry.data

    def wrote(
        self, path: str, data: bytes, scenario: str, facts: Facts, *, exact: bool = False, mode: int = 0o644
    ) -> State:
        """The state after a file was written; it becomes the focus. ``exact``: its check compares bytes."""
        tree = self.tree.with_entries({path: FileEntry(data, mode)})
        loose = self.loose - {path} if exact else self.loose | {path}
        focus = Artefact(path, scenario, facts)
        return replace(self, tree=tree, loose=loose, focus=focus, opaque=_without(self.opaque, (path,)))

    def made(self, path: str, scenario: str, facts: Facts) -> State:
        """The state after something whose bytes are not certain was made; it becomes the focus."""
        return replace(
            self,
            tree=self.tree.without(path),
            opaque={**self.opaque, path: facts},
            focus=Artefact(path, scenario, facts),
        )

    def changed(
        self, entries: Mapping[str, Entry], *, gone: tuple[str, ...] = (), focus: Artefact | None = None
    ) -> State:
        """The state after several entries were written and others removed."""
        tree = self.tree.without(*gone).with_entries(entries)
        opaque = _without(self.opaque, (*gone, *entries))
        return replace(self, tree=tree, focus=focus or self.focus, opaque=opaque)


def _without(opaque: Mapping[str, Facts], gone: tuple[str, ...]) -> dict[str, Facts]:
    below = tuple(f"{path}/" for path in gone)
    return {path: facts for path, facts in opaque.items() if path not in gone and not path.startswith(below)}


@dataclass(frozen=True, slots=True)
class World:
    """A starting point: the files as they are put into the sandbox, and the state they stand for."""

    files: Tree
    state: State
    setup: tuple[str, ...] = ()
    """Deterministic scripts that make what cannot be put as bytes (a repository), run before the policy starts."""
    setup_tools: tuple[str, ...] = ()
