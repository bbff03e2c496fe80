"""Entries that ask the solver: lines that are won, and moves that keep a result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zerosum.arena.match import match_fixtures
from zerosum.arena.records.record import GameRecord, replay
from zerosum.arena.workers import play_fixtures
from zerosum.core.outcome import FIRST, SECOND
from zerosum.core.running.watch import Watch
from zerosum.games import make_game
from zerosum.learn.settings.base import read_settings
from zerosum.papers import lab as lab_module
from zerosum.papers.kinds.exact import winning_line
from zerosum.papers.kinds.exact.kept_results import won_position
from zerosum.papers.lab import Lab
from zerosum.papers.paper import Paper, read_paper
from zerosum.search.enumerate.solved import solve_moves
from zerosum.search.exact.best_play import best_play


def silent(*_: Any) -> None:
    pass


def random_games(spec: str, count: int) -> list[GameRecord]:
    records: list[GameRecord] = []
    play_fixtures(
        make_game(spec), ["random", "random"], match_fixtures((FIRST, SECOND), count, 0), records.append, 1
    )
    return records


def test_moves_in_won_positions_are_judged_as_solving_every_move_judges_them() -> None:
    game = make_game("brick:4x4x3:B2")
    asked = 0
    for record in random_games(game.spec, 8):
        question = won_position(record, game)
        if question is None:
            continue
        (state,) = (s for s in replay(record, game) if (s.position == question.view.position).all())
        solved = solve_moves(state)
        assert solved.value == 1
        assert {action for action in state.legal_actions() if question.keeps(action)} == solved.best
        asked += 1
    assert asked > 2


def test_a_position_that_is_not_won_is_not_asked_about() -> None:
    game = make_game("brick:4x4x4:B2")  # where the second player wins
    (record,) = random_games(game.spec, 1)
    question = won_position(record, game)
    assert question is None or question.view.mover == SECOND


def test_the_appendix_is_proven_and_drawn_move_by_move() -> None:
    paper = read_paper("brick")
    found = winning_line.run(paper.entries["appendix-a"], Lab(paper, Path(), silent, silent, quick=True))
    assert [row.verdict for row in found.rows if row.paper] == ["reproduced", "reproduced"]
    (picture,) = found.pictures
    steps = best_play(make_game("brick:D4").new(), Watch())
    assert picture["text"].count("role=") == len(steps)
    assert picture["text"].count(">!<") == sum(len(step.threats) for step in steps)


def test_who_is_to_play_as_many_games_as_another_makes_as_many_iterations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = {
        "slow": {"game": "tictactoe"},
        "quick": {"game": "tictactoe", "changes": ["budget.minutes=4"], "iterations_of": "slow"},
    }
    paper = read_settings(Paper, {"title": "t", "authors": "a", "about": "b", "agents": agents})
    trained = {}

    def train(_: Any, path: Path, origin: Path | None, changes: list[str], *more: Any) -> None:
        trained[path.name] = changes

    monkeypatch.setattr(lab_module, "iterations_made", lambda run: 7 if run.name == "slow-0" else 0)
    monkeypatch.setattr(lab_module, "minutes_spent", lambda run: 2.5 if run.name == "slow-0" else 4.0)
    lab = Lab(paper, tmp_path, train, silent)
    lab.run("quick")
    lab.run("slow")
    assert {run.name: minutes for run, minutes in lab.trainings.items()} == {"slow-0": 2.5, "quick-0": 4.0}
    assert trained == {
        "slow-0": [],
        "quick-0": ["budget.minutes=4", "budget.minutes=null", "budget.iterations=7"],
    }
