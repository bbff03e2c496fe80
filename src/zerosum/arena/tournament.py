"""A round robin that can be stopped at any moment and goes on where it was."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from zerosum.arena.match import Interrupted, match_fixtures, seconds_per_move
from zerosum.arena.play import derive_seed, game_seeds
from zerosum.arena.ratings import Ratings, rate
from zerosum.arena.records.files import append_record
from zerosum.arena.records.record import GameRecord
from zerosum.arena.state_file import GameKey, Saved, locked_state, open_state
from zerosum.arena.tally import Tally, tally
from zerosum.arena.workers import (
    Elsewhere,
    Entrant,
    Fixture,
    OnResult,
    check_counts,
    enter,
    play_fixtures,
)
from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, SECOND
from zerosum.players.common.player import learnt_digest


@dataclass(frozen=True)
class Settings:
    """All that a tournament's result depends on."""

    game: str
    players: tuple[str, ...]
    games: int  # of each pair, half with either starting; of each ordered pair where ordered
    ordered: bool
    seed: int
    networks: tuple[str, ...] = ()  # by player, the digest of what it has learnt; none where nobody has
    mirrored: bool = False  # whether each player meets itself too, as often as an (ordered) pair plays

    def fixtures(self) -> list[Fixture]:
        """Every game, pair by pair; each pair plays a match with a seed of its own.

        Who comes first in a pair changes from pair to pair, so that odd numbers of games favour nobody.
        """
        games = 2 * self.games if self.ordered else self.games
        fixtures = []
        for low, high in combinations(range(len(self.players)), 2):
            pair = (low, high) if (high - low) % 2 else (high, low)
            seed = derive_seed("pair", self.seed, *(self.players[entrant] for entrant in pair))
            fixtures += match_fixtures(pair, games, seed)
        if self.mirrored:
            for entrant, name in enumerate(self.players):
                twin = entrant + len(self.players)  # another player of the same spec
                seed = derive_seed("pair", self.seed, name, name)
                fixtures += match_fixtures((entrant, twin), self.games, seed)
        return fixtures

    def key(self, fixture: Fixture) -> GameKey:
        """What tells a fixture's record from all others of the tournament."""
        first, second = (self.players[seat % len(self.players)] for seat in fixture.seats)
        return (first, second), fixture.number

    def as_data(self) -> dict[str, Any]:
        """For a file; what older files do not know is left out where it says nothing."""
        data = asdict(self)
        return data if self.mirrored else {key: value for key, value in data.items() if key != "mirrored"}

    def check(self, record: GameRecord) -> None:
        """Refuse a game of players that have learnt something else meanwhile: a table is of one lot."""
        learnt = dict(zip(self.players, self.networks, strict=False))
        for name, network in zip(record.players, record.networks, strict=True):
            if learnt.get(name, "") != network:
                raise ZerosumError(
                    f"the network of {name} was replaced while the tournament ran; its games so far are kept,"
                    " but they are of the old network: put that back, or begin anew"
                )


@dataclass(frozen=True)
class Standing:
    """One player's line of the table.

    >>> import zerosum
    >>> best = zerosum.run_tournament("tictactoe", ["random", "mcts:100"], games=4).standings()[0]
    >>> best.name, best.total.games
    ('mcts:100', 4)
    """

    name: str
    rating: float
    error: float  # half the width of the rating's 95 % interval
    total: Tally
    as_first: Tally
    as_second: Tally
    seconds_per_move: float | None


