"""What is wrong with a configuration, in one sentence: faults against the contract first, then contradictions."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema.exceptions import ValidationError, relevance

from trajmill.schemas.ids import Json
from trajmill.schemas.validate import faults

_KINDS = {
    "object": "a table",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault and what to do about it."""

    sentence: str
    remedy: str = ""


def first_fault(table: Json) -> Fault | None:
    """The first fault of a parsed configuration, or None if it can be built."""
    endless = next(_not_finite(table, ()), None)
    if endless is not None:
        return endless
    found = sorted(faults(table, "build-configuration"), key=_order)
    if found:
        return _told(found[0])
    return next(_contradictions(table), None)


def _not_finite(value: Json, place: tuple[str | int, ...]) -> Iterator[Fault]:
    """TOML knows nan and inf; no key of ours does, and a comparison lets nan through."""
    if isinstance(value, float) and not math.isfinite(value):
        yield Fault(f"{_key(place)} is {value}, but must be an ordinary number.")
    elif isinstance(value, dict | list):
        for part, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _not_finite(item, (*place, part))


def _order(fault: ValidationError) -> tuple[bool, Any]:
    """Unknown keys first: a misspelt key often causes the other faults, such as a missing one."""
    return (fault.validator != "additionalProperties", relevance(fault))


def _told(fault: ValidationError) -> Fault:
    key = _key(fault.absolute_path)
    rule: Json = fault.validator_value
    match fault.validator:
        case "additionalProperties":
            return _unknown(fault)
        case "required":
            given: Json = fault.instance
            missing = next(name for name in rule if name not in given)
            return Fault(f"{_joined(key, missing)} is missing.", "Add it.")
        case "type":
            return Fault(f"{key} must be {_KINDS[rule]}, not {_shown(fault.instance)}.")
        case "enum":
            return _not_offered(key, fault.instance, rule)
        case "minimum":
            return Fault(f"{key} is {_shown(fault.instance)}, but must be at least {rule}.")
        case "exclusiveMinimum":
            return Fault(f"{key} is {_shown(fault.instance)}, but must be above {rule}.")
        case "maximum":
            return Fault(f"{key} is {_shown(fault.instance)}, but must be at most {rule}.")
        case "minItems" | "maxItems":
            return _wrong_count(key, fault)
        case "uniqueItems":
            return Fault(f"{key} names something twice.", "Name each once.")
        case "minLength":
            return Fault(f"{key} is empty.", "Name something, or leave the key out.")
        case "pattern":
            return _bad_text(key, fault)
        case _:
            return Fault(f"{key} is not acceptable: {fault.message}.")


def _unknown(fault: ValidationError) -> Fault:
    schema: Json = fault.schema
    table: Json = fault.instance
    known = sorted(schema["properties"])
    unknown = next(name for name in table if name not in known)
    path = _joined(_key(fault.absolute_path), unknown)
    near = difflib.get_close_matches(unknown, known, n=1, cutoff=0.5)
    remedy = f"Did you mean {near[0]}?" if near else f"Known here are {', '.join(known)}."
    return Fault(f"{path} is not a known key.", remedy)


def _not_offered(key: str, value: Json, options: Sequence[str]) -> Fault:
    offered = " or ".join(f'"{option}"' for option in options)
    near = difflib.get_close_matches(str(value), options, n=1)
    remedy = f'Did you mean "{near[0]}"?' if near and len(options) > 1 else ""
    return Fault(f"{key} is {_shown(value)}, but must be {offered}.", remedy)


def _wrong_count(key: str, fault: ValidationError) -> Fault:
    schema: Json = fault.schema
    if schema.get("maxItems") == 2:
        return Fault(
            f"{key} must be a pair of numbers, not {_shown(fault.instance)}.", f"Write {key.split('.')[-1]} = [1, 3]."
        )
    return Fault(f"{key} is empty.", "Name at least one.")


def _bad_text(key: str, fault: ValidationError) -> Fault:
    value = _shown(fault.instance)
    if "propertyNames" in fault.absolute_schema_path:
        return Fault(f"{key} has the key {value}, but its keys are lengths from 1 to 7.")
    if str(fault.validator_value).startswith("^[a-z0-9]"):
        return Fault(
            f"{key} is {value}, but must be made of lower-case letters, digits and hyphens, at most 64.",
            'Write a name such as "my-dataset".',
        )
    return Fault(f"{key} is {value}, which holds control characters.")


def _contradictions(table: Json) -> Iterator[Fault]:
    sample, task, rollout = (table.get(name, {}) for name in ("sample", "task", "rollout"))
    low, high = sample.get("length", (1, 5))
    yield from _reversed("sample.length", low, high)
    yield from _reversed("task.distractors", *task.get("distractors", (0, 0)))
    yield from _mix("sample.lengths", sample.get("lengths", {}))
    yield from _mix("sample.domain_weights", sample.get("domain_weights", {}))
    for length in sample.get("lengths", {}):
        if not low <= int(length) <= high:
            yield Fault(f"sample.lengths names the length {length}, but sample.length allows {low} to {high} only.")
    domains = sample.get("domains", [])
    for name in sample.get("domain_weights", {}):
        if domains and name not in domains:
            yield Fault(f'sample.domain_weights names "{name}", which sample.domains leaves out.')
    must_use = sample.get("must_use", [])
    for name in must_use:
        if name in sample.get("must_avoid", []):
            yield Fault(f'"{name}" stands in both sample.must_use and sample.must_avoid.', "Take it out of one.")
    if len(must_use) > high:
        yield Fault(
            f"sample.must_use names {len(must_use)} skills, but a path holds at most {high}.", "Raise sample.length."
        )
    names = [policy["name"] for policy in rollout.get("policies", [])]
    for name in names:
        if names.count(name) > 1:
            yield Fault(f'rollout.policies names "{name}" twice.', "Give it once, with more attempts.")


def _reversed(key: str, low: int, high: int) -> Iterator[Fault]:
    if low > high:
        yield Fault(f"{key} is [{low}, {high}], but the first number must not be above the second.")


def _mix(key: str, weights: Json) -> Iterator[Fault]:
    if weights and not sum(weights.values()) > 0:
        yield Fault(f"{key} has no weight above 0.", "Give at least one, or leave the table out.")


def _key(parts: Sequence[str | int]) -> str:
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else (f".{part}" if text else part)
    return text


def _joined(parent: str, name: str) -> str:
    return f"{parent}.{name}" if parent else name


def _shown(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value if len(value) <= 60 else f"{value[:57]}...", ensure_ascii=False)
    if isinstance(value, dict):
        return "a table"
    return str(value) if len(str(value)) <= 60 else "a longer list"
