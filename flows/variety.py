"""How varied trajectories are once what comes from the data alone is masked.

Masked is, in this order and the same way in every trajectory:

1. the body of a heredoc: each literal in it as below, the code around them stays;
2. every span in back quotes, double or single quotes, whole: names, values, and the programs of awk, sed and jq too;
3. every path and file name (anything with a slash, or with a dot and an extension);
4. every number, to ``0``;
5. every word that is a name in some workspace of the dataset: parts of file names, column names, JSON keys;
6. every word that appears in the trajectories of fewer than ``SHARED_BY`` source files: a value, not the writer's word.

A mask depends on the word alone and is the same in every trajectory, so nothing that is masked counts as variety: the
figures flatter nobody. What is left is the order and the words of thoughts and commands.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from trajmill.schemas.ids import Json, derive_random
from trajmill.schemas.tree import FileEntry, Tree

GRAM = 5
"""Words in one of the overlapping runs that two trajectories are compared by."""
ALIKE = 0.8
"""Two trajectories whose shared part of such runs is above this count as alike."""
EXACT_UP_TO = 1_500
"""Trajectories of which every pair is compared; of more, this many are drawn."""
SAMPLE_SEED = 0
SHARED_BY = 3
HEADER_BYTES = 4_096
"""Bytes at the start of a file in which column names and keys are looked for."""

_HEREDOC = re.compile(r"(<<-?\s*)(['\"]?)(\w+)\2(.*?)^\s*\3$", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(r"`[^`]*`|\"(?:\\.|[^\"\\])*\"|(?<!\w)'[^']*'(?!\w)", re.DOTALL)
_LITERAL = re.compile(r"`[^`]*`|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_PATH = re.compile(r"[\w.~*+-]*/[\w./~*+-]*|\b[\w-]+(?:\.[A-Za-z0-9_-]+)*\.[A-Za-z][A-Za-z0-9]{0,7}\b")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*(?:(?:st|nd|rd|th)\b)?")
_WORD = re.compile(r"[^\W\d_]+(?:_[^\W_]+)*|\S")


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is compared of one trajectory."""

    task_id: str
    sources: tuple[str, ...]
    """Content hashes of the files that its task was made from."""
    text: str
    """Thoughts and commands of the agent's steps in order, unmasked."""


@dataclass(frozen=True, slots=True)
class Variety:
    """The two figures; shares lie in [0, 1]."""

    trajectories: int
    sequences: int
    """Different masked sequences of thoughts and commands."""
    commonest: int
    """Trajectories that share the most frequent sequence."""
    commonest_share: float
    pairs: int
    """Pairs of trajectories of different tasks that were compared."""
    pairs_alike: int
    pairs_alike_share: float
    compared: int
    """Trajectories among which all pairs were compared."""
    sample_seed: int | None
    """Seed with which those were drawn, or None if they are all."""


def attempt_of(task_id: str, sources: Iterable[str], steps: Sequence[Mapping[str, Json]]) -> Attempt:
    """The attempt that the rows of the column ``steps`` hold, whose calls are JSON text."""
    said = [part for step in steps if step["source"] == "agent" for part in _said(step)]
    return Attempt(task_id, tuple(sources), "\n".join(said))


def names_in(files: Tree) -> set[str]:
    """Words of a workspace's file names, column names and JSON keys, in lower case."""
    names: set[str] = set()
    for path in files:
        names.update(_words(path))
        entry = files.get(path)
        if isinstance(entry, FileEntry):
            start = entry.data[:HEADER_BYTES].decode("utf-8", "replace")
            names.update(word for key in re.findall(r'"([^"\n]{1,80})"\s*:', start) for word in _words(key))
            if path.endswith((".csv", ".tsv", ".psv")):
                names.update(_words(start.partition("\n")[0]))
    return names


def measure(attempts: Sequence[Attempt], names: Collection[str]) -> Variety:
    """Both figures of these attempts; ``names`` are the words of all workspaces, as ``names_in`` gives them."""
    masked = mask_all(attempts, names)
    counts = Counter(tuple(words) for words in masked)
    most = max(counts.values(), default=0)
    places, seed = range(len(masked)), None
    if len(masked) > EXACT_UP_TO:
        seed = SAMPLE_SEED
        chosen = derive_random("variety", seed).sample(places, EXACT_UP_TO)
    else:
        chosen = list(places)
    pairs, alike = _pairs([(attempts[place].task_id, grams(masked[place])) for place in chosen])
    return Variety(
        trajectories=len(masked),
        sequences=len(counts),
        commonest=most,
        commonest_share=most / len(masked) if masked else 0.0,
        pairs=pairs,
        pairs_alike=alike,
        pairs_alike_share=alike / pairs if pairs else 0.0,
        compared=len(chosen),
        sample_seed=seed,
    )


def mask_all(attempts: Sequence[Attempt], names: Collection[str]) -> list[list[str]]:
    """The words of every attempt after all six rules."""
    words = [mask(attempt.text) for attempt in attempts]
    used_with: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for attempt, said in zip(attempts, words, strict=True):
        for word in set(said):
            used_with[word].add(attempt.sources)
    sources = len({attempt.sources for attempt in attempts})
    rare = {w for w, used in used_with.items() if len(used) < min(SHARED_BY, sources) and w[0].isalpha()}
    hidden = rare | set(names)
    return [["N" if word in hidden else word for word in said] for said in words]


def mask(text: str) -> list[str]:
    """The words of a text, in lower case, after the first four rules; masks are capitals."""
    text = _HEREDOC.sub(lambda m: f"{m[1]}H {_LITERAL.sub(' Q ', m[4])} ", text)
    text = _QUOTED.sub(" Q ", text)
    text = _PATH.sub(" P ", text)
    text = _NUMBER.sub("0", text)
    return [word if word in "QPH" else word.lower() for word in _WORD.findall(text)]


def grams(words: Sequence[str]) -> frozenset[int]:
    """Hashes of all runs of ``GRAM`` words; of a shorter text, of the whole."""
    runs = range(max(1, len(words) - GRAM + 1))
    return frozenset(hash(tuple(words[i : i + GRAM])) for i in runs)


def _pairs(texts: Sequence[tuple[str, frozenset[int]]]) -> tuple[int, int]:
    """Pairs of different tasks, and how many of them are above ``ALIKE``; exact.

    Two sets above the bound share one of their rarest members, so only pairs that do are compared: of each set, as many
    members are looked up as it may lack.
    """
    frequency = Counter(gram for _, held in texts for gram in held)
    ordered = sorted(texts, key=lambda text: len(text[1]))
    having: defaultdict[int, list[int]] = defaultdict(list)
    alike = 0
    for place, (task, held) in enumerate(ordered):
        rarest = sorted(held, key=lambda gram: (frequency[gram], gram))[: int((1 - ALIKE) * len(held) + 1e-9) + 1]
        for other in {other for gram in rarest for other in having[gram]}:
            other_task, other_held = ordered[other]
            shared = len(held & other_held)
            alike += task != other_task and shared > ALIKE * (len(held) + len(other_held) - shared)
        for gram in rarest:
            having[gram].append(place)
    sizes = Counter(task for task, _ in texts)
    return math.comb(len(texts), 2) - sum(math.comb(size, 2) for size in sizes.values()), alike


def _said(step: Mapping[str, Json]) -> Iterable[str]:
    from trajmill.schemas.exact import read_exact

    yield step["message"] or ""
    for call in step["tool_calls"] or ():
        arguments = read_exact(call["arguments"])
        yield f"{call['function_name']} " + " ".join(str(value) for value in arguments.values())


def _words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[^\W\d_]{2,}", text)}
