"""Run a command as a user does, and keep what it printed; objects are held against the schema."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from zerosum.cli.main import run

SCHEMA = Path(__file__).parents[2] / "docs" / "json-schema.json"
FORMS_OF_RUNS = ("show", "compare", "delete", "export")


@cache
def validator_of(name: str) -> Any:
    schema = json.loads(SCHEMA.read_text())
    return Draft202012Validator({"$defs": schema["$defs"], **schema["properties"][name]})


def schema_name(words: tuple[str, ...]) -> str:
    """Which of the schema's objects a command prints."""
    command = words[0]
    if command == "runs" and len(words) > 1 and words[1] in FORMS_OF_RUNS:
        return f"runs {words[1]}"
    if command == "train" and ("--show" in words or "?" in words):
        return "train --show"
    if command == "train" and ("--seeds" in words or "--grid" in words):
        return "train --seeds"
    return command


class Outcome:
    def __init__(self, code: int, out: str, err: str, words: tuple[str, ...] = ()) -> None:
        self.code = code
        self.out = out
        self.err = err
        self.words = words

    @property
    def data(self) -> dict[str, Any]:
        """The one object on standard output, as the schema has it; anything else there fails."""
        assert self.code == 0, self.err
        data: dict[str, Any] = json.loads(self.out)
        for wrong in validator_of(schema_name(self.words)).iter_errors(data):
            pytest.fail(f"{' '.join(self.words)}: {wrong.json_path}: {wrong.message[:300]}")
        return data


@pytest.fixture
def zerosum(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COLUMNS", "200")

    def call(*words: str, stdin: str = "") -> Outcome:
        monkeypatch.setattr("sys.argv", ["zerosum", *words])
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as stopped:
            run()
        captured = capsys.readouterr()
        code = stopped.value.code
        return Outcome(code if isinstance(code, int) else 0, captured.out, captured.err, words)

    return call
