"""Run a command as a user does, and keep what it printed."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from zerosum.cli.main import run


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def data(self) -> dict[str, Any]:
        """The one object on standard output; anything else there fails."""
        assert self.code == 0, self.err
        data: dict[str, Any] = json.loads(self.out)
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
        return Outcome(code if isinstance(code, int) else 0, captured.out, captured.err)

    return call
