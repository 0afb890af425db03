"""Settings as a sorted list, and a report of what differs between two versions."""

from __future__ import annotations

from collections.abc import Mapping

from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.content.settings import read_env, read_ini
from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Document, Settings
from trajmill.synth.packs.naming import place_output, sh
from trajmill.synth.packs.outputs import literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.config_starts import KEY, shown
from trajmill.synth.packs.terminal.config_ways import settings_lines
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act

_LINE_PARSER = (
    'section = ""\nfor line in lines:\n    line = line.strip()\n    if not line or line[0] in "#;":\n        continue\n'
    '    if line[0] == "[":\n        section = line[1:-1]\n'
)


def list_settings(state: State, draw: Draw) -> Application | None:
    """All settings as sorted ``section.key=value`` lines."""
    flat = _flat(state)
    if flat is None:
        return None
    kept = sorted(f"{name}={value}" for name, value in flat.items())
    dotted = any("." in name for name in flat)
    output = place_output(state, draw, (f"{brief(state.focus.path)}_list", "settings_list", "all_settings"), ".txt")
    written = write_lines(state, draw, output, kept, "text-report")
    form = "`SECTION.KEY=value`" if dotted else "`KEY=value`"
    without = ", comments left out" if isinstance(state.focus.facts, Settings) else ""
    words = Words(
        (
            f"list all settings of {{it}} in `{output}` as lines {form} without blanks around the equals sign, "
            f"sorted in code point order{without}",
            f"write every setting of {{it}} on a line of its own to `{output}`, in the form {form} (no spaces "
            f"around `=`), the lines in ascending code point order",
            f"flatten {{it}} into a sorted text list `{output}`, one {form} per setting and nothing else, ordered "
            f"by code point",
            f"make an inventory of the settings in {{it}}: `{output}` has a line {form} for each, sorted as in the "
            f"C locale",
        ),
        (
            f"all settings of {{it}} as {form} lines, sorted in code point order",
            f"a sorted list of the settings in {{it}}, one {form} per line",
        ),
        (f"`{output}` lists {len(kept)} settings", f"listed {len(kept)} settings in order in `{output}`"),
    )
    ways = _list_ways(state, output, len(kept))
    return applied(written, output, words, ways)


def _list_ways(state: State, output: str, count: int) -> list[Way]:
    source, target = sh(state.focus.path), sh(output)
    if isinstance(state.focus.facts, Document):
        deep = any(isinstance(v, dict) for v in state.focus.facts.value.values())
        program = (
            'to_entries[] | .key as $section | .value | to_entries[] | "\\($section).\\(.key)=\\(.value)"'
            if deep
            else 'to_entries[] | "\\(.key)=\\(.value)"'
        )
        loop = (
            (
                "    for section, options in config.items():\n        for key, value in options.items():\n"
                "            text = value if isinstance(value, str) else json.dumps(value)\n            "
                'lines.append(f"{section}.{key}={text}")\n'
                if deep
                else '    for key, value in config.items():\n        lines.append(f"{key}={value if '
                'isinstance(value, str) else json.dumps(value)}")\n'
            )
            .replace("\n    ", "\n")
            .removeprefix("    ")
        )
        script = (
            f"import json\n\nconfig = json.load(open({literal(state.focus.path)}))\nlines = []\n{loop}"
            f'with open({literal(output)}, "w") as out:\n    out.write("\\n".join(sorted(lines)) + "\\n")'
        )
        return [
            one_act(
                state,
                output,
                "jq",
                ("jq", "sort"),
                f"jq -r '{program}' {source} | LC_ALL=C sort > {target}",
                f"The {count} settings become one line each; sorting puts them in code point order.",
                "String interpolation prints numbers and truth values as JSON writes them.",
                "I walk over the entries, print name and value raw, and sort.",
            ),
            python_act(
                state,
                output,
                script,
                "Texts are written bare and other values as in JSON, then the lines are sorted.",
                f"I collect {count} lines in a list and write them in order.",
                "json.dumps spells truth values the way the file does.",
            ),
        ]
    awk = (
        'awk \'/^\\[/ { s = substr($0, 2, length($0) - 2) "."; next } /^[A-Za-z_]/ { k = $0; sub(/ *=.*/, "", k); '
        'v = $0; sub(/^[^=]*= */, "", v); '
        f'print s k "=" v }}\' {source} | LC_ALL=C sort > {target}'
    )
    body = (
        f"lines = open({literal(state.focus.path)}).read().splitlines()\nfound = []\n{_LINE_PARSER}"
        '    else:\n        key, _, value = line.partition("=")\n        name = f"{section}.{key.strip()}" if '
        "section else key.strip()\n"
        '        found.append(f"{name}={value.strip()}")\n'
        f'with open({literal(output)}, "w") as out:\n    print(*sorted(found), sep="\\n", file=out)'
    )
    return [
        one_act(
            state,
            output,
            "awk",
            ("awk", "sort"),
            awk,
            f"Lines with a name and an equals sign are the {count} settings; everything else is skipped.",
            "I remember the section as a prefix, print each option and sort at the end.",
            "Comments do not begin with a letter, so a pattern on the first character leaves them out.",
        ),
        python_act(
            state,
            output,
            body,
            "Line by line I note the section and split options at the first equals sign.",
            f"{count} settings are collected, sorted by code point and written out.",
            "strip() on both sides takes care of the blanks around the equals sign.",
        ),
    ]


