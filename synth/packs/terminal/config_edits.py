"""Skills that change one setting of an INI or KEY=value file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from trajmill.synth.packs.facts import Settings
from trajmill.synth.packs.naming import place_output, stem
from trajmill.synth.packs.outputs import Written, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.config_starts import KEY, other_value
from trajmill.synth.packs.terminal.config_ways import Change, env_ways, ini_ways, settings_lines
from trajmill.synth.packs.terminal.table_ways import Words, applied

PLAIN_VALUE = re.compile(r"[A-Za-z0-9_.,+-]*")


def set_ini(state: State, draw: Draw) -> Application | None:
    """Change one option in one section of an INI file."""
    settings, lines = state.focus.facts, settings_lines(state)
    if not isinstance(settings, Settings) or lines is None:
        return None
    options = [
        Change(section, key, old, new)
        for section, values in settings.sections.items()
        for key, old in values.items()
        if KEY.fullmatch(section)
        and KEY.fullmatch(key)
        and (new := _other(key, old, draw))
        and f"{key} = {old}" in lines
    ]
    if not options:
        return None
    repeated = [c for c in options if sum(c.key in v for v in settings.sections.values()) > 1]
    change = draw.pick(repeated if repeated and draw.rng.random() < 0.6 else options)
    kept = _changed_ini(lines, change)
    inside = f"`{change.key}` in section `[{change.section}]`"
    return _set(state, draw, change, kept, inside, ini_ways, settings)


def set_env(state: State, draw: Draw) -> Application | None:
    """Change one KEY=value setting."""
    settings, lines = state.focus.facts, settings_lines(state)
    if not isinstance(settings, Settings) or lines is None or set(settings.sections) != {""}:
        return None
    options = [
        Change("", key, old, new)
        for key, old in settings.sections[""].items()
        if KEY.fullmatch(key) and (new := _other(key, old, draw)) and lines.count(f"{key}={old}") == 1
    ]
    if not options:
        return None
    change = draw.pick(options)
    kept = [f"{change.key}={change.new}" if line == f"{change.key}={change.old}" else line for line in lines]
    return _set(state, draw, change, kept, f"`{change.key}`", env_ways, settings)


def _other(key: str, old: str, draw: Draw) -> str:
    """A new value that differs from the old one; empty if the old one is not plain."""
    if not PLAIN_VALUE.fullmatch(old):
        return ""
    return str(other_value(key, old, draw))


def _changed_ini(lines: Sequence[str], change: Change) -> list[str]:
    kept, section = [], ""
    for line in lines:
        if line.startswith("["):
            section = line.strip("[]")
        hit = section == change.section and line == f"{change.key} = {change.old}"
        kept.append(f"{change.key} = {change.new}" if hit else line)
    return kept


def _set(
    state: State,
    draw: Draw,
    change: Change,
    kept: Sequence[str],
    inside: str,
    make: object,
    settings: Settings,
) -> Application:
    source = state.focus.path
    in_place = draw.rng.random() < 0.5
    ending = "." + source.rsplit(".", 1)[-1]
    output = (
        source
        if in_place
        else place_output(
            state, draw, (f"{stem(source)}_new", f"{stem(source)}_{change.key.lower()}", "changed"), ending
        )
    )
    sections = {
        name: {k: change.new if (name, k) == (change.section, change.key) else v for k, v in values.items()}
        for name, values in settings.sections.items()
    }
    written = with_facts(write_lines(state, draw, output, kept, "config-changed"), output, Settings(sections))
    rest = draw.pick(
        ("everything else, comments included, stays as it is", "leave comments and all other lines untouched")
    )
    if in_place:
        asks = (
            f"set {inside} to `{change.new}` in {{it}}, in place; {rest}",
            f"edit {{it}} itself so that {inside} is `{change.new}` instead of `{change.old}`; {rest}",
            f"change the value of {inside} in {{it}} from `{change.old}` to `{change.new}`, directly in that file; "
            f"{rest}",
            f"update {{it}} in place: {inside} must become `{change.new}`; {rest}",
        )
        results: tuple[str, ...] = (f"the configuration with {inside} set to `{change.new}`, otherwise unchanged",)
    else:
        asks = (
            f"write a copy of {{it}} to `{output}` in which {inside} is `{change.new}`; {rest}, and {{it}} is not "
            f"changed",
            f"make `{output}` from {{it}} with {inside} changed from `{change.old}` to `{change.new}`; {rest}",
            f"save a version of {{it}} under `{output}` where {inside} has the value `{change.new}`, without "
            f"touching the original; {rest}",
            f"derive the configuration `{output}` from {{it}}: the same lines, but {inside} set to `{change.new}`; "
            f"{rest}",
        )
        results = (
            f"a copy of {{it}} with {inside} set to `{change.new}`, otherwise line for line the same",
            f"the configuration of {{it}} in which {inside} is `{change.new}`, all other lines unchanged",
        )
    words = Words(
        asks,
        results,
        (
            f"{inside} is now `{change.new}` in `{output}`",
            f"changed {inside} from `{change.old}` to `{change.new}` in `{output}`",
        ),
    )
    ways, slips = (ini_ways if make is ini_ways else env_ways)(state, draw, change, output)
    return applied(written, output, words, ways, slips)


def with_facts(written: Written, path: str, facts: Settings, scenario: str = "config-changed") -> Written:
    """The same output, known as settings instead of lines."""
    return replace(written, state=replace(written.state, focus=Artefact(path, scenario, facts)))


SKILLS = (
    PackSkill(
        "ini-set-value", "config", "Change an option of an INI file.", ("ini-config",), "config-changed", set_ini
    ),
    PackSkill("env-set-value", "config", "Change a KEY=value setting.", ("env-config",), "config-changed", set_env),
)
