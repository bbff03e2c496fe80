"""Tournaments that go on where they were stopped, without anybody having to say where they are kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from zerosum.arena.tournament import TournamentInterrupted, TournamentResult, run_tournament
from zerosum.arena.workers import Elsewhere, OnResult, enter
from zerosum.core.compiling.cache import cache_directory
from zerosum.core.errors import ZerosumError
from zerosum.core.game import Game


def own_state_file(
    game: Game, players: Sequence[str], games: int, ordered: bool, seed: int, mirrored: bool = False
) -> Path:
    """A place for this very tournament, played by this very version of the program."""
    names = [enter(player, game).spec for player in players]
    home = cache_directory(Path(__file__))
    if home is None:
        raise ZerosumError("there is no room to keep the games in; name a file for them, with --state FILE")
    directory = home / "tournaments"
    directory.mkdir(exist_ok=True)
    digest = hashlib.sha256(repr((game.spec, names, games, ordered, seed, mirrored)).encode()).hexdigest()
    return directory / f"{digest[:16]}.jsonl"


def play_tournament(
    game: Game,
    players: Sequence[str],
    games: int,
    seed: int = 0,
    workers: int | None = None,
    state: Path | None = None,
    ordered: bool = False,
    on_result: OnResult | None = None,
    mirrored: bool = False,
    elsewhere: Elsewhere | None = None,
) -> TournamentResult:
    """A round robin, gone on with if its file has games already. Ctrl-C ends it with the games so far.

    The file is left for whoever asked to delete, once the result is safe.
    """
    at_a_time = 1 if "human" in players else workers  # people sit at one board
    try:
        return run_tournament(
            game, players, games, seed, at_a_time, state, on_result, ordered, mirrored, elsewhere
        )
    except TournamentInterrupted as stopped:
        return stopped.result
