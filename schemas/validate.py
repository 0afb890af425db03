"""Published contracts, and the check of a document against one."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from importlib import resources

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.protocols import Validator

from trajmill.schemas.errors import ContractError
from trajmill.schemas.ids import Json

CONTRACTS = (
    "adp-atif",
    "build-configuration",
    "dataset-drop-row",
    "dataset-task-row",
    "dataset-trajectory-row",
    "skill",
    "skill-graph",
    "task",
)
"""Names of the published contracts; ``schemas/contracts/NAME.schema.json``."""


@functools.cache
def contract(name: str) -> Json:
    """The JSON Schema of that name, to be read only. Raises ContractError for a name that is not in ``CONTRACTS``."""
    if name not in CONTRACTS:
        raise ContractError(f"There is no contract {name!r}.", remedy=f"Known are {', '.join(CONTRACTS)}.")
    file = resources.files("trajmill.schemas.contracts") / f"{name}.schema.json"
    return json.loads(file.read_text(encoding="utf-8"))


def validate(document: Json, contract_name: str) -> None:
    """Check a document against a contract. Raises ContractError that names the JSON path of the first fault."""
    fault = best_match(faults(document, contract_name))
    if fault is not None:
        raise ContractError(f"{json_path(fault.absolute_path)} breaks the contract {contract_name}: {_told(fault)}.")


def faults(document: Json, contract_name: str) -> Iterator[ValidationError]:
    """Every fault that the contract finds, for callers that tell them in their own words."""
    yield from _validator(contract_name).iter_errors(document)


def json_path(parts: Sequence[str | int]) -> str:
    """A place in a document as people write it: ``$.steps[1].message``."""
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)


@functools.cache
def _validator(contract_name: str) -> Validator:
    schema = contract(contract_name)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def _told(fault: ValidationError) -> str:
    schema: Json = fault.schema
    if fault.validator == "not" and "description" in schema:
        return str(schema["description"])
    message = fault.message if len(fault.message) <= 300 else f"{fault.message[:200]} ... {fault.message[-80:]}"
    return message.rstrip(".")
