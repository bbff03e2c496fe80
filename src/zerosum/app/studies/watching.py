"""Look over a run's shoulder: the games of its self-play while it learns, or its newest network at play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from zerosum.core.game import Game
from zerosum.core.picture import Picture
from zerosum.core.state import State
from zerosum.learn.run.metrics import Line
from zerosum.learn.run.run import Run
from zerosum.learn.training.method import find_method
from zerosum.players.common.player import Player
from zerosum.players.common.registry import make_player

SIMULATIONS = 30  # enough to play well, few enough to leave the run its cores
DRAWN = "alphazero:{simulations},t=0.7@{run}"  # drawn by visits, so that games differ
LOSSES = ("policy_loss", "value_loss")


@dataclass(frozen=True)
class PlayedGame:
    """A game of self-play that a run has kept."""

    iteration: int
    moves: tuple[str, ...]


def played_games(lines: Sequence[Line]) -> list[PlayedGame]:
    """Of a run's metrics, the earliest first; only methods that play against themselves keep any."""
    return [
        PlayedGame(int(line["iteration"]), tuple(line["moves"])) for line in lines if line["kind"] == "game"
    ]


@dataclass(frozen=True)
class Glance:
    """A position of a game of the newest network, and how the run stood when the game began."""

    run: str
    state: str  # running, stopped or finished
    iteration: int
    minutes: float
    about: str  # what kind of game it is
    picture: Picture
    moves: list[str]
    curves: dict[str, list[float]]  # losses, and the score at every check, by name


def glances(run: Run, games: int | None = None, seed: int = 0) -> Iterator[Glance]:
    """Every position of so many games, or of games without end.

    Each is the newest game of self-play; where that has been seen, the newest network plays another.
    """
    game = run.game()
    seen = -1  # the iteration of the last game of self-play that was shown
    for number in count() if games is None else range(games):
        lines = run.metrics()
        kept = played_games(lines)
        if kept and kept[-1].iteration > seen:
            seen = kept[-1].iteration
            about = f"a game of its self-play, iteration {seen}"
            states = replayed(game, kept[-1].moves)
        else:
            about = "its newest network against itself"
            states = _played(game, _player(run, game), seed + number)
        last = lines[-1] if lines else {"iteration": 0, "minutes": 0.0}
        curves = _curves(lines)
        for state in states:
            told = (run.name, run.state(), int(last["iteration"]), float(last["minutes"]), about)
            yield Glance(*told, game.picture(state), state.names(state.history), curves)


def replayed(game: Game, moves: Sequence[str]) -> Iterator[State]:
    """Its positions, one after the other: the same state, played on."""
    state = game.new(0)
    yield state
    for move in moves:
        state.play(game.notation.read(move))
        yield state


def _player(run: Run, game: Game) -> Player:
    spec = find_method(run.record.method).player
    if spec.startswith("alphazero"):
        spec = DRAWN.replace("{simulations}", str(SIMULATIONS))
    return make_player(spec.format(run=run.name), game)


def _played(game: Game, player: Player, seed: int) -> Iterator[State]:
    state = game.new(seed)
    player.new_game(seed)
    yield state
    while not state.finished:
        state.play(player.choose(state.view()).action)
        yield state


def _curves(lines: Sequence[Line]) -> dict[str, list[float]]:
    curves: dict[str, list[float]] = {}
    for line in lines:
        for name in LOSSES:
            if line["kind"] == "learning" and line.get(name) is not None:
                curves.setdefault(name.replace("_", " "), []).append(float(line[name]))
        if line["kind"] == "strength":
            name, score = _score(line)
            curves.setdefault(name, []).append(score)
    return curves


def _score(line: dict[str, object]) -> tuple[str, float]:
    if "opponent" not in line:
        return str(line["measure"]).replace("_", " "), float(str(line["share"]))
    wins, draws, losses = (int(str(line[key])) for key in ("wins", "draws", "losses"))
    return f"against {line['opponent']}", (wins + draws / 2) / max(1, wins + draws + losses)
