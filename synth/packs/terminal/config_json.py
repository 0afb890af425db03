"""Skills that change a JSON configuration: one value, or a merge of overrides."""

from __future__ import annotations

from collections.abc import Mapping

from trajmill.schemas.content.json_exact import read_json
from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Document
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, stem
from trajmill.synth.packs.outputs import literal, write_json
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.config_edits import PLAIN_VALUE
from trajmill.synth.packs.terminal.config_starts import KEY, other_value, shown
from trajmill.synth.packs.terminal.json_ways import field_of
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act


def set_json(state: State, draw: Draw) -> Application | None:
    """Change one value of a nested JSON configuration."""
    value = _sections(state)
    if value is None:
        return None
    options = [
        (section, key, other_value(key, old, draw))
        for section, inner in value.items()
        for key, old in inner.items()
        if isinstance(old, bool | int) or (isinstance(old, str) and PLAIN_VALUE.fullmatch(old))
    ]
    if not options:
        return None
    section, key, new = draw.pick(options)
    changed = {s: {k: new if (s, k) == (section, key) else v for k, v in inner.items()} for s, inner in value.items()}
    source = state.focus.path
    output = place_output(state, draw, (f"{stem(source)}_new", f"{stem(source)}_{key.lower()}", "changed"), ".json")
    written = write_json(state, output, changed, "config-changed")
    kind = "a JSON truth value" if isinstance(new, bool) else "a number" if isinstance(new, int) else "a string"
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
                    f"The value became a string; it has to be {kind}.",
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
    output = place_output(state, draw, ("merged", f"{brief(state.focus.path)}_merged", "effective"), ".json")
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
    return value if flat and all(KEY.fullmatch(k) for k in keys) else None


SKILLS = (
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
