"""Records as rows of a dataset's tables, and the exact records back from the rows.

A row is a plain dictionary that ``schemas.table.to_table`` takes; its columns are described one by one in
``contracts/dataset-*-row.schema.json``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trajmill.schemas.codec import from_json, to_json
from trajmill.schemas.exact import read_exact, write_exact
from trajmill.schemas.formats.atif import check_atif, loss_weight
from trajmill.schemas.ids import SHOWN_DIGITS, Json, content_id, digest_bytes
from trajmill.schemas.row_steps import Row, present, step_from_row, step_row, text_of, value_of
from trajmill.schemas.task import Check, Task
from trajmill.schemas.verdict import Drop, Verdict

_OTHER = ("trajectory_id", "notes", "final_metrics", "continued_trajectory_ref", "subagent_trajectories")
"""Rare top-level fields of ATIF, kept together in the column ``other``."""


def task_row(task: Task) -> Row:
    """The row of a sealed task. What is private to it is left out."""
    lineage = task.lineage
    return {
        "id": task.id,
        "instruction": task.instruction,
        **_axes(task),
        "scenarios": list(lineage.path.scenarios),
        "graph": lineage.path.graph,
        "path_index": lineage.path.index,
        "path_seed": lineage.path.seed,
        "seed": lineage.seed,
        "generator": lineage.generator,
        "parent": lineage.parent,
        "versions": write_exact(dict(lineage.versions)),
        "environment": write_exact(to_json(task.environment)),
        "oracle": [to_json(step) for step in task.oracle],
        "verifier_mode": task.verifier.mode,
        "verifier_timeout_s": float(task.verifier.timeout_s),
        "checks": [_check_row(check) for check in task.verifier.checks],
        "schema_version": task.schema_version,
    }


def task_from_row(row: Mapping[str, Json]) -> Task:
    """The task that a row holds, with nothing private; its id is the row's, not computed anew."""
    verifier = {
        "checks": [{**check, "params": read_exact(check["params"])} for check in row["checks"]],
        "mode": row["verifier_mode"],
        "timeout_s": row["verifier_timeout_s"],
    }
    return from_json(
        Task,
        {
            "id": row["id"],
            "instruction": row["instruction"],
            "environment": read_exact(row["environment"]),
            "oracle": row["oracle"],
            "verifier": verifier,
            "axes": {name: row[name] for name in _AXIS_NAMES},
            "lineage": {
                "path": {
                    "graph": row["graph"],
                    "index": row["path_index"],
                    "seed": row["path_seed"],
                    "scenarios": row["scenarios"],
                    "skills": row["skills"],
                },
                "seed": row["seed"],
                "sources": row["sources"],
                "generator": row["generator"],
                "versions": read_exact(row["versions"]),
                "parent": row["parent"],
            },
            "schema_version": row["schema_version"],
        },
    )


def trajectory_row(
    document: Json, *, task: Task, verdict: Verdict, unit_id: str, attempt: int, checked: bool = False
) -> Row:
    """The row of a rollout's ATIF document. Raises ContractError for a document that breaks the contract.

    ``checked`` says that it was held against the contract already, as every document in the run store was.
    """
    if not checked:
        check_atif(document)
    agent, steps = document["agent"], document["steps"]
    turns = [step for step in steps if step["source"] == "agent"]
    return {
        "id": f"traj-{_hash([unit_id, document])[:SHOWN_DIGITS]}",
        "task_id": task.id,
        "unit_id": unit_id,
        "policy": agent["name"],
        "policy_version": agent["version"],
        "model": agent.get("model_name"),
        "attempt": attempt,
        **_verdict_columns(verdict),
        "instruction": task.instruction,
        **_axes(task),
        "turns": len(turns),
        "calls": sum(len(step.get("tool_calls", ())) for step in turns),
        "masked_turns": sum(1 for step in turns if loss_weight(step) == 0),
        "chars": sum(len(text) for step in steps for text in _texts(step)),
        "prompt_tokens": _tokens(turns, "prompt_tokens"),
        "completion_tokens": _tokens(turns, "completion_tokens"),
        "body_hash": body_hash(document),
        "steps": [step_row(step) for step in steps],
        "tools": text_of(agent.get("tool_definitions")),
        "session_id": document.get("session_id"),
        "agent_extra": text_of(agent.get("extra")),
        "extra": text_of(document.get("extra")),
        "other": text_of({key: document[key] for key in _OTHER if key in document} or None),
        "atif_version": document["schema_version"],
    }


