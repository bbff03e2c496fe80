"""The page of JSON objects: it is made from the schema, which knows every command and can fail."""

from __future__ import annotations

import importlib.util
import inspect
import json
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.cli.conftest import SCHEMA, validator_of
from zerosum.cli.main import app

# Each prints one object that its fields tell by themselves; the fixture holds those of all other tests, too.
QUICK = {
    "games": [],
    "players": [],
    "draw": ["tictactoe", "--position", "X.O ... ..."],
    "solve": ["tictactoe", "--position", "XO. .X. ..O"],
    "perft": ["tictactoe", "--depth", "2"],
    "explain": ["tictactoe", "--player", "minimax:1"],
    "levels": ["tictactoe"],
    "runs": [],
    "match": ["tictactoe", "random", "random", "--games", "2"],
    "tournament": ["tictactoe", "random", "greedy", "--games", "2"],
}


@pytest.mark.parametrize("command", QUICK)
def test_what_a_command_prints_fits_the_schema(
    command: str, zerosum: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert zerosum(command, *QUICK[command], "--json").data


def test_every_command_that_has_json_is_in_the_schema() -> None:
    named = {name.partition(" ")[0] for name in json.loads(SCHEMA.read_text())["properties"]}
    functions = [command.callback for command in app.registered_commands]
    told = {
        function.__name__.replace("_", "-")
        for function in functions
        if function is not None and "json" in inspect.signature(function).parameters
    }
    assert named == told


def test_the_schema_is_one_and_refuses_what_does_not_fit() -> None:
    Draft202012Validator.check_schema(json.loads(SCHEMA.read_text()))
    good = {"game": "tictactoe", "moves": "", "position": "", "board": "", "svg": ""}
    assert not list(validator_of("draw").iter_errors(good))
    assert list(validator_of("draw").iter_errors({**good, "more": 1}))
    assert list(validator_of("draw").iter_errors({**good, "svg": None}))
    assert list(validator_of("draw").iter_errors({}))


def page_maker() -> ModuleType:
    found = importlib.util.spec_from_file_location("make_json_page", SCHEMA.parent / "make_json_page.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_page_is_made_from_the_schema() -> None:
    made = page_maker().page_of(json.loads(SCHEMA.read_text()))
    assert (SCHEMA.parent / "json.md").read_text() == made
