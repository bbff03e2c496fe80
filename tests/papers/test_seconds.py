"""Seconds a move: what is timed is thinking, not remembering."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zerosum.learn.settings.base import read_settings
from zerosum.papers.kinds.playing import seconds
from zerosum.papers.lab import Lab
from zerosum.papers.paper import Entry, Paper
from zerosum.search.tree.models.positions import PositionModel


def test_every_move_asks_the_network_as_often_as_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []  # of the network, move by move
    ask, begin = PositionModel.ask, PositionModel.begin

    def counted(model: PositionModel, network: Any, rows: int) -> None:
        asked[-1] += rows
        ask(model, network, rows)

    def begun(model: PositionModel, *what: Any) -> None:
        asked.append(0)
        begin(model, *what)

    monkeypatch.setattr(PositionModel, "ask", counted)
    monkeypatch.setattr(PositionModel, "begin", begun)
    options = {"on": "brick:D4", "rows": [["alphazero:20", 1.0]], "moves": 3}
    words = dict.fromkeys(("title", "page", "says"), "-")
    entry = read_settings(Entry, words | {"kind": "seconds", "minutes": 1, "options": options})
    paper = read_settings(Paper, {"title": "t", "authors": "a", "about": "b"})
    lab = Lab(paper, Path(), lambda *_: None, lambda *_: None)
    (row,) = seconds.run(entry, lab).rows
    assert row.method is not None
    assert len(asked) == 4  # one that loads, and those that are timed
    assert len(set(asked)) == 1
    assert asked[0] > 1
