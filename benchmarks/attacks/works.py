"""What is killed: a tournament, a match with records, a training by every method; each very small.

A work may be begun as often as one likes in the same folder; the last time it comes to its end, and what it
leaves must be what it leaves where nothing ever happened to it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from tests.learn.tiny import TINY, outcome, train_tiny
from zerosum.arena.match import play_match
from zerosum.arena.records.files import append_record, read_records
from zerosum.arena.records.record import GameRecord
from zerosum.arena.tournament import run_tournament
from zerosum.games import make_game
from zerosum.learn.run.run import Run

GAME = make_game("tictactoe")
PLAYERS = ("random", "greedy", "mcts:10")
GAMES = 6  # of a match
NETWORKED = ("alphazero", "dqn", "muzero")  # methods whose trainings take longest come last


class Work(NamedTuple):
    do: Callable[[Path], object]  # in a folder
    left: Callable[[Path], Any]  # what it leaves there, once it came to its end


def tournament(folder: Path) -> None:
    run_tournament(GAME, PLAYERS, games=4, state_file=folder / "state.jsonl", workers=1)


def tournaments_games(folder: Path) -> list[GameRecord]:
    """All games that were kept, each of which must be there once."""
    records = read_records(folder / "state.jsonl").records
    return sorted(records, key=lambda record: (record.players, record.number))


def match(folder: Path) -> None:
    path = folder / "games.jsonl"
    play_match(GAME, "random", "random", GAMES, workers=1, on_result=lambda r, *_: append_record(path, r))


def matchs_games(folder: Path) -> list[GameRecord]:
    """Those of the last match; of each that was killed before there are the first games, without a gap."""
    records = read_records(folder / "games.jsonl").records
    numbers = [-1, *(record.number for record in records)]
    assert all(number in (0, before + 1) for before, number in pairwise(numbers)), numbers
    return list(records[-GAMES:])


def training(method: str) -> Work:
    return Work(
        lambda folder: train_tiny(method, folder / "run"), lambda folder: outcome(Run.open(folder / "run"))
    )


WORKS = {"tournament": Work(tournament, tournaments_games), "match": Work(match, matchs_games)} | {
    method: training(method) for method in sorted(TINY, key=NETWORKED.__contains__)
}
