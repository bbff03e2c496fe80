"""How strong a network is: the trials of table.py, played."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from zerosum.arena.records.record import GameRecord
from zerosum.arena.strength.positions import PositionSet, all_states, count_right, solved_positions
from zerosum.arena.strength.table import ALL_STATES, FIRST, KIND, SECOND, TABLE, Trial
from zerosum.arena.tally import Tally, tally
from zerosum.arena.workers import Entrant, Fixture, enter, play_fixtures
from zerosum.core.errors import BadNetwork, BadSpec, suggestion
from zerosum.core.game import Game
from zerosum.core.statistics import wilson_interval
from zerosum.games import make_game
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.latent import LatentEvaluator, imagines
from zerosum.players.alphazero import AlphaZeroPlayer
from zerosum.players.muzero import MuZeroPlayer

NOT_SHIPPED = "no network ships"
NO_GAMES = Tally()
DIGITS = 4  # of the bounds of an interval


@dataclass(frozen=True)
class Strength:
    """What a trial gave: games, or right moves of so many; or only a note why there was none."""

    trial: Trial
    result: Tally = NO_GAMES
    as_first: Tally | None = None  # where the network took both seats
    right: int = 0
    of: int = 0
    measure: str = ""  # which positions, where moves were judged
    seconds: float = 0.0
    note: str = ""
    method: str = "alphazero"  # of the network

    @property
    def player(self) -> str:
        return f"{self.method}:{self.trial.simulations}"

    @property
    def counted(self) -> tuple[str, int, int]:
        """What the target is about, how often it happened, and how often it could have."""
        if self.trial.positions:
            return "right", self.right, self.of
        what = "losses" if self.trial.losses is not None else "wins"
        return what, getattr(self.result, what), self.result.games

    @property
    def interval(self) -> tuple[float, float]:
        """Of the share of what is counted, at 95 %."""
        _, successes, trials = self.counted
        low, high = wilson_interval(successes, trials)
        return round(low, DIGITS), round(high, DIGITS)

    @property
    def target(self) -> str:
        """In words; empty where the result is only reported."""
        trial = self.trial
        games = self.result.games or trial.games
        if trial.right is not None:
            return f"{100 * trial.right:g} % right"
        if trial.wins is not None:
            return f"{_scaled(trial.wins, trial, games)} wins of {games}"
        if trial.losses is not None:
            return f"{trial.losses} losses" if trial.losses else "no losses"
        return ""

    @property
    def holds(self) -> bool | None:
        """Whether the target was reached; None where there is none."""
        trial = self.trial
        if not self.target:
            return None
        if self.note:
            return False
        if trial.right is not None:
            return self.of > 0 and self.right >= trial.right * self.of
        if trial.wins is not None:
            return self.result.wins >= _scaled(trial.wins, trial, self.result.games)
        return self.result.losses <= (trial.losses or 0)

    def fields(self) -> dict[str, Any]:
        """One row for JSON and for a network's card."""
        trial = self.trial
        fields: dict[str, Any] = {"game": trial.game}
        fields |= {"measure": self.measure or trial.positions} if trial.positions else {}
        fields |= {"opponent": trial.opponent or None, "player": self.player}
        fields |= {} if trial.positions else {"seat": trial.seat}
        empty = bool(self.note) or bool(trial.positions)
        for what in ("wins", "draws", "losses"):
            fields[what] = None if empty else getattr(self.result, what)
        if trial.positions:
            fields |= {"right": self.right, "of": self.of}
        if self.as_first is not None:
            fields["as_first"] = str(self.as_first)
        if not self.note:
            fields |= {"interval": list(self.interval), "interval_of": self.counted[0]}
        fields |= {"target": self.target or None, "holds": self.holds}
        return fields | ({"note": self.note} if self.note else {"seconds": round(self.seconds, 1)})


def trials_of(spec: str = "") -> tuple[Trial, ...]:
    """The lines of the table for one game, or all of them."""
    if not spec:
        return TABLE
    wanted = make_game(spec).spec
    chosen = tuple(trial for trial in TABLE if make_game(trial.game).spec == wanted)
    if not chosen:
        known = sorted({trial.game for trial in TABLE})
        raise BadSpec(f"the table of strengths has no '{spec}'{suggestion(spec, known)}")
    return chosen


def measure_strength(
    trials: Iterable[Trial],
    network: Path | None = None,
    games: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    on_progress: Callable[[Trial, float], None] | None = None,
) -> Iterator[Strength]:
    """The result of each trial, in order, by the network of a file or, without one, by those that ship.

    ``games`` shortens trials: so many games in all, or so many positions. ``on_progress`` hears which share
    of a trial is done. Results depend on the seed, not on the number of workers (all cores unless given).
    """
    for trial in trials:
        began = perf_counter()
        boards = [make_game(board) for board in trial.boards or (trial.game,)]
        entrant = _entrant(trial, network)
        try:
            enter(entrant, boards[0])
        except (BadNetwork, BadSpec) as error:
            yield Strength(trial, note=str(error) if network else NOT_SHIPPED)
            continue

        def tell(share: float, trial: Trial = trial) -> None:
            if on_progress is not None:
                on_progress(trial, share)

        if trial.positions:
            positions = _positions(trial, boards[0])
            positions = positions.sample(games) if games else positions
            right = count_right(boards[0], entrant, positions, workers, tell)
            measured = Strength(trial, right=right, of=len(positions.views), measure=positions.title)
        else:
            measured = _contest(trial, boards, entrant, games or trial.games, seed, workers, tell)
        method = "muzero" if network and imagines(network) else "alphazero"
        yield Strength(**{**vars(measured), "seconds": perf_counter() - began, "method": method})


def _entrant(trial: Trial, network: Path | None) -> Entrant:
    """The network with the trial's simulations, of what it imagines if it can."""
    spec = f"alphazero:{trial.simulations}"
    if network is None:
        return spec
    if imagines(network):
        return lambda game: MuZeroPlayer(game, LatentEvaluator(network, game), trial.simulations, "muzero")
    return lambda game: AlphaZeroPlayer(game, Evaluator(network, game), trial.simulations, spec)


def _positions(trial: Trial, game: Game) -> PositionSet:
    return (
        all_states(game) if trial.positions == ALL_STATES else solved_positions(game, KIND[trial.positions])
    )


def _contest(
    trial: Trial,
    boards: list[Game],
    entrant: Entrant,
    games: int,
    seed: int,
    workers: int | None,
    tell: Callable[[float], None],
) -> Strength:
    """The games of a trial, as many on each board (fewer on the last ones where that cannot be)."""
    records: list[tuple[GameRecord, int]] = []  # with the network's seat
    for number, game in enumerate(boards):
        fixtures = [
            Fixture((0, 1) if _seat(trial, at) == 0 else (1, 0), seed, at)
            for at in range(number, games, len(boards))
        ]

        def keep(record: GameRecord) -> None:
            records.append((record, _seat(trial, record.number)))
            tell(len(records) / games)

        play_fixtures(game, (entrant, trial.opponent), fixtures, keep, workers)
    first, second = (tally([r for r, seat in records if seat == at], at) for at in (0, 1))
    both = trial.seat not in (FIRST, SECOND)
    return Strength(trial, first + second, first if both else None)


def _seat(trial: Trial, number: int) -> int:
    """Where the network sits in a game of the trial."""
    return {FIRST: 0, SECOND: 1}.get(trial.seat, number % 2)


def _scaled(wins: int, trial: Trial, games: int) -> int:
    """The same share of another number of games."""
    return math.ceil(wins * games / trial.games)
