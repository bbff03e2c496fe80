"""Look over a run's shoulder: its newest network plays against itself while it learns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from zerosum.core.game import Game
from zerosum.core.picture import Picture
from zerosum.learn.run.run import Run
from zerosum.learn.training.method import find_method
from zerosum.players.common.player import Player
from zerosum.players.common.registry import make_player

SIMULATIONS = 30  # enough to play well, few enough to leave the run its cores
DRAWN = "alphazero:{simulations},t=0.7@{run}"  # drawn by visits, so that games differ
LOSSES = ("policy_loss", "value_loss")


@dataclass(frozen=True)
class Glance:
    """A position of a game of the newest network, and how the run stood when the game began."""

    run: str
    state: str  # running, stopped or finished
    iteration: int
    minutes: float
    picture: Picture
    moves: list[str]
    curves: dict[str, list[float]]  # losses, and the score at every check, by name


def glances(run: Run, games: int | None = None, seed: int = 0) -> Iterator[Glance]:
    """Every position of so many games, or of games without end; each begins with the newest network."""
    game = run.game()
    for number in count() if games is None else range(games):
        yield from _game(run, game, _player(run, game), seed + number)


def _player(run: Run, game: Game) -> Player:
    spec = find_method(run.record.method).player
    if spec.startswith("alphazero"):
        spec = DRAWN.replace("{simulations}", str(SIMULATIONS))
    return make_player(spec.format(run=run.name), game)


def _game(run: Run, game: Game, player: Player, seed: int) -> Iterator[Glance]:
    lines = run.metrics()
    curves: dict[str, list[float]] = {}
    for line in lines:
        for name in LOSSES:
            if line["kind"] == "learning" and line.get(name) is not None:
                curves.setdefault(name.replace("_", " "), []).append(float(line[name]))
        if line["kind"] == "strength":
            name, score = _score(line)
            curves.setdefault(name, []).append(score)
    state = game.new(seed)
    player.new_game(seed)
    last = lines[-1] if lines else {"iteration": 0, "minutes": 0.0}
    while True:
        picture = game.picture(state)
        told = (run.name, run.state(), int(last["iteration"]), float(last["minutes"]))
        yield Glance(*told, picture, state.names(state.history), curves)
        if state.finished:
            return
        state.play(player.choose(state.view()).action)


def _score(line: dict[str, object]) -> tuple[str, float]:
    if "opponent" not in line:
        return str(line["measure"]).replace("_", " "), float(str(line["share"]))
    wins, draws, losses = (int(str(line[key])) for key in ("wins", "draws", "losses"))
    return f"against {line['opponent']}", (wins + draws / 2) / max(1, wins + draws + losses)
