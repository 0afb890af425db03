"""How one setting is changed in a file of lines, and how that goes wrong."""

from __future__ import annotations

from dataclasses import dataclass

from trajmill.synth.packs.facts import Settings
from trajmill.synth.packs.naming import mkdir_first, sh
from trajmill.synth.packs.outputs import literal, python_way
from trajmill.synth.packs.skill import Draw, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.table_ways import one_act, python_act


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


def ini_ways(state: State, draw: Draw, change: Change, output: str) -> tuple[tuple[Way, ...], tuple[Slip, ...]]:
    """The ways to set an option within its section of an INI file, and the slips that show."""
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


def env_ways(state: State, draw: Draw, change: Change, output: str) -> tuple[tuple[Way, ...], tuple[Slip, ...]]:
    """The ways to set a KEY=value line, and the slips that show."""
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