@dataclass(frozen=True, repr=False)
class TournamentResult:
    """The games of a tournament, in the order of its fixtures.

    >>> import zerosum
    >>> result = zerosum.run_tournament("tictactoe", ["random", "greedy", "mcts:200"], games=2)
    >>> result.standings()[-1].name, len(result.records)
    ('random', 6)
    """

    settings: Settings
    records: tuple[GameRecord, ...]
    ignored_lines: tuple[int, ...] = ()  # of the state file: damaged, or no game of this tournament

    def __repr__(self) -> str:
        order = " > ".join(f"{row.name} {row.rating:+.0f}" for row in self.standings())
        return (
            f"TournamentResult({self.settings.game!r}: {order}, {len(self.records)} of {self.planned} games)"
        )

    @property
    def planned(self) -> int:
        return len(self.settings.fixtures())

    def table(self) -> dict[tuple[str, str], Tally]:
        """For each ordered pair, the results of the one who started; of a player with itself if mirrored."""
        games: dict[tuple[str, str], list[GameRecord]] = defaultdict(list)
        for record in self.records:
            games[record.players].append(record)
        players = self.settings.players
        return {
            (a, b): tally(games[a, b], FIRST)
            for a in players
            for b in players
            if a != b or self.settings.mirrored
        }

    def ratings(self) -> Ratings:
        """By the order of the settings' players."""
        players = self.settings.players
        points = np.zeros((len(players), len(players)))
        for (first, second), results in self.table().items():
            if first == second:
                continue  # says nothing about who is better
            row, column = players.index(first), players.index(second)
            points[row, column] += results.points
            points[column, row] += results.reversed().points
        return rate(points)

    def standings(self) -> list[Standing]:
        """Best rating first."""
        ratings = self.ratings()
        rows = [
            self._standing(name, float(rating), float(error))
            for name, rating, error in zip(self.settings.players, ratings.values, ratings.errors, strict=True)
        ]
        return sorted(rows, key=lambda row: -row.rating)

    def _standing(self, name: str, rating: float, error: float) -> Standing:
        met = [record for record in self.records if record.players[FIRST] != record.players[SECOND]]
        started = [record for record in met if record.players[FIRST] == name]
        answered = [record for record in met if record.players[SECOND] == name]
        as_first, as_second = tally(started, FIRST), tally(answered, SECOND)
        seats = [(record, FIRST) for record in started] + [(record, SECOND) for record in answered]
        return Standing(
            name, rating, error, as_first + as_second, as_first, as_second, seconds_per_move(seats)
        )


class TournamentInterrupted(Interrupted[TournamentResult]):
    """Ctrl-C during a tournament."""


def run_tournament(
    game: Game,
    entrants: Sequence[Entrant],
    games: int,
    seed: int = 0,
    workers: int | None = None,
    state_file: Path | None = None,
    on_result: OnResult | None = None,
    ordered: bool = False,
    mirrored: bool = False,
    elsewhere: Elsewhere | None = None,
) -> TournamentResult:
    """Play everybody against everybody: ``games`` games a pair, half of them started by either.

    With ``ordered`` each ordered pair plays that many, which is twice as much; with ``mirrored`` everybody
    also plays that many against itself, which changes the table and no rating. Finished games are added
    to the state file at once, and those that it already holds are not played again: however often it was
    killed, the tournament ends as if it had not been. ``on_result`` hears of each game that is played now.
    Workers ``elsewhere`` may play the games. Ctrl-C raises TournamentInterrupted, with what was played.
    """
    check_counts(games, workers)
    players = [enter(entrant, game) for entrant in entrants]
    names = tuple(player.spec for player in players)
    _check_names(names)
    check_counts(games * len(names) * (len(names) - 1) // 2, workers)
    networks = tuple(learnt_digest(player) for player in players)
    learnt = networks if any(networks) else ()
    settings = Settings(game.spec, names, games, ordered, seed, learnt, mirrored)
    del players  # they hold memory, and every worker makes its own
    with nullcontext() if state_file is None else locked_state(state_file):
        return _run(game, entrants, settings, workers, state_file, on_result, elsewhere)


def _run(
    game: Game,
    entrants: Sequence[Entrant],
    settings: Settings,
    workers: int | None,
    state_file: Path | None,
    on_result: OnResult | None,
    elsewhere: Elsewhere | None,
) -> TournamentResult:
    fixtures = {settings.key(fixture): fixture for fixture in settings.fixtures()}
    saved = Saved({}, ())
    if state_file is not None:
        seeds = {key: game_seeds(fixture.seed, fixture.number) for key, fixture in fixtures.items()}
        saved = open_state(state_file, settings.as_data(), game, seeds)
    records = dict(saved.records)

    def keep(record: GameRecord) -> None:
        settings.check(record)
        if state_file is not None:
            append_record(state_file, record)
        records[record.players, record.number] = record
        if on_result is not None:
            on_result(record, len(records), len(fixtures))

    def result() -> TournamentResult:
        played = tuple(records[key] for key in fixtures if key in records)
        return TournamentResult(settings, played, saved.ignored_lines)

    missing = [fixture for key, fixture in fixtures.items() if key not in records]
    try:
        play_fixtures(game, [*entrants, *entrants], missing, keep, workers, elsewhere=elsewhere)
    except KeyboardInterrupt:
        raise TournamentInterrupted(result()) from None
    return result()


def _check_names(names: Sequence[str]) -> None:
    if len(names) < 2:
        raise BadSpec(f"a tournament needs at least 2 players, not {len(names)}")
    for name in names:
        if names.count(name) > 1:
            raise BadSpec(f"the tournament names '{name}' twice; --mirrored lets each player meet itself")
