"""What a player thinks of every move of a position."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zerosum.arena.workers import Entrant, enter
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import OUTCOME_NAMES, value_for
from zerosum.core.state import State, View
from zerosum.draw.reading import open_position
from zerosum.players.common.explanation import Explanation, explain
from zerosum.players.common.explanation_svg import draw_explanation
from zerosum.players.common.player import Candidate, Choice, Player
from zerosum.players.common.registry import split_spec
from zerosum.search.exact.timed import exact_values

WHO_EXPLAINS = "mcts:1000 or alphazero:200"
LEAST_SIMULATIONS = 8  # on a move that the search itself did not look at
WHOLE_DAY = 86_400.0  # seconds: who asks the solver waits for it, or presses Ctrl-C


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


def position_after(game: Game, moves: str, seed: int = 0, position: str = "") -> State:
    """As ``open_position``; raises BadSpec where the game is over there."""
    state = open_position(game, moves, seed, position)
    if state.finished:
        raise BadSpec(f"the game is already over: {OUTCOME_NAMES[state.outcome]}")
    return state


def think(state: State, player: Entrant, seed: int = 0, every_move: bool = True) -> Thoughts:
    """Ask a player what it thinks; raises BadSpec where it gives no reasons.

    With ``every_move`` each legal move of an open game gets a value: the solver proves them all, and what a
    search did not look at, the same player judges from the position after it, with fewer simulations.
    """
    if isinstance(player, str) and player.strip() == "human":
        raise BadSpec(f"a person's thoughts cannot be read; try {WHO_EXPLAINS}")
    thinker = enter(player, state.game)
    thinker.new_game(seed)
    view = state.view()
    if every_move and thinker.spec == "solver":
        choice = _proven(state)
    else:
        choice = thinker.choose(view)
        if not choice.candidates:
            raise BadSpec(f"{thinker.spec} does not say why it moves; try {WHO_EXPLAINS}")
        if every_move and not state.game.hidden:
            choice = _widened(choice, state, thinker, seed)
    return Thoughts(view, thinker.spec, choice, explain(view, thinker.spec, choice))


def _proven(state: State) -> Choice:
    """Every move with its exact result, the best first."""
    values = exact_values(state, WHOLE_DAY)
    ranked = sorted(values, key=lambda action: (-values[action], action))
    return Choice(ranked[0], tuple(Candidate(action, value=float(values[action])) for action in ranked))


def _widened(choice: Choice, state: State, thinker: Player, seed: int) -> Choice:
    """The choice with a value for every legal move; those that had none follow the others, best first."""
    known = {candidate.action: candidate for candidate in choice.candidates}
    open_moves = [
        action
        for action in state.legal_actions()
        if action not in known or (known[action].value is None and known[action].visits is not None)
    ]
    if not open_moves:
        return choice
    judge = _lighter(thinker, state.game, len(open_moves))
    judged = [
        replace(known.get(action, Candidate(action)), value=judged_after(state, action, judge, seed))
        for action in open_moves
    ]
    rest = sorted(judged, key=lambda c: (-(c.value if c.value is not None else -2.0), c.action))
    kept = [candidate for candidate in choice.candidates if candidate.action not in open_moves]
    return Choice(choice.action, (*kept, *rest), choice.line)


def _lighter(thinker: Player, game: Game, moves: int) -> Player:
    """The same player with its simulations shared among so many moves."""
    spec = split_spec(thinker.spec)
    if not spec.value.isdecimal() or spec.name == "minimax":
        return thinker
    simulations = max(LEAST_SIMULATIONS, int(spec.value) // moves)
    return enter(thinker.spec.replace(f":{spec.value}", f":{simulations}", 1), game)


def judged_after(state: State, action: int, judge: Player, seed: int) -> float | None:
    """What a move leads to, for the one who makes it, as somebody sees it from there."""
    after = state.copy()
    after.play(action)
    if after.finished:
        return float(value_for(after.outcome, state.mover))
    judge.new_game(seed)
    choice = judge.choose(after.view())
    value = next((c.value for c in choice.candidates if c.action == choice.action), None)
    return value if value is None or after.mover == state.mover else -value