def diff_report(state: State, draw: Draw) -> Application | None:
    """Which settings differ from the earlier version that lies in the workspace."""
    new = _flat(state)
    earlier = _earlier(state, new) if new else None
    if new is None or earlier is None:
        return None
    path, old = earlier
    kept = [f"{name}: {old[name]} -> {new[name]}" for name in sorted(new) if old[name] != new[name]]
    dotted = any("." in name for name in new)
    output = place_output(state, draw, ("changes", "config_changes", f"{brief(state.focus.path)}_changes"), ".txt")
    written = write_lines(state, draw, output, kept, "text-report")
    name = "SECTION.KEY" if dotted else "KEY"
    form = f"`{name}: OLD -> NEW`"
    words = Words(
        (
            f"compare {{it}} with `{path}` and report every setting whose value differs in `{output}`, one line "
            f"{form} each (old from `{path}`), in code point order of the names",
            f"write the differences between `{path}` (old) and {{it}} (new) to `{output}` as lines {form}, sorted "
            f"by name in code point order",
            f"list in `{output}` which settings changed from `{path}` to {{it}}, a line {form} for each, ordered "
            f"by name (code points)",
            f"make a change report `{output}`: for each setting that has another value in {{it}} than in `{path}`, "
            f"one line {form}, names in code point order",
        ),
        (
            f"the settings that differ between `{path}` and {{it}}, as lines {form} sorted by name",
            f"a change report from `{path}` to {{it}}, one {form} per setting that differs",
        ),
        (
            f"`{output}` reports {len(kept)} changed {'setting' if len(kept) == 1 else 'settings'}",
            f"found {len(kept)} {'difference' if len(kept) == 1 else 'differences'} to `{path}` and noted "
            f"{'it' if len(kept) == 1 else 'them'} in `{output}`",
        ),
    )
    parse = (
        'def settings(path):\n    found, section = {}, ""\n    for line in open(path):\n        line = line.strip()\n'
        '        if not line or line[0] in "#;":\n            continue\n        if line[0] == "[":\n            '
        'section = line[1:-1] + "."\n'
        '        else:\n            key, _, value = line.partition("=")\n            found[section + key.strip()] '
        "= value.strip()\n    return found\n\n\n"
    )
    script = (
        f"{parse}old, new = settings({literal(path)}), settings({literal(state.focus.path)})\nwith "
        f'open({literal(output)}, "w") as out:\n'
        '    for name in sorted(new):\n        if new[name] != old[name]:\n            print(f"{name}: {old[name]} '
        '-> {new[name]}", file=out)'
    )
    key = 'k = $0; sub(/ *=.*/, "", k); k = s k; v = $0; sub(/^[^=]*= */, "", v)'
    awk = (
        f'awk \'FNR == 1 {{ s = "" }} /^\\[/ {{ s = substr($0, 2, length($0) - 2) "."; next }} !/^[A-Za-z_]/ {{ '
        f"next }} {{ {key} }} "
        f'NR == FNR {{ old[k] = v; next }} old[k] != v {{ print k ": " old[k] " -> " v }}\' {sh(path)} '
        f"{sh(state.focus.path)} | LC_ALL=C sort > {sh(output)}"
    )
    return applied(
        written,
        output,
        words,
        (
            python_act(
                state,
                output,
                script,
                "Reading both files into dictionaries makes the comparison name by name.",
                f"`{path}` is the old version; I parse both and print what differs.",
                "A plain diff would show lines, but the report needs names and both values.",
            ),
            one_act(
                state,
                output,
                "awk",
                ("awk", "sort"),
                awk,
                f"I remember the values of `{path}` first and compare while reading the other file.",
                "The section serves as a prefix, so equal keys of two sections do not mix.",
                "awk reads both files in turn; the first fills an array, the second is checked against it.",
            ),
        ),
    )


