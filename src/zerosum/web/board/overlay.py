"""What a player or the solver thinks of each move, as notes on the board, one kind at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from zerosum.draw.svg_hints import Hint
from zerosum.players.common.explanation import Explanation, figure, known_kinds
from zerosum.players.common.player import Candidate, Choice

KINDS = ("prior", "visits", "value", "truth")
TRUTH = {1: "win", 0: "draw", -1: "loss"}
TRUTH_WEIGHT = {1: 1.0, 0: 0.45, -1: 0.0}


def overlay_hints(explanation: Explanation, kind: str) -> dict[int, Hint]:
    """Notes of one kind on the cells; where moves overlap, how much lies on each cell."""
    weights = _weights(explanation.choice, kind)
    chosen = explanation.choice.action
    if explanation.one_cell_each:
        return {
            cell: Hint(
                weights[candidate.action],
                (figure(candidate, kind, short=True),),
                bold=0,
                chosen=candidate.action == chosen,
            )
            for candidate in explanation.choice.candidates
            for cell in explanation.cells[candidate.action]
        }
    total: dict[int, float] = {}
    for action, cells in explanation.cells.items():
        for cell in cells:
            total[cell] = total.get(cell, 0.0) + weights[action]
    most = max(total.values(), default=0.0) or 1.0
    marked = explanation.cells.get(chosen, frozenset())
    return {cell: Hint(weight / most, chosen=cell in marked) for cell, weight in total.items()}


def truth_hints(values: Mapping[int, int], cells: Mapping[int, frozenset[int]]) -> dict[int, Hint]:
    """The solver's word on every move, on the cell that it fills."""
    return {
        cell: Hint(TRUTH_WEIGHT[value], (TRUTH[value],), bold=0)
        for action, value in values.items()
        for cell in cells.get(action, frozenset())
    }


def belief_hints(shares: Mapping[int, float]) -> dict[int, Hint]:
    """How likely the other's stone lies on each cell that the player does not see."""
    return {
        cell: Hint(share, (f"{100 * share:.0f}%",), bold=0) for cell, share in shares.items() if share > 0
    }


class Row(NamedTuple):
    """A move in the list beside the board."""

    action: int
    move: str
    weight: float  # length of its bar
    figures: tuple[str, ...]  # in the order of the kinds known
    chosen: bool


def candidate_rows(explanation: Explanation, most: int = 8) -> list[Row]:
    """The best moves, best first, with all that is known of them."""
    kinds = known_kinds(explanation.choice)
    name = explanation.state.game.notation.name
    return [
        Row(
            candidate.action,
            name(candidate.action),
            explanation.weights[candidate.action],
            tuple(figure(candidate, kind) for kind in kinds),
            candidate.action == explanation.choice.action,
        )
        for candidate in explanation.choice.candidates[:most]
    ]


def value_of(choice: Choice) -> float | None:
    """What the mover may expect, from -1 to 1; None where the player tells no values of that kind."""
    candidate = next((c for c in choice.candidates if c.action == choice.action), None)
    if candidate is None or candidate.value is None or candidate.visits == 0:
        return None
    return max(-1.0, min(1.0, candidate.value))


def _weights(choice: Choice, kind: str) -> dict[int, float]:
    raw = {candidate.action: _figure(candidate, kind) for candidate in choice.candidates}
    if kind == "value":
        lowest = min(raw.values())
        raw = {action: value - lowest for action, value in raw.items()}
    most = max(raw.values()) or 1.0
    return {action: value / most for action, value in raw.items()}


def _figure(candidate: Candidate, kind: str) -> float:
    return float(getattr(candidate, kind) or 0.0)
