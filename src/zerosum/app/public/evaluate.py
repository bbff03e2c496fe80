"""What a network thinks of positions, without any search: one position, or many in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.state import State, View
from zerosum.games import make_game
from zerosum.learn.run.run import Run
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.store import NETWORK_FILE, find_shipped
from zerosum.players.common.runs import find_in_run

SHIPPED = "shipped"  # the network that comes with the package

# A run or its name, a network's file, 'shipped', or what ``load_network`` gave.
NetworkLike: TypeAlias = str | Path | Run | Evaluator


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """A network's opinion of one position, for the player to move.

    >>> import zerosum
    >>> state = zerosum.make_game("connect4").new()
    >>> best = zerosum.evaluate("shipped", state).moves()[0]
    >>> best[0], best[1] > 0.5
    ('4', True)
    """

    game: Game
    value: float  # the result expected, from -1 to 1
    policy: NDArray[np.float64]  # [action], sums to 1; 0 for what is not legal

    def moves(self) -> list[tuple[str, float]]:
        """Each legal move with its probability, the most likely first."""
        order = sorted(np.flatnonzero(self.policy), key=lambda action: (-self.policy[action], action))
        return [(self.game.notation.name(int(action)), float(self.policy[action])) for action in order]

    def __repr__(self) -> str:
        likely = ", ".join(f"{move} {100 * share:.0f} %" for move, share in self.moves()[:3])
        return f"Evaluation({self.game.spec!r}: value {self.value:+.2f}; {likely})"


def load_network(network: NetworkLike, game: str | Game) -> Evaluator:
    """A network ready to judge positions of a game; raises BadNetwork where it does not fit.

    To load once what is asked often:

    >>> import zerosum
    >>> network = zerosum.load_network("shipped", "connect4")
    >>> network.card.game
    'connect4'
    """
    if isinstance(network, Evaluator):
        return network
    played = make_game(game) if isinstance(game, str) else game
    return Evaluator(_file(network, played), played)


@overload
def evaluate(network: NetworkLike, position: State | View) -> Evaluation: ...
@overload
def evaluate(network: NetworkLike, position: Sequence[State | View]) -> list[Evaluation]: ...
def evaluate(
    network: NetworkLike, position: State | View | Sequence[State | View]
) -> Evaluation | list[Evaluation]:
    """Policy and value of a position, or of many of one game at once; each for its player to move.

    Where something is hidden the network is shown what the player to move sees.

    >>> import zerosum
    >>> state = zerosum.make_game("tictactoe").new()
    >>> state.play_moves("b2 a1 b1 a2")
    >>> zerosum.evaluate("shipped", state).moves()[0][0]
    'b3'
    >>> [judged.value > 0 for judged in zerosum.evaluate("shipped", [state, state.copy()])]
    [True, True]
    """
    if isinstance(position, State | View):
        return _judge(network, [position])[0]
    return _judge(network, position) if position else []


def _judge(network: NetworkLike, positions: Sequence[State | View]) -> list[Evaluation]:
    views = [position.view() if isinstance(position, State) else position for position in positions]
    game = views[0].game
    if any(view.game.spec != game.spec for view in views):
        raise BadSpec("positions that are judged together must be of one game")
    legal = np.zeros((len(views), game.num_actions), dtype=bool)
    planes = np.zeros((len(views), len(game.planes), game.num_cells), dtype=np.float32)
    for row, view in enumerate(views):
        actions = view.legal_actions()
        if not actions:
            raise BadSpec(f"there is no move to judge: the game of position {row} is over")
        legal[row, actions] = True
        game.rules.encode(game.table, view.position, planes[row].reshape(-1))
    logits, values = load_network(network, game).evaluate(planes)
    weights = np.where(legal, logits.astype(np.float64), -np.inf)
    weights = np.exp(weights - weights.max(axis=1, keepdims=True))
    policies = weights / weights.sum(axis=1, keepdims=True)
    return [Evaluation(game, float(value), policy) for value, policy in zip(values, policies, strict=True)]


def _file(network: str | Path | Run, game: Game) -> Path:
    if isinstance(network, Run):
        return find_in_run(network.path, NETWORK_FILE)
    if network == SHIPPED:
        file = find_shipped(game, "alphazero")
        if file is None:
            raise BadSpec(f"no network for {game.spec} ships with the package; name a run of your own")
        return file
    path = Path(network)
    return path if path.suffix == ".onnx" else find_in_run(network, NETWORK_FILE)