def _earlier(state: State, new: Mapping[str, str]) -> tuple[str, dict[str, str]] | None:
    if not isinstance(state.focus.facts, Settings):
        return None
    ending = state.focus.path.rsplit(".", 1)[-1]
    for path in state.tree.entries:
        entry = state.tree.file(path)
        if path == state.focus.path or entry is None or not path.endswith(f".{ending}"):
            continue
        try:
            lines = tuple(entry.data.decode("utf-8").splitlines())
            old = _read(lines, sectioned="" not in state.focus.facts.sections)
        except (ContentError, UnicodeDecodeError):
            continue
        if set(old) == set(new) and old != new:
            return path, old
    return None


def _read(lines: tuple[str, ...], *, sectioned: bool) -> dict[str, str]:
    if sectioned:
        return {f"{o.section}.{o.name}": o.value for o in read_ini(lines).options}
    return {setting.name: setting.value for setting in read_env(lines)}


def _flat(state: State) -> dict[str, str] | None:
    """Settings by full name, if every tool reads the same out of the file."""
    facts = state.focus.facts
    if isinstance(facts, Document):
        return _flat_json(facts.value)
    if not isinstance(facts, Settings):
        return None
    if set(facts.sections) == {""}:
        lines = settings_lines(state) or []
        plain = all(KEY.fullmatch(k) and f"{k}={v}" in lines for k, v in facts.sections[""].items())
        return dict(facts.sections[""]) if plain and facts.sections[""] else None
    sections = plain_ini(state)
    return {f"{s}.{k}": v for s, values in sections.items() for k, v in values.items()} if sections else None


def _flat_json(value: Json) -> dict[str, str] | None:
    if not isinstance(value, dict) or not value:
        return None
    deep = all(isinstance(v, dict) for v in value.values())
    pairs = [(f"{s}.{k}", v) for s, inner in value.items() for k, v in inner.items()] if deep else list(value.items())
    simple = all(isinstance(v, str | bool | int) and "\n" not in str(v) for _, v in pairs)
    return {name: shown(v) for name, v in pairs} if simple else None


def plain_ini(state: State) -> Mapping[str, Mapping[str, str]] | None:
    """Sections with options spelled ``key = value`` on one line, in lower case; nothing that parsers disagree on."""
    facts, lines = state.focus.facts, settings_lines(state)
    if not isinstance(facts, Settings) or lines is None or "" in facts.sections or len(facts.sections) < 2:
        return None
    for name, values in facts.sections.items():
        if not KEY.fullmatch(name) or name == "DEFAULT" or not values:
            return None
        for key, value in values.items():
            plain = KEY.fullmatch(key) and key == key.lower() and value and not set(value) & set("#;%=:\"'")
            if not plain or f"{key} = {value}" not in lines:
                return None
    return facts.sections


CHANGEABLE = ("ini-config", "env-config", "json-config", "config-changed")


SKILLS = (
    PackSkill("config-list-settings", "config", "List all settings, sorted.", CHANGEABLE, "text-report", list_settings),
    PackSkill(
        "config-diff-report",
        "config",
        "Report which settings differ from an earlier version.",
        ("config-changed",),
        "text-report",
        diff_report,
    ),
)
