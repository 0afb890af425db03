"""Skills that bring settings into another form: JSON, KEY=value, a sorted list, a report of what differs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from trajmill.schemas.content.notes import ContentError
from trajmill.schemas.content.settings import read_env, read_ini
from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Document, Settings
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug, stem
from trajmill.synth.packs.outputs import literal, write_json, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.config_edits import settings_lines, with_facts
from trajmill.synth.packs.terminal.config_starts import shown
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LINE_PARSER = (
    'section = ""\nfor line in lines:\n    line = line.strip()\n    if not line or line[0] in "#;":\n        continue\n'
    '    if line[0] == "[":\n        section = line[1:-1]\n'
)


def ini_to_json(state: State, draw: Draw) -> Application | None:
    """An object of objects with the options of each section as text."""
    sections = _plain_ini(state)
    if sections is None:
        return None
    value: dict[str, Json] = {name: dict(values) for name, values in sections.items()}
    output = place_output(state, draw, (stem(state.focus.path), f"{stem(state.focus.path)}_config"), ".json")
    written = write_json(state, output, value, "json-config")
    words = Words(
        (
            f"convert {{it}} to JSON in `{output}`: an object with one object per section, options as keys, and "
            f"every value as text",
            f"write the sections of {{it}} as nested JSON to `{output}`, section name to option name to value, all "
            f"values as strings and comments left out",
            f"save the settings of {{it}} as a JSON document, `{output}`, in which each section is an object of "
            f"its options (values stay text)",
            f"represent {{it}} as JSON in `{output}`, one inner object for each section; do not convert values, "
            f"they are all strings",
        ),
        (
            "the sections of {it} as a JSON object of objects, every value as text",
            "{it} as nested JSON (section, option, value), with all values as strings",
        ),
        (f"`{output}` holds {len(sections)} sections", f"converted {len(sections)} sections to JSON in `{output}`"),
    )
    source = literal(state.focus.path)
    dump = f'with open({literal(output)}, "w") as out:\n    json.dump(result, out, indent=2)\n    out.write("\\n")'
    parser = (
        "import configparser\nimport json\n\nconfig = "
        "configparser.ConfigParser(interpolation=None)\nconfig.optionxform = str\n"
        f"config.read({source})\nresult = {{name: dict(config[name]) for name in config.sections()}}\n{dump}"
    )
    program = (
        'reduce (inputs | select(test("^[^#;]"))) as $line ({s: "", all: {}}; '
        'if ($line | startswith("[")) then .s = $line[1:-1] | .all[.s] = {} '
        'else ($line | index("=")) as $at | .all[.s][$line[:$at] | sub(" +$"; "")] = ($line[$at + 1:] | sub("^ +"; '
        '"")) end) | .all'
    )
    numeric = next(((s, k) for s, v in sections.items() for k, x in v.items() if re.fullmatch(r"[1-9][0-9]*", x)), None)
    slips: tuple[Slip, ...] = ()
    if numeric:
        guess = (
            "import configparser\nimport json\n\nconfig = "
            "configparser.ConfigParser(interpolation=None)\nconfig.optionxform = str\n"
            f"config.read({source})\n\n\ndef typed(text):\n    try:\n        return int(text)\n    except "
            f"ValueError:\n        return text\n\n\n"
            f"result = {{name: {{k: typed(v) for k, v in config[name].items()}} for name in config.sections()}}\n{dump}"
        )
        at = f"[{literal(numeric[0])}][{literal(numeric[1])}]"
        slips = (
            Slip(
                command=mkdir_first(state, output, f"python3 - <<'EOF'\n{guess}\nEOF"),
                why=(
                    "Numbers look better as numbers in JSON, so I convert them.",
                    "I parse the file and turn digits into integers.",
                ),
                look=f"python3 -c 'import json; print(type(json.load(open({literal(output)})){at}).__name__)'",
                sign=r"\Aint",
                remark=(
                    f"`{numeric[1]}` became a number, but all values were to stay text.",
                    "I converted a value although strings were asked for throughout.",
                ),
                tools=("python3",),
            ),
        )
    return applied(
        written,
        output,
        words,
        (
            python_act(
                state,
                output,
                parser,
                "configparser reads sections and options; without interpolation and with names as they are, "
                "nothing changes.",
                f"A parser for such files gives me {len(sections)} sections as dictionaries of text.",
                "All values of a parsed INI file are strings already, as wanted.",
            ),
            one_act(
                state,
                output,
                "jq",
                ("jq",),
                f"jq -n -R '{program}' {sh(state.focus.path)} > {sh(output)}",
                "Each line is a section, an option or a comment, so a fold over the lines builds the object.",
                "I carry the current section along and split options at the first equals sign.",
                f"jq can assemble the {len(sections)} sections from raw lines.",
            ),
        ),
        slips,
    )


def section_to_env(state: State, draw: Draw) -> Application | None:
    """The options of one section as KEY=value lines with upper-case names."""
    sections = _plain_ini(state)
    if sections is None:
        return None
    fit = [n for n, v in sections.items() if len(v) >= 2 and all(re.fullmatch(r"[\w.,:/+-]+", x) for x in v.values())]
    fit = [n for n in fit if len({k.upper() for k in sections[n]}) == len(sections[n])]
    if not fit:
        return None
    name = draw.pick(fit)
    values = {key.upper(): value for key, value in sections[name].items()}
    output = place_output(state, draw, (slug(name), f"{stem(state.focus.path)}_{slug(name)}"), ".env")
    lines = [f"{key}={value}" for key, value in values.items()]
    written = with_facts(
        write_lines(state, draw, output, lines, "env-config"), output, Settings({"": values}), "env-config"
    )
    words = Words(
        (
            f"write the options of section `[{name}]` in {{it}} to `{output}` as lines `NAME=value`, names in "
            f"capitals, no blanks around the equals sign, in the order of the file",
            f"turn section `[{name}]` of {{it}} into a KEY=value file, `{output}`, with upper-case keys, one "
            f"option a line and without comments, order kept",
            f"export only `[{name}]` from {{it}} to `{output}`: each option on a line as its name in capitals, an "
            f"equals sign and the value, in file order",
            f"make `{output}` out of the section `[{name}]` in {{it}}, one `NAME=value` per option (capitals, no "
            f"spaces, no comments), as ordered there",
        ),
        (
            f"the options of section `[{name}]` in {{it}} as `NAME=value` lines with names in capitals, in file order",
            f"section `[{name}]` of {{it}} as a KEY=value file with upper-case keys",
        ),
        (f"`{output}` holds the {len(values)} options of `[{name}]`", f"exported {len(values)} settings to `{output}`"),
    )
    source, target = sh(state.focus.path), sh(output)
    awk = (
        f"awk -F ' *= *' '/^\\[/ {{ inside = ($0 == \"[{name}]\"); next }} inside && /^[^#;]/ {{ v = $0; "
        f'sub(/^[^=]*= */, "", v); print toupper($1) "=" v }}\' {source} > {target}'
    )
    script = (
        "import configparser\n\nconfig = configparser.ConfigParser(interpolation=None)\n"
        f'config.read({literal(state.focus.path)})\nwith open({literal(output)}, "w") as out:\n'
        f'    for key, value in config[{literal(name)}].items():\n        print(f"{{key.upper()}}={{value}}", file=out)'
    )
    sed = (
        f"sed -n '/^\\[{name}\\]/,/^\\[/p' {source} | grep -E '^[A-Za-z_]+[A-Za-z0-9_]* *=' | sed -E 's/^([^ "
        f"=]+) *= */\\U\\1\\E=/' > {target}"
    )
    return applied(
        written,
        output,
        words,
        (
            one_act(
                state,
                output,
                "awk",
                ("awk",),
                awk,
                f"A flag tells whether the line is inside `[{name}]`; comments and other sections are skipped.",
                "The name goes to capitals, the value stays what follows the equals sign.",
                f"I print only the {len(values)} options between `[{name}]` and the next section.",
            ),
            one_act(
                state,
                output,
                "sed",
                ("sed", "grep"),
                sed,
                f"First the range from `[{name}]` to the next header, then the options in it, then the spelling.",
                "Cutting out the section and rewriting its option lines is a job for line tools.",
                "sed can turn the matched name into capitals while it removes the blanks.",
            ),
            python_act(
                state,
                output,
                script,
                f"configparser hands me the options of `[{name}]` in order; I print them in the new form.",
                "The parser leaves comments out, and upper() gives the capitals.",
                f"{len(values)} options are read and written as NAME=value.",
            ),
        ),
    )


def env_to_json(state: State, draw: Draw) -> Application | None:
    """A flat object with every value as text."""
    facts = state.focus.facts
    if not isinstance(facts, Settings) or set(facts.sections) != {""} or len(facts.sections[""]) < 3:
        return None
    values = facts.sections[""]
    lines = settings_lines(state) or []
    if not all(_KEY.fullmatch(k) and f"{k}={v}" in lines for k, v in values.items()):
        return None
    output = place_output(state, draw, (stem(state.focus.path), f"{stem(state.focus.path)}_settings"), ".json")
    written = write_json(state, output, dict(values), "json-config")
    words = Words(
        (
            f"convert {{it}} to a flat JSON object in `{output}` with the keys as they are and every value as text",
            f"write the settings of {{it}} as one JSON object to `{output}`: name to value, all values strings, "
            f"comments ignored",
            f"save the KEY=value pairs of {{it}} as JSON in `{output}`, a single flat object whose values are all text",
            f"turn {{it}} into a JSON object, `{output}`, with one text entry for each setting",
        ),
        (
            "the settings of {it} as a flat JSON object, every value as text",
            "a JSON object with one string per setting of {it}",
        ),
        (f"`{output}` holds {len(values)} settings", f"converted {len(values)} settings to JSON in `{output}`"),
    )
    program = draw.pick(
        (
            '[inputs | select(test("^[A-Za-z_]")) | index("=") as $at | {(.[:$at]): .[$at + 1:]}] | add',
            '[inputs | capture("^(?<key>[A-Za-z_][A-Za-z0-9_]*)=(?<value>.*)$")] | from_entries',
        )
    )
    script = (
        f"import json\n\nsettings = {{}}\nfor line in open({literal(state.focus.path)}):\n    line = line.strip()\n"
        '    if line and not line.startswith("#"):\n        key, _, value = line.partition("=")\n        '
        "settings[key] = value\n"
        f'with open({literal(output)}, "w") as out:\n    json.dump(settings, out, indent=2)\n    out.write("\\n")'
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
                "Every line that is no comment splits at its first equals sign.",
                f"partition keeps values whole, and {len(values)} of them go into a dictionary.",
                "Empty lines and comments are skipped, the rest is key and text.",
            ),
            one_act(
                state,
                output,
                "jq",
                ("jq",),
                f"jq -n -R '{program}' {sh(state.focus.path)} > {sh(output)}",
                "Raw lines that start with a name become one-entry objects, which I add up.",
                "jq reads the lines as text, so no value is taken for a number.",
                f"{len(values)} lines carry settings; comments do not match.",
            ),
        ),
    )


def list_settings(state: State, draw: Draw) -> Application | None:
    """All settings as sorted ``section.key=value`` lines."""
    flat = _flat(state)
    if flat is None:
        return None
    kept = sorted(f"{name}={value}" for name, value in flat.items())
    dotted = any("." in name for name in flat)
    output = place_output(state, draw, (f"{stem(state.focus.path)}_list", "settings_list", "all_settings"), ".txt")
    written = write_lines(state, draw, output, kept, "sorted-list")
    form = "`SECTION.KEY=value`" if dotted else "`KEY=value`"
    words = Words(
        (
            f"list all settings of {{it}} in `{output}` as lines {form} without blanks around the equals sign, "
            f"sorted in code point order, comments left out",
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
    output = place_output(state, draw, ("changes", "config_changes", f"{stem(state.focus.path)}_changes"), ".txt")
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
        plain = all(_KEY.fullmatch(k) and f"{k}={v}" in lines for k, v in facts.sections[""].items())
        return dict(facts.sections[""]) if plain and facts.sections[""] else None
    sections = _plain_ini(state)
    return {f"{s}.{k}": v for s, values in sections.items() for k, v in values.items()} if sections else None


def _flat_json(value: Json) -> dict[str, str] | None:
    if not isinstance(value, dict) or not value:
        return None
    deep = all(isinstance(v, dict) for v in value.values())
    pairs = [(f"{s}.{k}", v) for s, inner in value.items() for k, v in inner.items()] if deep else list(value.items())
    simple = all(isinstance(v, str | bool | int) and "\n" not in str(v) for _, v in pairs)
    return {name: shown(v) for name, v in pairs} if simple else None


def _plain_ini(state: State) -> Mapping[str, Mapping[str, str]] | None:
    """Sections with options spelled ``key = value`` on one line, in lower case; nothing that parsers disagree on."""
    facts, lines = state.focus.facts, settings_lines(state)
    if not isinstance(facts, Settings) or lines is None or "" in facts.sections or len(facts.sections) < 2:
        return None
    for name, values in facts.sections.items():
        if not _KEY.fullmatch(name) or name == "DEFAULT" or not values:
            return None
        for key, value in values.items():
            plain = _KEY.fullmatch(key) and key == key.lower() and value and not set(value) & set("#;%=:\"'")
            if not plain or f"{key} = {value}" not in lines:
                return None
    return facts.sections


CHANGEABLE = ("ini-config", "env-config", "json-config", "config-changed")

SKILLS = (
    PackSkill("ini-to-json", "config", "Convert an INI file to JSON.", ("ini-config",), "json-config", ini_to_json),
    PackSkill(
        "ini-section-to-env",
        "config",
        "Export a section of an INI file as KEY=value lines.",
        ("ini-config",),
        "env-config",
        section_to_env,
    ),
    PackSkill(
        "env-to-json", "config", "Convert KEY=value settings to JSON.", ("env-config",), "json-config", env_to_json
    ),
    PackSkill("config-list-settings", "config", "List all settings, sorted.", CHANGEABLE, "sorted-list", list_settings),
    PackSkill(
        "config-diff-report",
        "config",
        "Report which settings differ from an earlier version.",
        ("config-changed",),
        "text-report",
        diff_report,
    ),
)
