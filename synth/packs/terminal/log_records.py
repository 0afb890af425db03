"""Skills that keep the records of a log that have one level or come from one source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trajmill.synth.packs.facts import Log, LogRecord
from trajmill.synth.packs.naming import place_output, sh, slug
from trajmill.synth.packs.outputs import Written, literal, write_lines
from trajmill.synth.packs.skill import Application, Draw, PackSkill, Way
from trajmill.synth.packs.state import Artefact, State
from trajmill.synth.packs.terminal.log_layout import START, Layout, all_lines, layout_of
from trajmill.synth.packs.terminal.table_choice import brief
from trajmill.synth.packs.terminal.table_ways import Mistake, Words, applied, head_slip, one_act, python_act


def filter_level(state: State, draw: Draw) -> Application | None:
    """Keep the records of one level with the lines that belong to them."""
    found = layout_of(state)
    if found is None:
        return None
    layout, records = found
    levels = sorted({r.level for r in records})
    options = [v for v in levels if 2 <= sum(r.level == v for r in records) < len(records)]
    if not options:
        return None
    level = draw.pick(options + [v for v in options if v in ("ERROR", "WARNING")] * 2)
    return _excerpt(state, draw, layout, records, "level", level)


def filter_source(state: State, draw: Draw) -> Application | None:
    """Keep the records of one source with the lines that belong to them."""
    found = layout_of(state)
    if found is None:
        return None
    layout, records = found
    options = [
        v for v in sorted({r.source for r in records}) if 2 <= sum(r.source == v for r in records) < len(records)
    ]
    return _excerpt(state, draw, layout, records, "source", draw.pick(options)) if options else None


def _excerpt(
    state: State, draw: Draw, layout: Layout, records: Sequence[LogRecord], part: str, value: str
) -> Application:
    kept = tuple(r for r in records if getattr(r, part) == value)
    tag = slug(value)
    output = place_output(
        state, draw, (tag, f"{brief(state.focus.path)}_{tag}", f"{tag}_records"), draw.pick((".log", ".log", ".txt"))
    )
    written = _as_log(write_lines(state, draw, output, all_lines(kept), "log-excerpt"), output, kept)
    traces = any(r.more for r in records)
    own = any(r.more for r in kept)
    whole = ", each with the lines below it that belong to it" if own else ""
    rule = ("A line that does not begin with a date belongs to the record above it.",) if traces else ()
    noun = f"of level `{value}`" if part == "level" else f"from the source `{value}`"
    words = Words(
        (
            f"copy all records {noun} from {{it}} to `{output}`, unchanged and in order{whole}",
            f"extract the log records {noun} out of {{it}} and save them as `{output}`, in their order{whole}",
            f"reduce {{it}} to the records {noun}{whole}{',' * bool(whole)} and write what is left to `{output}`",
            f"put every record whose {part} is `{value}` from {{it}} into `{output}` and keep the order{whole}",
        ),
        (f"the records {noun} in {{it}}, unchanged and in order{whole}", f"all log records of {{it}} {noun}{whole}"),
        (
            f"`{output}` holds the {len(kept)} records {noun}",
            f"extracted {len(kept)} of {len(records)} records to `{output}`",
        ),
        rule,
    )
    field, mark = (
        (layout.level_field, layout.level_mark) if part == "level" else (layout.source_field, layout.source_mark)
    )
    shown = mark.format(value)
    source, target = sh(state.focus.path), sh(output)
    wrong_command = f"grep -F {value} {source} > {target}"
    wrong = [line for line in all_lines(records) if value in line]
    mistake = Mistake(
        wrong_command,
        (f"All lines that mention `{value}` are the ones I need.", f"A search for `{value}` selects the records."),
        (
            f"Other records came along, because `{value}` also occurs in messages. I need to test the field itself."
            if any(value in r.line for r in records if r not in kept)
            else "The lines below each record are missing, as they do not name it. I have to keep them together.",
            f"Searching anywhere in the line is too crude here; the {part} has a place of its own.",
        ),
        ("grep",),
    )
    return applied(
        written,
        output,
        words,
        _excerpt_ways(state, draw, layout, output, part, value, shown, field, traces),
        (head_slip(state, output, mistake, wrong, all_lines(kept)),),
    )


def _excerpt_ways(
    state: State,
    draw: Draw,
    layout: Layout,
    output: str,
    part: str,
    value: str,
    shown: str,
    field: int,
    traces: bool,
) -> tuple[Way, ...]:
    source, target = sh(state.focus.path), sh(output)
    program = f'{START} {{ keep = (${field} == "{shown}") }} keep' if traces else f'${field} == "{shown}"'
    at = field - 1
    if traces:
        body = (
            f'keep = False\nwith open({literal(state.focus.path)}) as f, open({literal(output)}, "w") as out:\n    '
            f"for line in f:\n"
            f"        if line[:4].isdigit():\n            keep = line.split()[{at}] == {literal(shown)}\n        "
            f"if keep:\n            out.write(line)"
        )
    else:
        body = draw.pick(
            (
                f'with open({literal(state.focus.path)}) as f, open({literal(output)}, "w") as out:\n'
                f"    out.writelines(line for line in f if line.split()[{at}] == {literal(shown)})",
                f"with open({literal(state.focus.path)}) as f:\n    kept = [line for line in f if "
                f"line.split(maxsplit={at + 1})[{at}] == {literal(shown)}]\n"
                f'with open({literal(output)}, "w") as out:\n    out.writelines(kept)',
            )
        )
    ways = [
        one_act(
            state,
            output,
            "awk",
            ("awk",),
            f"awk '{program}' {source} > {target}",
            f"The {part} is field {field}, so I test that and not the whole line"
            + ("; lines without a date go with their record." if traces else "."),
            f"A flag set at every dated line carries the {part} over to the lines below it."
            if traces
            else f"One record per line here, with the {part} in field {field}.",
            f"`{value}` may also occur in a message; field {field} is what counts.",
        ),
        python_act(
            state,
            output,
            body,
            f"I split each {'dated ' if traces else ''}line and compare its {part}, the word at index {at}.",
            "Lines that do not start with a year belong to the record before, so I remember whether to keep it."
            if traces
            else f"Every line is a record, so a test of its {part} is enough.",
            f"Comparing the exact field avoids hits of `{value}` in messages.",
        ),
    ]
    if not traces:
        lead = r"[^ ]+ " * (field - 1)
        escaped = shown.replace("[", r"\[").replace("]", r"\]").replace(".", r"\.")
        ways.append(
            one_act(
                state,
                output,
                "grep",
                ("grep",),
                f"grep -E '^{lead}{escaped} ' {source} > {target}",
                f"Anchored at the start, the pattern looks at the {part} only and not at the message.",
                f"I pin the pattern to field {field}, counted from the start of the line.",
                f"A pattern from the beginning of the line keeps messages that mention `{value}` out.",
            )
        )
    return tuple(ways)


def _as_log(written: Written, path: str, records: tuple[LogRecord, ...]) -> Written:
    focus = Artefact(path, "log-excerpt", Log(records))
    return replace(written, state=replace(written.state, focus=focus))


SKILLS = (
    PackSkill(
        "log-filter-level", "logs", "Keep the log records of one level.", ("log-file",), "log-excerpt", filter_level
    ),
    PackSkill(
        "log-filter-source", "logs", "Keep the log records of one source.", ("log-file",), "log-excerpt", filter_source
    ),
)
