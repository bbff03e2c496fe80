"""Everything that is measured of a learnt model, in one record that a page or a terminal can show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zerosum.app.model.knowledge import DEPTHS, Depth, measure_depths, own_games
from zerosum.app.model.picture import draw_line
from zerosum.app.model.searches import Found, Spent, known_positions, measure_found, measure_spent
from zerosum.core.game import Game
from zerosum.core.state import State, View
from zerosum.games import make_game, make_shipped_game
from zerosum.learn.muzero.lines import random_games
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.players.common.runs import find_in_run

SEARCHED = 40  # positions in which it is counted where simulations go
LINE = 7  # moves of the picture

# Told what is being measured, and which share of it is done.
Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class ModelReport:
    """What a network's model knows."""

    game: str
    network: str
    depths: tuple[Depth, ...]
    spent: tuple[Spent, ...]
    found: tuple[Found, ...]  # none where right moves are not known
    picture: str  # an SVG

    def fields(self) -> dict[str, Any]:
        """For JSON; the picture is left out."""
        said = asdict(self)
        said.pop("picture")
        return said


def _named_game(file: Path, trust: bool) -> Game:
    """The game that a network's file names: one of the package, unless the user trusts the file."""
    spec = Evaluator(file).card.game
    return make_game(spec) if trust else make_shipped_game(spec, str(file))


def report_model(
    run: str,
    game: Game | None = None,
    games: int = 100,
    positions: int = 500,
    simulations: tuple[int, ...] = (0, 25, 100, 400),
    seed: int = 0,
    on_progress: Progress = lambda stage, share: None,
    trust: bool = False,
) -> ModelReport:
    """Measure the network of a run, at its own game or at another board of it.

    ``games`` are imagined of each kind, and ``positions`` with known right moves searched.
    """
    file = find_in_run(run, NETWORK_FILE)
    played = game or _named_game(file, trust)
    evaluator = LatentEvaluator(file, played)
    rng = np.random.default_rng(seed)

    def tell_depth(source: str, depth: int) -> None:
        on_progress(f"{source}, imagined", (depth + 1) / (DEPTHS + 1))

    depths = measure_depths(evaluator, played, games, seed, tell_depth)
    views = [_middle(state) for state in random_games(played, SEARCHED, rng)]
    spent = []
    for number in filter(None, simulations):
        on_progress(f"where {number} simulations go", 0.0)
        spent.append(measure_spent(evaluator, views, number))
    found = []
    known = known_positions(played, positions)
    for number in simulations if known else ():

        def tell_share(share: float, number: int = number) -> None:
            on_progress(f"right moves with {number} simulations", share)

        found += [measure_found(file, played, chosen, number, tell_share) for chosen in known]
    picture = _picture(evaluator, own_games(evaluator, played, 1, rng)[0])
    return ModelReport(played.spec, str(file), tuple(depths), tuple(spent), tuple(found), picture)


def _middle(finished: State) -> View:
    """What the player to move sees halfway through a game."""
    state = State(finished.game, finished.start.copy())
    for action in finished.history[: len(finished.history) // 2]:
        state.play(action)
    return state.view()


def _picture(evaluator: LatentEvaluator, finished: State) -> str:
    """The last moves of a game, imagined from the position before them."""
    first = max(0, len(finished.history) - LINE)
    state = State(finished.game, finished.start.copy())
    for action in finished.history[:first]:
        state.play(action)
    return draw_line(evaluator, state, finished.history[first:])
