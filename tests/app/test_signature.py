"""What searches find is the same everywhere: one number says so."""

from __future__ import annotations

import sys

import pytest

from zerosum.app.bench import signature
from zerosum.cli.main import run


def bench(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(sys, "argv", ["zerosum", "bench", "signature", "--json"])
    with pytest.raises(SystemExit) as ended:
        run()
    return ended.value.code


def test_searches_find_what_they_find_on_every_machine(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(monkeypatch) == 0
    assert capsys.readouterr().out == f'{{"signature": "{signature.SIGNATURE}"}}\n'


def test_one_visit_more_is_another_signature_and_a_complaint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(signature, "COUNTED", ())
    monkeypatch.setattr(signature, "SOLVED", ())
    monkeypatch.setattr(signature, "THOUGHT", (("tictactoe", 0, "mcts:100"),))
    found = signature.signature()
    assert found == signature.signature()
    monkeypatch.setattr(signature, "SIGNATURE", found)
    assert bench(monkeypatch) == 0
    monkeypatch.setattr(signature, "THOUGHT", (("tictactoe", 0, "mcts:101"),))
    assert bench(monkeypatch) == 2
    assert f"which should be {found}" in capsys.readouterr().err
