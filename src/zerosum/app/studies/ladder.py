"""The ladder: players of every kind side by side on one game, each held against perfect play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from zerosum.app.training import NO_CHECKS, Training, new_training
from zerosum.arena.match import play_match
from zerosum.arena.tables import Rows
from zerosum.arena.tally import Tally
from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.game import Game
from zerosum.learn.run.listing import list_runs
from zerosum.learn.run.run import Run
from zerosum.learn.training.method import find_method
from zerosum.nets.artifact.store import shipped_card
from zerosum.players.common.registry import make_player

PERFECT = "solver"
PLAIN = ("random", "greedy", "minimax:2", "mcts:1000")
# Trained on the spot where there is no run yet, unless the game is too large for them.
TABLES = ("value-iteration", "q-learning")
SIMULATIONS = 50


@dataclass(frozen=True)
class Entrant:
    """A player, what it cost to train, and the run it comes from, if it was learnt here."""

    player: str
    training_seconds: float = 0.0
    run: str = ""


@dataclass(frozen=True)
class Rung:
    """A player, what it cost to train and costs to ask, and its games against perfect play."""

    player: str
    kind: str  # its name without the run
    training_seconds: float  # 0 where nothing is learnt
    seconds_a_move: float
    as_first: Tally
    as_second: Tally


def find_entrants(
    game: Game,
    seed: int = 0,
    train: Callable[[Training], object] = Training.train,
    leave_out: Callable[[str], None] = lambda reason: None,
) -> list[Entrant]:
    """Players of every kind. Tables that nobody has learnt yet are learnt now: ``train`` may show it.

    What a game cannot have is left out, and ``leave_out`` is told why.
    """
    entrants = []
    for player in PLAIN:
        try:
            make_player(player, game)
            entrants.append(Entrant(player))
        except BadSpec as error:
            leave_out(str(error))
    for method in TABLES:
        try:
            entrants.append(_learnt(game, method, seed, train))
        except ZerosumError as error:  # what one table cannot hold, no other can
            leave_out(f"{' and '.join(TABLES[TABLES.index(method) :])}: {error}")
            break
    shipped = _shipped(game)
    if not shipped:
        leave_out(f"alphazero: no network ships for {game.spec}")
    return entrants + shipped


def climb(
    game: Game,
    entrants: Sequence[Entrant],
    games: int,
    seed: int = 0,
    on_rung: Callable[[Rung], None] | None = None,
) -> list[Rung]:
    """Each entrant plays so many games a seat against the solver."""
    rungs = []
    for entrant in entrants:
        result = play_match(game, entrant.player, PERFECT, 2 * games, seed)
        rungs.append(
            Rung(
                entrant.player,
                entrant.player.partition("@")[0],
                entrant.training_seconds,
                result.seconds_per_move[0] or 0.0,
                result.as_first,
                result.as_second,
            )
        )
        if on_rung is not None:
            on_rung(rungs[-1])
    return rungs


def ladder_rows(rungs: Sequence[Rung]) -> Rows:
    """A row a player."""
    header = ["player", "training s", "ms a move", "games a seat", "lost as first", "lost as second"]
    body = [
        [
            rung.kind,
            training_text(rung.training_seconds),
            f"{1000 * rung.seconds_a_move:.2f}",
            str(rung.as_first.games),
            str(rung.as_first.losses),
            str(rung.as_second.losses),
        ]
        for rung in rungs
    ]
    return [header, *body]


def ladder_fields(game: Game, rungs: Sequence[Rung]) -> dict[str, Any]:
    """The ladder for JSON."""
    return {
        "game": game.spec,
        "opponent": PERFECT,
        "players": [
            {
                "player": rung.player,
                "training_seconds": rung.training_seconds,
                "seconds_a_move": rung.seconds_a_move,
                "as_first": _counts(rung.as_first),
                "as_second": _counts(rung.as_second),
            }
            for rung in rungs
        ],
    }


def training_text(seconds: float) -> str:
    """Three digits, or more of a large number; nothing where it takes none."""
    if not seconds:
        return ""
    return f"{seconds:.0f}" if seconds >= 100 else f"{seconds:.3g}"


def _counts(tally: Tally) -> dict[str, int]:
    return {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses}


def _learnt(game: Game, method: str, seed: int, train: Callable[[Training], object]) -> Entrant:
    """The player of the latest finished run of a method, or of a new one."""
    finished = [
        Run.open(run.name)
        for run in list_runs()
        if (run.game, run.method, run.state) == (game.spec, method, "finished") and run.iterations
    ]
    if finished:
        run = max(finished, key=lambda run: run.metrics_path.stat().st_mtime)
    else:
        training = new_training(game, method, settings=NO_CHECKS, seed=seed)
        train(training)
        run = training.run
    return Entrant(find_method(method).player.format(run=run.name), _training_seconds(run), run.name)


def _training_seconds(run: Run) -> float:
    """Without the checks of its strength."""
    lines = [line for line in run.metrics() if line["kind"] == "learning"]
    return sum(value for line in lines for key, value in line.items() if key.endswith("_seconds"))


def _shipped(game: Game) -> list[Entrant]:
    """The network that ships for a game, if there is one; the file beside it says how long it was trained."""
    card = shipped_card(game, "alphazero")
    return [Entrant(f"alphazero:{SIMULATIONS}", 60 * card["minutes"])] if card else []
