"""What a player thinks of every move of a position."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.arena.workers import Entrant, enter
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import OUTCOME_NAMES
from zerosum.core.state import State, View
from zerosum.players.common.explanation import Explanation, explain
from zerosum.players.common.explanation_svg import draw_explanation
from zerosum.players.common.player import Choice

WHO_EXPLAINS = "mcts:1000 or alphazero:200"


@dataclass(frozen=True, repr=False)
class Thoughts:
    """What was seen, who thought about it, and what: the choice, and what the board needs to show it.

    Notebooks show the board with the figures on it.

    >>> import zerosum
    >>> thoughts = zerosum.explain(zerosum.make_game("connect4").new(), "mcts:500")
    >>> thoughts.choice.candidates[0].visits > 100
    True
    """

    view: View  # what the player saw
    player: str
    choice: Choice
    explanation: Explanation

    def __repr__(self) -> str:
        move = self.view.game.notation.name(self.choice.action)
        return f"Thoughts({self.player} plays {move} of {len(self.choice.candidates)} moves)"

    def _repr_svg_(self) -> str:
        return draw_explanation(self.explanation)


def position_after(game: Game, moves: str, seed: int = 0) -> State:
    """The position after moves in the game's notation; the seed matters where the start is drawn.

    Raises IllegalMove where they cannot be played, and BadSpec where they end the game.
    """
    state = game.new(seed)
    state.play_moves(moves)
    if state.finished:
        raise BadSpec(f"the game is already over: {OUTCOME_NAMES[state.outcome]}")
    return state


def think(state: State, player: Entrant, seed: int = 0) -> Thoughts:
    """Ask a player what it thinks; raises BadSpec where it gives no reasons."""
    if isinstance(player, str) and player.strip() == "human":
        raise BadSpec(f"a person's thoughts cannot be read; try {WHO_EXPLAINS}")
    thinker = enter(player, state.game)
    thinker.new_game(seed)
    view = state.view()
    choice = thinker.choose(view)
    if not choice.candidates:
        raise BadSpec(f"{thinker.spec} does not say why it moves; try {WHO_EXPLAINS}")
    return Thoughts(view, thinker.spec, choice, explain(view, thinker.spec, choice))
