"""Skills that change settings: one or two options of an INI, KEY=value or JSON file, or a merge of overrides."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trajmill.schemas.content.json_exact import read_json
from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Document, Settings
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, stem
from trajmill.synth.packs.outputs import Written, literal, python_way, write_json, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.config_starts import other_value, shown
from trajmill.synth.packs.terminal.json_ways import field_of
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VALUE = re.compile(r"[A-Za-z0-9_.,+-]*")


@dataclass(frozen=True, slots=True)
class Change:
    """One option and its new value."""

    section: str
    key: str
    old: str
    new: str


def settings_lines(state: State) -> list[str] | None:
    """The lines of a configuration file whose bytes are certain."""
    entry = state.tree.file(state.focus.path)
    return entry.data.decode("utf-8").splitlines() if entry is not None else None


def set_ini(state: State, draw: Draw) -> Application | None:
    """Change one option in one section of an INI file."""
    settings, lines = state.focus.facts, settings_lines(state)
    if not isinstance(settings, Settings) or lines is None:
        return None
    options = [
        Change(section, key, old, new)
        for section, values in settings.sections.items()
        for key, old in values.items()
        if _KEY.fullmatch(section) and _KEY.fullmatch(key) and (new := _other(old, draw)) and f"{key} = {old}" in lines
    ]
    if not options:
        return None
    repeated = [c for c in options if sum(c.key in v for v in settings.sections.values()) > 1]
    change = draw.pick(repeated if repeated and draw.rng.random() < 0.6 else options)
    kept = _changed_ini(lines, change)
    inside = f"`{change.key}` in section `[{change.section}]`"
    return _set(state, draw, change, kept, inside, _ini_ways, settings)


def set_env(state: State, draw: Draw) -> Application | None:
    """Change one KEY=value setting."""
    settings, lines = state.focus.facts, settings_lines(state)
    if not isinstance(settings, Settings) or lines is None or set(settings.sections) != {""}:
        return None
    options = [
        Change("", key, old, new)
        for key, old in settings.sections[""].items()
        if _KEY.fullmatch(key) and (new := _other(old, draw)) and lines.count(f"{key}={old}") == 1
    ]
    if not options:
        return None
    change = draw.pick(options)
    kept = [f"{change.key}={change.new}" if line == f"{change.key}={change.old}" else line for line in lines]
    return _set(state, draw, change, kept, f"`{change.key}`", _env_ways, settings)


def _other(old: str, draw: Draw) -> str:
    """A new value that differs from the old one; empty if the old one is not plain."""
    if not _VALUE.fullmatch(old):
        return ""
    if old in ("true", "false"):
        return "false" if old == "true" else "true"
    if re.fullmatch(r"[1-9][0-9]{0,8}|0", old):
        return str(other_value(int(old), draw))
    if re.fullmatch(r"-?[0-9]+\.[0-9]+", old):
        return f"{int(float(old)) + draw.pick((1, 2, 5))}.5"
    return draw.pick([v for v in ("archive", "nightly", "shared", "v2") if v != old])


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
    ways, slips = (_ini_ways if make is _ini_ways else _env_ways)(state, draw, change, output)
    return applied(written, output, words, ways, slips)


def _ini_ways(state: State, draw: Draw, change: Change, output: str) -> tuple[tuple[Way, ...], tuple[Slip, ...]]:
    source = state.focus.path
    a, b, same = sh(source), sh(output), source == output
    program = f"/^\\[{change.section}\\]/,/^\\[/ s/^{change.key} = .*/{change.key} = {change.new}/"
    sed = f"sed -i '{program}' {a}" if same else f"sed '{program}' {a} > {b}"
    awk = (
        f'awk \'/^\\[/ {{ inside = ($0 == "[{change.section}]") }} inside && /^{change.key} =/ {{ $0 = '
        f'"{change.key} = {change.new}" }} {{ print }}\' {a}'
    )
    awk_all = f"{awk} > {b}.new && mv {b}.new {b}" if same else f"{awk} > {b}"
    script = (
        f'lines = open({literal(source)}).read().splitlines()\nsection = ""\nfor at, line in enumerate(lines):\n'
        f'    if line.startswith("["):\n        section = line.strip("[]")\n'
        f'    elif section == {literal(change.section)} and line.split("=")[0].strip() == {literal(change.key)}:\n'
        f"        lines[at] = {literal(f'{change.key} = {change.new}')}\n"
        f'with open({literal(output)}, "w") as out:\n    out.write("\\n".join(lines) + "\\n")'
    )
    settings = state.focus.facts
    several = isinstance(settings, Settings) and sum(change.key in v for v in settings.sections.values()) > 1
    ways = (
        one_act(
            state,
            output,
            "sed",
            ("sed",),
            sed,
            f"The edit must stay within `[{change.section}]`"
            + (f", because `{change.key}` also occurs elsewhere." if several else "."),
            f"An address range from `[{change.section}]` to the next section keeps the substitution in bounds.",
            "Only one line changes, so comments and order survive a line edit.",
        ),
        one_act(
            state,
            output,
            "awk",
            ("awk",) if not same else ("awk", "mv"),
            awk_all,
            f"I track the current section and rewrite `{change.key}` only inside `[{change.section}]`.",
            "A flag for the section makes the change land in the right place.",
            f"awk prints every line and swaps just the one with `{change.key}`.",
        ),
        python_act(
            state,
            output,
            script,
            "A parser that rewrites the file would lose the comments, so I edit the lines myself.",
            f"I walk through the lines, remember the section and replace `{change.key}`.",
            f"Only `{change.key}` under `[{change.section}]` is replaced; all other lines are written back unchanged.",
        ),
    )
    if same:
        return ways, ()
    return ways, _ini_slips(state, change, output, several)


def _ini_slips(state: State, change: Change, output: str, several: bool) -> tuple[Slip, ...]:
    a, b = sh(state.focus.path), sh(output)
    commented = any(line.startswith(("#", ";")) for line in settings_lines(state) or ())
    if several:
        return (
            (
                Slip(
                    command=mkdir_first(
                        state, output, f"sed 's/^{change.key} = .*/{change.key} = {change.new}/' {a} > {b}"
                    ),
                    why=(
                        f"A substitution on the line of `{change.key}` sets it.",
                        f"I replace the value after `{change.key} =`.",
                    ),
                    look=f"diff {a} {b} | grep -c '^>'",
                    sign=r"\A[2-9]",
                    remark=(
                        f"More than one line changed: `{change.key}` exists in another section too. The edit must "
                        f"be limited to `[{change.section}]`.",
                        f"That hit `{change.key}` in every section. Only `[{change.section}]` was meant.",
                    ),
                    tools=("sed", "diff"),
                ),
            )
            if _hits(state, change) > 1
            else ()
        )
    if not commented:
        return ()
    script = (
        f"import configparser\n\nconfig = configparser.ConfigParser()\nconfig.read({literal(state.focus.path)})\n"
        f"config[{literal(change.section)}][{literal(change.key)}] = {literal(change.new)}\n"
        f'with open({literal(output)}, "w") as out:\n    config.write(out)'
    )
    return (
        Slip(
            command=mkdir_first(state, output, python_way(script)),
            why=(
                "configparser reads the file, sets the option and writes it back.",
                "Python has a parser for such files.",
            ),
            look=f"grep -c '^[#;]' {b}",
            sign=r"\A0",
            remark=(
                "The comments are gone: the parser drops them when writing. I have to edit the line instead.",
                "No comment line is left in the new file, though they were to stay.",
            ),
            tools=("python3", "grep"),
        ),
    )


def _hits(state: State, change: Change) -> int:
    """How many lines a substitution without regard to sections would change."""
    lines = settings_lines(state) or []
    return sum(line.startswith(f"{change.key} = ") and line != f"{change.key} = {change.new}" for line in lines)


def _env_ways(state: State, draw: Draw, change: Change, output: str) -> tuple[tuple[Way, ...], tuple[Slip, ...]]:
    source = state.focus.path
    a, b, same = sh(source), sh(output), source == output
    program = f"s/^{change.key}=.*/{change.key}={change.new}/"
    sed = (
        f"sed -i '{program}' {a}"
        if same
        else draw.pick((f"sed '{program}' {a} > {b}", f"cp {a} {b} && sed -i '{program}' {b}"))
    )
    awk = f'awk -F= \'$1 == "{change.key}" {{ $0 = "{change.key}={change.new}" }} {{ print }}\' {a}'
    awk_all = f"{awk} > {b}.new && mv {b}.new {b}" if same else f"{awk} > {b}"
    script = (
        f"import re\n\ntext = open({literal(source)}).read()\n"
        f'text = re.sub(r"(?m)^{change.key}=.*$", {literal(f"{change.key}={change.new}")}, text)\n'
        f'with open({literal(output)}, "w") as out:\n    out.write(text)'
    )
    ways = (
        one_act(
            state,
            output,
            "sed",
            ("sed",),
            sed,
            f"`{change.key}` stands at the start of exactly one line, so an anchored substitution is safe.",
            f"I replace whatever follows `{change.key}=` and nothing else.",
            "One setting changes; comments and the other lines pass through.",
        ),
        one_act(
            state,
            output,
            "awk",
            ("awk",) if not same else ("awk", "mv"),
            awk_all,
            "Splitting at the equals sign lets me compare the whole key.",
            f"Only the line whose key is exactly `{change.key}` is rewritten.",
            "A comparison of the full key cannot hit a longer name by accident.",
        ),
        python_act(
            state,
            output,
            script,
            f"A multi-line pattern anchored at `{change.key}=` finds the one line.",
            "I change the text in memory and write it out in one go.",
            f"re.sub with the line anchor replaces the value of `{change.key}`.",
        ),
    )
    if same or change.old == "":
        return ways, ()
    appended = f"{{ cat {a}; echo '{change.key}={change.new}'; }} > {b}"
    slip = Slip(
        command=mkdir_first(state, output, appended),
        why=(
            "A later line wins in such files, so appending the new value would do.",
            "I add the new setting at the end.",
        ),
        look=f"grep -c '^{change.key}=' {b}",
        sign=r"\A2",
        remark=(
            f"`{change.key}` is in the file twice now. The existing line should have been changed.",
            "Appending left the old value in place; I have to replace that line.",
        ),
        tools=("cat", "grep"),
    )
    return ways, (slip,)


def set_json(state: State, draw: Draw) -> Application | None:
    """Change one value of a nested JSON configuration."""
    value = _sections(state)
    if value is None:
        return None
    options = [
        (section, key, other_value(old, draw))
        for section, inner in value.items()
        for key, old in inner.items()
        if isinstance(old, bool | int) or (isinstance(old, str) and _VALUE.fullmatch(old))
    ]
    if not options:
        return None
    section, key, new = draw.pick(options)
    changed = {s: {k: new if (s, k) == (section, key) else v for k, v in inner.items()} for s, inner in value.items()}
    source = state.focus.path
    output = place_output(state, draw, (f"{stem(source)}_new", f"{stem(source)}_{key.lower()}", "changed"), ".json")
    written = write_json(state, output, changed, "config-changed")
    kind = "a JSON truth value" if isinstance(new, bool) else "a number" if isinstance(new, int) else "a text"
    place = f"`{key}` under `{section}`"
    said = f"`{shown(new)}` ({kind})"
    words = Words(
        (
            f"write a copy of {{it}} to `{output}` in which {place} is {said} and all else is unchanged",
            f"set {place} of {{it}} to {said} and save the whole configuration as `{output}`, leaving the original "
            f"alone",
            f"make `{output}` from {{it}} with {place} changed to {said}; every other setting keeps its value",
            f"derive the JSON configuration `{output}` from {{it}}: only {place} differs, it becomes {said}",
        ),
        (
            f"the configuration of {{it}} with {place} set to {said}",
            f"a JSON copy of {{it}} in which only {place} is changed, to {said}",
        ),
        (f"`{output}` has {place} set to `{shown(new)}`", f"changed {place} to `{shown(new)}` in `{output}`"),
    )
    path = (
        f"{field_of(section)}{field_of(key)}".replace(".[", "[").replace("[", ".[", 1)
        if field_of(section).startswith(".[")
        else (f"{field_of(section)}{field_of(key) if not field_of(key).startswith('.[') else field_of(key)[1:]}")
    )
    rendered = literal(new) if isinstance(new, str) else shown(new)
    python = literal(new) if isinstance(new, str) else repr(new)
    a, b = sh(source), sh(output)
    text = literal(shown(new))
    slips: tuple[Slip, ...] = ()
    if not isinstance(new, str):
        slips = (
            Slip(
                command=mkdir_first(state, output, f"jq '{path} = {text}' {a} > {b}"),
                why=(f"An assignment to {place} changes it.", "jq can assign to the path directly."),
                look=f"jq -r '{path} | type' {b}",
                sign=r"\Astring",
                remark=(
                    f"The value became a text; it has to be {kind}.",
                    "I put quotes around it, so the type is wrong.",
                ),
                tools=("jq",),
            ),
        )
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "jq",
                ("jq",),
                draw.pick(
                    (
                        f"jq '{path} = {rendered}' {a} > {b}",
                        f"jq '{path} |= {rendered}' {a} > {b}",
                        f"jq --argjson value '{rendered}' '{path} = $value' {a} > {b}",
                    )
                ),
                "An assignment to one path leaves the rest of the document alone.",
                f"The new value is {kind}, so it must be written as one.",
                f"I assign to {place} and write the result to a new file.",
            ),
            python_act(
                state,
                output,
                f"import json\n\nconfig = "
                f"json.load(open({literal(source)}))\nconfig[{literal(section)}][{literal(key)}] = {python}\n"
                f'with open({literal(output)}, "w") as out:\n    json.dump(config, out, indent=2)\n    '
                f'out.write("\\n")',
                f"I load the configuration, set {place} and dump it under the new name.",
                "Python keeps the other values and their types.",
                f"One assignment in the loaded dictionary is enough for {place}.",
            ),
        ),
        slips,
    )


def merge_overrides(state: State, draw: Draw) -> Application | None:
    """Apply the overrides that lie beside a JSON configuration."""
    value = _sections(state)
    folder = state.focus.path.rpartition("/")[0]
    second = f"{folder}/overrides.json" if folder else "overrides.json"
    entry = state.tree.file(second)
    if value is None or entry is None or second == state.focus.path:
        return None
    try:
        over = read_json(entry.data)
    except ContentError:
        return None
    if not isinstance(over, dict) or not all(isinstance(v, dict) for v in over.values()):
        return None
    merged = {**value, **{name: {**value.get(name, {}), **inner} for name, inner in over.items()}}
    flat = {**value, **over}
    output = place_output(state, draw, ("merged", f"{stem(state.focus.path)}_merged", "effective"), ".json")
    written = write_json(state, output, merged, "config-changed")
    count = sum(len(inner) for inner in over.values())
    words = Words(
        (
            f"merge `{second}` into {{it}} and save the result as `{output}`: values from `{second}` win, section "
            f"by section, and settings it does not mention stay",
            f"apply the overrides of `{second}` to {{it}} within each section and write the complete configuration "
            f"as JSON to `{output}`; neither input changes",
            f"write the effective configuration to `{output}`, that is {{it}} with every setting from `{second}` "
            f"added or replaced inside its section",
            f"combine {{it}} with `{second}` in the JSON file `{output}`; inside each section a setting of "
            f"`{second}` replaces or adds to those of {{it}}, the others are kept",
        ),
        (
            f"{{it}} with the settings of `{second}` merged in, section by section",
            f"the JSON configuration that results when `{second}` overrides {{it}} inside each section",
        ),
        (
            f"`{output}` carries {count} overridden or added settings",
            f"merged {count} settings from `{second}` into `{output}`",
        ),
    )
    a, b, target = sh(state.focus.path), sh(second), sh(output)
    slips: tuple[Slip, ...] = ()
    lost = [f"{s}.{k}" for s in over for k in value.get(s, {}) if k not in over[s]]
    if lost and flat != merged:
        section, _, key = lost[0].partition(".")
        slips = (
            Slip(
                command=mkdir_first(state, output, f"jq -s '.[0] + .[1]' {a} {b} > {target}"),
                why=(
                    "Adding two objects lets the right one win.",
                    "The sum of both documents has the overrides on top.",
                ),
                look=f"jq -c '{field_of(section)} | has({literal(key)})' {target}",
                sign=r"\Afalse",
                remark=(
                    f"`{key}` vanished from `{section}`: whole sections were replaced. The merge has to go deeper.",
                    "Only the top level was merged, so other settings of a section got lost.",
                ),
                tools=("jq",),
            ),
        )
    script = (
        f"import json\n\nconfig = json.load(open({literal(state.focus.path)}))\noverrides = "
        f"json.load(open({literal(second)}))\n"
        "for section, settings in overrides.items():\n    config.setdefault(section, {}).update(settings)\n"
        f'with open({literal(output)}, "w") as out:\n    json.dump(config, out, indent=2)\n    out.write("\\n")'
    )
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "jq",
                ("jq",),
                draw.pick(
                    (
                        f"jq -s '.[0] * .[1]' {a} {b} > {target}",
                        f"jq -n '[inputs] | .[0] * .[1]' {a} {b} > {target}",
                        f"jq --slurpfile over {b} '. * $over[0]' {a} > {target}",
                    )
                ),
                "The product of two objects merges them recursively, which is what sections need.",
                f"A recursive merge lets `{second}` win and keeps settings it does not mention.",
                "Sections must be merged inside, not replaced as a whole.",
            ),
            python_act(
                state,
                output,
                script,
                "Updating section by section keeps the settings that are not overridden.",
                f"I go through the sections of `{second}` and update those of the configuration.",
                "setdefault covers a section that only the overrides have.",
            ),
        ),
        slips,
    )


def _sections(state: State) -> Mapping[str, Mapping[str, Json]] | None:
    facts = state.focus.facts
    value = facts.value if isinstance(facts, Document) else None
    if not isinstance(value, dict) or not value or not all(isinstance(v, dict) and v for v in value.values()):
        return None
    keys = [k for section in value for k in (section, *value[section])]
    flat = not any(isinstance(v, dict | list) for inner in value.values() for v in inner.values())
    return value if flat and all(_KEY.fullmatch(k) for k in keys) else None


def with_facts(written: Written, path: str, facts: Settings, scenario: str = "config-changed") -> Written:
    """The same output, known as settings instead of lines."""
    return replace(written, state=replace(written.state, focus=Artefact(path, scenario, facts)))


SKILLS = (
    PackSkill(
        "ini-set-value", "config", "Change an option of an INI file.", ("ini-config",), "config-changed", set_ini
    ),
    PackSkill("env-set-value", "config", "Change a KEY=value setting.", ("env-config",), "config-changed", set_env),
    PackSkill(
        "json-config-set",
        "config",
        "Change a value of a JSON configuration.",
        ("json-config",),
        "config-changed",
        set_json,
    ),
    PackSkill(
        "json-config-merge",
        "config",
        "Merge overrides into a JSON configuration.",
        ("json-config",),
        "config-changed",
        merge_overrides,
    ),
)
