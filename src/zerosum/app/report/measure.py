"""What a game is like to play, measured by letting players of different strength play it.

Each strength plays against itself, which tells who starts well, how long games are and how they end; and
against the next weaker one, which tells whether the better player wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log
from statistics import mean, pstdev
from typing import TypeAlias

from zerosum.app.studies.levels import entrants_for
from zerosum.arena.match import play_match
from zerosum.arena.records.record import GameRecord, replay
from zerosum.arena.tally import Tally, tally
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST
from zerosum.core.statistics import ELO

GAMES = 40  # of each pair
MARKS = (1, 5, 20)  # minutes after which a run's strength is told
GOOD = 0.9  # share of the points from which an opponent counts as beaten
OPENING = 4  # plies that make an opening

# Told what is played now, how many games are done, and of how many.
Progress: TypeAlias = Callable[[str, int, int], None]


@dataclass(frozen=True)
class SelfPlay:
    """Games of a player against itself."""

    player: str
    first: Tally  # results of whoever moved first
    plies: float  # mean length
    plies_spread: float  # standard deviation
    shortest: int
    longest: int
    branching: float  # legal moves where there was a choice to make, on average
    passes: float  # share of turns with one legal move only
    decisive: float  # share of games that somebody won
    openings: float  # how many different ways to begin, in effect: exp of the entropy of the first plies
    lead_changes: float | None  # how often the lead changed hands, in games with points


@dataclass(frozen=True)
class Step:
    """A stronger player against a weaker one."""

    stronger: str
    weaker: str
    results: Tally  # of the stronger

    @property
    def elo(self) -> float:
        """By how much the stronger leads, in Elo, half a point added on either side."""
        points, games = self.results.points, self.results.games
        return ELO * log((points + 0.5) / (games - points + 0.5))


@dataclass(frozen=True, repr=False)
class GameReport:
    """What a game is like to play.

    >>> import zerosum
    >>> report = zerosum.report("tictactoe", ["random", "minimax:2"], games=4)
    >>> report.strengths[0].player, 5 <= report.strengths[0].plies <= 9
    ('random', True)
    >>> report.steps[0].stronger, report.steps[0].results.games
    ('minimax:2', 4)
    """

    game: str
    title: str
    games: int  # of each pair
    seed: int
    strengths: tuple[SelfPlay, ...]  # from the weakest up
    steps: tuple[Step, ...]

    def __repr__(self) -> str:
        shares = ", ".join(f"{row.player} {row.first.score_share:.0%}" for row in self.strengths)
        return (
            f"GameReport({self.game!r}: first player's share by strength {shares}; {self.games} games each)"
        )


@dataclass(frozen=True)
class Learnt:
    """How long a run took to score 90 % against an opponent; None where it has not."""

    run: str
    method: str
    opponent: str
    minutes: float | None
    best_share: float
    after_minutes: float  # how long the run has been measured in all
    shares: tuple[float | None, ...] = (None,) * len(MARKS)  # by then; None where it was not measured so long


def measure_game(
    game: Game,
    games: int = GAMES,
    players: Sequence[str] = (),
    seed: int = 0,
    workers: int | None = None,
    on_progress: Progress | None = None,
) -> GameReport:
    """Let players, from weak to strong, play ``games`` games against themselves and against the next."""
    names = tuple(players) or entrants_for(game)
    total = games * (2 * len(names) - 1)
    done = 0

    def played(first: str, second: str) -> tuple[GameRecord, ...]:
        nonlocal done

        def tell(_record: GameRecord, count: int, _games: int) -> None:
            if on_progress is not None:
                on_progress(f"{first} against {second}", done + count, total)

        records = play_match(game, first, second, games, seed, workers, tell).records
        done += games
        return records

    strengths = tuple(_self_play(game, name, played(name, name)) for name in names)
    steps = []
    for weaker, stronger in pairwise(names):
        records = played(stronger, weaker)
        results = Tally()
        for record in records:
            results += tally([record], record.number % 2)
        steps.append(Step(stronger, weaker, results))
    return GameReport(game.spec, game.title, games, seed, strengths, tuple(steps))


def _self_play(game: Game, player: str, records: Sequence[GameRecord]) -> SelfPlay:
    lengths = [len(record.moves) for record in records]
    choices: list[int] = []
    changes: list[int] = []
    for record in records:
        leads: list[int] = []
        for state in replay(record, game):
            if not state.finished:
                choices.append(len(state.view().legal_actions()))
            if game.has_score and state.score:
                leads.append(1 if state.score > 0 else -1)
        changes.append(sum(before != after for before, after in pairwise(leads)))
    first = tally(records, FIRST)
    real = [count for count in choices if count > 1]
    return SelfPlay(
        player=player,
        first=first,
        plies=mean(lengths),
        plies_spread=pstdev(lengths),
        shortest=min(lengths),
        longest=max(lengths),
        branching=mean(real) if real else 1.0,
        passes=1 - len(real) / len(choices),
        decisive=1 - first.draws / first.games,
        openings=variety([record.actions[:OPENING] for record in records]),
        lead_changes=mean(changes) if game.has_score else None,
    )


def variety(openings: Sequence[tuple[int, ...]]) -> float:
    """How many different openings there were, in effect: 1 where all are the same, all where all differ."""
    counts = Counter(openings)
    return exp(-sum(count / len(openings) * log(count / len(openings)) for count in counts.values()))
