"""Skills that convert settings: INI to JSON or KEY=value, KEY=value to JSON."""

from __future__ import annotations

import re

from trajmill.schemas.ids import Json
from trajmill.synth.packs.facts import Settings
from trajmill.synth.packs.naming import mkdir_first, place_output, sh, slug
from trajmill.synth.packs.outputs import literal, write_json, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Slip
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.config_edits import with_facts
from trajmill.synth.packs.terminal.config_lists import (
    plain_ini,
)
from trajmill.synth.packs.terminal.config_starts import KEY
from trajmill.synth.packs.terminal.config_ways import settings_lines
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Words, applied, one_act, python_act


def ini_to_json(state: State, draw: Draw) -> Application | None:
    """An object of objects with the options of each section as text."""
    sections = plain_ini(state)
    if sections is None:
        return None
    value: dict[str, Json] = {name: dict(values) for name, values in sections.items()}
    output = place_output(state, draw, (brief(state.focus.path), f"{brief(state.focus.path)}_config"), ".json")
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
    sections = plain_ini(state)
    if sections is None:
        return None
    fit = [n for n, v in sections.items() if len(v) >= 2 and all(re.fullmatch(r"[\w.,:/+-]+", x) for x in v.values())]
    fit = [n for n in fit if len({k.upper() for k in sections[n]}) == len(sections[n])]
    if not fit:
        return None
    name = draw.pick(fit)
    values = {key.upper(): value for key, value in sections[name].items()}
    output = place_output(state, draw, (slug(name), f"{brief(state.focus.path)}_{slug(name)}"), ".env")
    lines = [f"{key}={value}" for key, value in values.items()]
    written = with_facts(
        write_lines(state, draw, output, lines, "env-config"), output, Settings({"": values}), "env-config"
    )
    words = Words(
        (
            f"write the options of section `[{name}]` in {{it}} to `{output}` as lines `NAME=value`, names in "
            f"capitals, no blanks around the equals sign, in the order of the file",
            f"turn section `[{name}]` of {{it}} into a KEY=value file, `{output}`, with upper-case keys, one "
            f"option per line and without comments, order kept",
            f"export only `[{name}]` from {{it}} to `{output}`: each option on a line as its name in capitals, an "
            f"equals sign and the value, in file order",
            f"make `{output}` out of the section `[{name}]` in {{it}}, one `NAME=value` per option (capitals, no "
            f"spaces, no comments), as ordered there",
        ),
        (
            f"the options of section `[{name}]` in {{it}} as `NAME=value` lines with names in capitals, in file order",
            f"section `[{name}]` of {{it}} as a KEY=value file with upper-case keys, in file order, no comments",
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
    if not all(KEY.fullmatch(k) and f"{k}={v}" in lines for k, v in values.items()):
        return None
    output = place_output(state, draw, (brief(state.focus.path), f"{brief(state.focus.path)}_settings"), ".json")
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
            "a JSON object with one string per setting of {it}, under the name of the setting",
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
)
