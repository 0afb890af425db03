"""A trajectory, or its task, as lines that a person reads in a terminal.

Only bold, reverse and one red are used, so that it reads the same on light and dark backgrounds, and as plain text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from trajmill.flows.visible import cut_lines, folded, lines_of, visible, wrapped
from trajmill.schemas.exact import read_exact, write_exact
from trajmill.schemas.ids import Json
from trajmill.schemas.row import task_from_row, trajectory_from_row
from trajmill.schemas.task import Task
from trajmill.schemas.tree import FileEntry, LinkEntry, Tree

PROSE = 100
"""Most columns of prose, however wide the terminal is."""
FILES = 20
HEAD, TAIL, LENGTH = 10, 4, 400
"""What is shown of an observation: lines from its start and its end, and characters of one line."""
COMMAND = 40
"""Lines shown of one command."""
LABEL = 12
STEP = 12

HEADING = "bold"
MASKED = "reverse"
FAILED = "bold red"


def trajectory_lines(
    row: Mapping[str, Json], task: Task | None, *, place: int, total: int, width: int | None, full: bool = False
) -> Iterator[Text]:
    """The whole trajectory: what it is, the workspace, each step, the verdict. ``width`` None wraps nothing."""
    yield Text(visible(f"{row['id']}  (row {place} of {total})"), HEADING)
    yield from _facts(
        {
            "task": f"{row['task_id']}",
            "policy": f"{row['policy']}{f' ({model})' if (model := row['model']) else ''}, attempt {row['attempt']}",
            **_axis_facts(row),
        },
        width,
    )
    yield from _heading("Instruction")
    yield from _prose(row["instruction"], width)
    if task is not None:
        yield from _workspace(task, width)
    masked = f", {row['masked_turns']} not trained on" if row["masked_turns"] else ""
    yield from _heading(f"Steps ({row['turns']} turns, {row['chars']:,} characters{masked})")
    for step in trajectory_from_row(row)["steps"]:
        yield from _step(step, row["instruction"], width, full)
    yield from _verdict(row, width)


def task_lines(row: Mapping[str, Json], *, width: int | None, full: bool = False) -> Iterator[Text]:
    """A task with its reference solution and its checks."""
    task = task_from_row(row)
    yield Text(visible(task.id), HEADING)
    tools = ", ".join(f"{tool.name}" for tool in task.environment.toolchain) or "none named"
    scenarios = " -> ".join(task.lineage.path.scenarios)
    yield from _facts({**_axis_facts(row), "scenarios": scenarios, "tools": tools}, width)
    yield from _heading("Instruction")
    yield from _prose(task.instruction, width)
    yield from _workspace(task, width)
    yield from _heading("Reference solution")
    for number, step in enumerate(task.oracle, 1):
        yield from _hang(f"{number:>3}  ", wrapped(step.purpose, _less(width, 5)), HEADING)
        yield from _command(step.script, 5, width, full)
    yield from _heading(f"Checks ({task.verifier.mode} sandbox, {task.verifier.timeout_s:g} s)")
    for check in task.verifier.checks:
        name = f"{check.name}  [{check.kind}, reads {check.evidence}, weight {check.weight:g}]"
        yield from _hang("  - ", wrapped(name, _less(width, 4)))
        shown = cut_lines([write_exact(dict(check.params))], 1, 0, 10**9 if full else LENGTH)
        yield from (Text(f"    {line}") for text in shown for line in folded(visible(text), _less(width, 4)))


def _axis_facts(row: Mapping[str, Json]) -> dict[str, str]:
    persona = f"; persona {row['persona']}" if row["persona"] else ""
    extra = "no" if row["distractors"] == 0 else row["distractors"]
    files = "file" if row["distractors"] == 1 else "files"
    return {
        "domain": f"{row['domain']}, path of {row['path_length']} {'skill' if row['path_length'] == 1 else 'skills'}",
        "skills": " -> ".join(row["skills"]),
        "asked for": f"{row['explicitness']}; {row['strictness']} compared; {extra} distractor {files}{persona}",
        "sources": "; ".join(_source(source) for source in row["sources"]) or "none",
    }


def _source(source: Mapping[str, Json]) -> str:
    excerpt = f", {source['excerpt']}" if source["excerpt"] else ""
    return f"{source['name']} ({source['origin']}{excerpt}; licence: {source['licence']})"


def _facts(facts: Mapping[str, str], width: int | None) -> Iterator[Text]:
    for name, value in facts.items():
        yield from _hang(f"{name:<{LABEL}}", wrapped(value, _less(width, LABEL)))


def _heading(words: str) -> Iterator[Text]:
    yield Text()
    yield Text(visible(words), HEADING)


def _prose(text: str, width: int | None) -> Iterator[Text]:
    yield from (Text(f"  {line}") for line in wrapped(text, _less(width, 2)))


def _workspace(task: Task, width: int | None) -> Iterator[Text]:
    files: Tree = task.environment.files
    yield from _heading(f"Workspace ({len(files)} {'entry' if len(files) == 1 else 'entries'})")
    hidden = len(files) - FILES if len(files) > FILES + 1 else 0
    for path in list(files)[: len(files) - hidden]:
        yield from _hang(f"{_size(files, path):>12}  ", folded(_entry(files, path), _less(width, 14)))
    if hidden:
        yield Text(f"  [... {hidden} entries not shown ...]")
    for script in task.environment.setup:
        yield Text("  made ready by:")
        yield from _command(script, 4, width, full=False)


def _size(files: Tree, path: str) -> str:
    entry = files.get(path)
    if isinstance(entry, FileEntry):
        return f"{len(entry.data):,} B"
    return "link" if isinstance(entry, LinkEntry) else "folder"


def _entry(files: Tree, path: str) -> str:
    entry = files.get(path)
    return visible(f"{path} -> {entry.target}" if isinstance(entry, LinkEntry) else path).replace("\n", "\\n")


def _step(step: Mapping[str, Json], instruction: str, width: int | None, full: bool) -> Iterator[Text]:
    own = step.get("extra", {}).get("trajmill", {})
    label, masked = own.get("role") or step["source"], own.get("loss_weight", 1) == 0
    message = step["message"] if isinstance(step["message"], str) else write_exact(step["message"])
    if step["source"] == "system" and not full:
        message = f"[{len(message)} characters of system prompt; --full shows them]"
    if step["source"] == "user" and message == instruction:
        message = "[the instruction]"
    head = visible(f"{step['step_id']:>3}  {label:<6} ")
    said = wrapped(message, _less(width, STEP))
    if "reasoning_content" in step:
        said = [*(f"~ {line}" for line in wrapped(step["reasoning_content"], _less(width, STEP + 2))), *said]
    if masked:
        yield Text.assemble((head, HEADING), ("not trained on (loss weight 0)", MASKED))
        head = " " * STEP
    calls: Sequence[Mapping[str, Json]] = step.get("tool_calls", ())
    if said or not calls:
        yield from _hang(head, said or [""], HEADING)
        head = " " * STEP
    for call in calls:
        yield from _call(head, call, width, full)
        head = " " * STEP
    for result in step.get("observation", {}).get("results", ()):
        yield from _observation(result.get("content", ""), width, full)


def _call(head: str, call: Mapping[str, Json], width: int | None, full: bool) -> Iterator[Text]:
    name, arguments = call["function_name"], call["arguments"]
    if name == "terminal" and isinstance(arguments.get("command"), str):
        yield from _command(arguments["command"], STEP, width, full)
    elif name == "finish" and isinstance(arguments.get("message"), str):
        yield from _hang(head, wrapped(arguments["message"], _less(width, STEP)) or ["[no summary]"], HEADING)
    else:
        said = f"{name} {write_exact(arguments, sort=False)}"
        yield from _hang(head, folded(visible(said), _less(width, STEP)), HEADING)


def _command(script: str, indent: int, width: int | None, full: bool) -> Iterator[Text]:
    lines = lines_of(script) or [""]
    room = None if width is None else width - indent - 2
    for number, line in enumerate(lines if full else cut_lines(lines, COMMAND - 5, 5, 10**6)):
        for part, piece in enumerate(folded(line, room, at_spaces=True)):
            mark = "$ " if number == 0 and part == 0 else "  "
            yield Text(f"{' ' * indent}{mark}{piece.rstrip()}", HEADING)


def _observation(content: Json, width: int | None, full: bool) -> Iterator[Text]:
    text = content if isinstance(content, str) else write_exact(content)
    lines = lines_of(text)
    room = None if width is None else width - STEP - 2
    for line in lines if full else cut_lines(lines, HEAD, TAIL, LENGTH):
        for number, piece in enumerate(folded(line, room)):
            yield Text(f"{' ' * STEP}{'| ' if number == 0 else '  '}{piece}")


def _verdict(row: Mapping[str, Json], width: int | None) -> Iterator[Text]:
    if row["verdict"] != "scored":
        yield from _heading(f"Verdict: {row['verdict']}")
        yield from _prose(f"{row['cause']} {row['verdict_detail']}".strip() or "no cause given", width)
        return
    outcome = "passed" if row["passed"] else "failed"
    yield from _heading(f"Verdict: {outcome} (reward {row['reward']:g}, share of checks {row['partial']:g})")
    for check in row["checks"]:
        detail = f": {check['detail']}" if check["detail"] else ""
        style = "" if check["passed"] else FAILED
        lines = wrapped(f"{check['name']}{detail}  [{check['kind']}]", _less(width, 8))
        yield from _hang("  pass  " if check["passed"] else "  FAIL  ", lines, style)


def _hang(head: str, lines: Sequence[str], style: str = "") -> Iterator[Text]:
    """Lines of which the first stands behind the head and the others below it."""
    for number, line in enumerate(lines):
        yield Text.assemble((head if number == 0 else " " * len(head), style), line)


def _less(width: int | None, indent: int) -> int | None:
    return None if width is None else max(20, min(width, PROSE + indent) - indent)


def row_json(row: Mapping[str, Json]) -> dict[str, Json]:
    """The columns of a trajectory with its exact ATIF document in place of the columns that hold it."""
    parts = {"steps", "tools", "agent_extra", "extra", "other", "session_id", "atif_version"}
    return {**{key: value for key, value in row.items() if key not in parts}, "document": trajectory_from_row(row)}


def task_json(row: Mapping[str, Json]) -> dict[str, Json]:
    """The columns of a task with what is JSON text in them parsed."""
    checks = [{**check, "params": read_exact(check["params"])} for check in row["checks"]]
    parsed = {key: read_exact(row[key]) for key in ("environment", "versions")}
    return {**row, **parsed, "checks": checks}
