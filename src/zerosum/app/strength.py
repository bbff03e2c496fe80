"""How strong the networks are that ship with the package, or one of the user's: the trials, played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zerosum.arena.strength.table import Trial
from zerosum.arena.strength.trials import Strength, measure_strength, trials_of
from zerosum.core.errors import BadSpec
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.players.common.runs import find_in_run


@dataclass(frozen=True)
class StrengthReport:
    """The results of the trials, in order; fewer than planned where they were interrupted."""

    results: tuple[Strength, ...]
    planned: int

    @property
    def complete(self) -> bool:
        return len(self.results) == self.planned


def report_strength(
    game: str = "",
    run: str = "",
    games: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    on_progress: Callable[[float, int], None] | None = None,
    on_result: Callable[[Strength], None] | None = None,
) -> StrengthReport:
    """Play the trials of a game, or of all, with what ships or with the network of a run.

    ``games`` shortens them: so many games, or positions, a trial. ``on_progress`` hears how many trials are
    done, with the share of the one in hand, and of how many. Ctrl-C ends it with the results so far.
    """
    if games is not None and games < 1:
        raise BadSpec(f"--games must be 1 or more, not {games}")
    if run and not game:
        raise BadSpec("name the game that the run was trained for, as in: strength connect4 --run RUN")
    trials = trials_of(game)
    network = find_in_run(run, NETWORK_FILE) if run else None
    results: list[Strength] = []

    def tell(_: Trial, share: float) -> None:
        if on_progress is not None:
            on_progress(len(results) + share, len(trials))

    try:
        for result in measure_strength(trials, network, games, seed, workers, tell):
            results.append(result)
            tell(result.trial, 0.0)
            if on_result is not None:
                on_result(result)
    except KeyboardInterrupt:
        pass
    return StrengthReport(tuple(results), len(trials))
