from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from trajmill.schemas.codec import from_json, to_json
from trajmill.schemas.errors import ContractError
from trajmill.schemas.graph import Skill
from trajmill.schemas.ids import Json
from trajmill.schemas.task import Task
from trajmill.schemas.validate import CONTRACTS, contract, validate


@pytest.mark.parametrize("name", CONTRACTS)
def test_every_contract_is_a_sound_schema(name: str) -> None:
    schema = contract(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:trajmill:{name}:1"


def test_every_file_in_the_folder_is_a_contract() -> None:
    files = resources.files("trajmill.schemas.contracts").iterdir()
    names = {file.name for file in files if file.name.endswith(".json")}
    assert names == {f"{name}.schema.json" for name in CONTRACTS}


def test_a_contract_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ContractError, match="There is no contract 'taks'"):
        contract("taks")


def test_a_task_keeps_its_contract(small_task: Task, linked_task: Task) -> None:
    for task in (small_task, linked_task):
        document = to_json(task)
        validate(document, "task")
        assert from_json(Task, document) == task


def _without(key: str) -> Callable[[Json], object]:
    return lambda document: document.pop(key)


@pytest.mark.parametrize(
    ("spoil", "path"),
    [
        (_without("oracle"), r"\$ breaks the contract task: 'oracle' is a required property"),
        (lambda document: document.update(reward=1), r"\$ breaks the contract task: Additional properties"),
        (lambda document: document["environment"].update(workdir="here"), r"\$\.environment\.workdir breaks"),
        (lambda document: document["verifier"]["checks"][0].pop("kind"), r"\$\.verifier\.checks\[0\] breaks"),
        (lambda document: document["environment"]["files"].update({"../up": {"text": ""}}), r"\$\.environment\.files"),
        (lambda document: document.update(id="task-1"), r"\$\.id breaks the contract task"),
    ],
)
def test_a_broken_task_is_refused_by_its_place(small_task: Task, spoil: Callable[[Json], Any], path: str) -> None:
    document = to_json(small_task)
    spoil(document)
    with pytest.raises(ContractError, match=path):
        validate(document, "task")


def test_a_skill_keeps_its_contract() -> None:
    skill = Skill("count-rows", "csv", "Count the rows of a table.", (("csv", "count"),))
    validate(to_json(skill), "skill")
    with pytest.raises(ContractError, match=r"\$\.transitions"):
        validate({**to_json(skill), "transitions": []}, "skill")