def trajectory_from_row(row: Mapping[str, Json]) -> dict[str, Json]:
    """The exact ATIF document that the row was made from."""
    agent = {
        "name": row["policy"],
        "version": row["policy_version"],
        "model_name": row["model"],
        "tool_definitions": value_of(row["tools"]),
        "extra": value_of(row["agent_extra"]),
    }
    return present(
        {
            "schema_version": row["atif_version"],
            "session_id": row["session_id"],
            "agent": present(agent),
            "steps": [step_from_row(step) for step in row["steps"]],
            "extra": value_of(row["extra"]),
            **(value_of(row["other"]) or {}),
        }
    )


def drop_row(drop: Drop) -> Row:
    """The row of a record that was left out."""
    return {
        "id": content_id("drop", to_json(drop)),
        "stage": drop.stage,
        "subject": drop.subject,
        "reason": drop.reason,
        "detail": drop.detail,
        "extra": write_exact(dict(drop.extra)),
    }


def drop_from_row(row: Mapping[str, Json]) -> Drop:
    """The drop that a row holds."""
    columns = {key: value for key, value in row.items() if key != "id"}
    return from_json(Drop, {**columns, "extra": read_exact(row["extra"])})


def body_hash(document: Json) -> str:
    """SHA-256 of what a model would learn from: sources, texts, calls and results, without ids, weights and labels."""
    return _hash([_body(step) for step in document["steps"]])


_AXIS_NAMES = (
    "domain",
    "skills",
    "path_length",
    "explicitness",
    "strictness",
    "distractors",
    "persona",
    "task_type",
    "expectation",
    "verifier_kinds",
)


def _axes(task: Task) -> Row:
    axes = to_json(task.axes)
    sources = task.lineage.sources
    return {
        **{name: axes[name] for name in _AXIS_NAMES},
        "path_id": task.lineage.path.id,
        "sources": [to_json(source) for source in sources],
        "licences": sorted({source.licence for source in sources}),
        "toolchain_id": content_id("tools", to_json(task.environment.toolchain)),
    }


def _check_row(check: Check) -> Row:
    return {**to_json(check), "params": write_exact(dict(check.params))}


def _verdict_columns(verdict: Verdict) -> Row:
    return {
        "verdict": verdict.kind,
        "reward": verdict.reward,
        "partial": verdict.partial,
        "passed": verdict.passed,
        "cause": verdict.cause,
        "verdict_detail": verdict.detail,
        "checks": [to_json(check) for check in verdict.checks],
    }


def _texts(step: Json) -> Iterator[str]:
    """What a step says, in reading order; content parts and arguments as JSON text."""
    yield _plain(step["message"])
    yield step.get("reasoning_content", "")
    for call in step.get("tool_calls", ()):
        yield call["function_name"]
        yield write_exact(call["arguments"])
    for result in step.get("observation", {}).get("results", ()):
        yield _plain(result.get("content", ""))


def _body(step: Json) -> Json:
    calls = [[call["function_name"], call["arguments"]] for call in step.get("tool_calls", ())]
    results = [result.get("content", "") for result in step.get("observation", {}).get("results", ())]
    return [step["source"], step["message"], step.get("reasoning_content", ""), calls, results]


def _plain(content: Json) -> str:
    return content if isinstance(content, str) else write_exact(content)


def _tokens(turns: list[Json], name: str) -> int | None:
    """Sum over the turns that were made here: copied context was paid for and counted where it was made."""
    counts = [step["metrics"][name] for step in turns if name in step.get("metrics", {})]
    own = [step["metrics"][name] for step in turns if name in step.get("metrics", {}) and not _is_copied(step)]
    return sum(own) if counts else None


def _is_copied(step: Json) -> bool:
    return bool(step.get("is_copied_context", False))


def _hash(value: Json) -> str:
    return digest_bytes(write_exact(value).encode("utf-8"))
