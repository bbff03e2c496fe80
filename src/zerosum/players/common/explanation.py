"""Why a player chose its move, on the board itself: each move's figures where the move would be made.

Where a move lies is learnt from the game's own picture: it is what would be marked as the last move.
"""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.core.picture import EMPTY
from zerosum.core.state import State, View
from zerosum.draw.svg_hints import Hint
from zerosum.players.common.player import Candidate, Choice

KINDS = ("prior", "visits", "value")  # of figures, in the order in which they are shown
ROOM = 6  # letters of a short figure


@dataclass(frozen=True)
class Explanation:
    """A choice with what the board needs to show it."""

    state: State  # as the player saw it: where something is hidden, nothing else may be shown
    player: str
    choice: Choice
    weights: dict[int, float]  # of each candidate's action, from 0 to 1; 1 for the one that counts most
    cells: dict[int, frozenset[int]]  # the empty cells that each would fill; none for a pass

    @property
    def one_cell_each(self) -> bool:
        """Whether every move has a cell of its own, or none, so that figures can stand on it."""
        filled = [cell for cells in self.cells.values() for cell in cells]
        return len(filled) == len(set(filled)) and all(len(cells) <= 1 for cells in self.cells.values())

    def svg_hints(self) -> dict[int, Hint]:
        """Notes for the picture: all figures of a move, or, where moves overlap, how much lies on a cell."""
        if self.one_cell_each:
            return {
                cell: self._hint(candidate)
                for candidate in self.choice.candidates
                for cell in self.cells[candidate.action]
            }
        total: dict[int, float] = {}
        for action, cells in self.cells.items():
            for cell in cells:
                total[cell] = total.get(cell, 0.0) + self.weights[action]
        most = max(total.values(), default=0.0) or 1.0
        chosen = self.cells.get(self.choice.action, frozenset())
        return {cell: Hint(weight / most, chosen=cell in chosen) for cell, weight in total.items()}

    def text_hints(self) -> dict[int, str]:
        """Notes for the terminal: what counts most of each move, where moves have cells of their own."""
        if not self.one_cell_each:
            return {}
        known = known_kinds(self.choice)
        kind = next(kind for kind in ("visits", "prior", "value") if kind in known)
        return {
            cell: figure(candidate, kind, short=True)
            for candidate in self.choice.candidates
            for cell in self.cells[candidate.action]
        }

    def _hint(self, candidate: Candidate) -> Hint:
        kinds = known_kinds(self.choice)
        lines = tuple(filter(None, (figure(candidate, kind, short=True) for kind in kinds)))
        bold = kinds.index("visits") if "visits" in kinds else -1
        return Hint(self.weights[candidate.action], lines, bold, candidate.action == self.choice.action)


def explain(view: View, player: str, choice: Choice) -> Explanation:
    """The explanation of a choice from what the mover saw in a game that is on; ``player`` is who chose."""
    state = view.as_state()
    cells = {candidate.action: _filled(state, candidate.action) for candidate in choice.candidates}
    return Explanation(state, player, choice, _weights(choice), cells)


def known_kinds(choice: Choice) -> list[str]:
    """Which of KINDS the player told of its moves; where nothing was searched, visits tell nothing."""
    told = [kind for kind in KINDS if any(getattr(c, kind) is not None for c in choice.candidates)]
    searched = any(candidate.visits != 0 for candidate in choice.candidates)
    return told if searched else [kind for kind in told if kind != "visits"]


def foremost(choice: Choice, most: int) -> tuple[Candidate, ...]:
    """The first so many candidates; the chosen one is among them, though others may be as good."""
    first = choice.candidates[:most]
    chosen = tuple(c for c in choice.candidates[most:] if c.action == choice.action)
    return first[: most - len(chosen)] + chosen


def figure(candidate: Candidate, kind: str, short: bool = False) -> str:
    """What is known of a move, of one kind; short ones fit a cell. Empty where nothing is known."""
    value = getattr(candidate, kind)
    if value is None:
        return ""
    if kind == "visits":
        return f"{value:,}"
    if kind == "prior":
        return f"{100 * value:.0f}%" if short and 0.0995 <= value <= 0.995 else f"{100 * value:.1f}%"
    if candidate.visits is not None:
        return f"{value:+.2f}"
    if value == 0:
        return "0"
    return _compact(f"{value:+.2g}", value) if short else f"{value:+.3g}"


def _compact(text: str, value: float) -> str:
    """Small numbers, such as heuristics give, with an exponent: -6.2e-4 for -0.00062."""
    if len(text) <= ROOM:
        return text
    digits, exponent = f"{value:+.1e}".split("e")
    return f"{digits}e{int(exponent)}"


def _weights(choice: Choice) -> dict[int, float]:
    """Visits where there are any; priors where nothing was searched; else values, from worst to best."""
    candidates = choice.candidates
    raw = [float(c.visits or 0) for c in candidates]
    if not any(raw):
        raw = [c.prior or 0.0 for c in candidates]
    if not any(raw):
        values = [c.value or 0.0 for c in candidates]
        lowest = min(values)
        raw = [value - lowest for value in values] if max(values) > lowest else [1.0] * len(values)
    most = max(raw)
    return {c.action: weight / most for c, weight in zip(candidates, raw, strict=True)}


def candidate_arrows(explanation: Explanation, most: int = 3) -> list[tuple[int, int]]:
    """From cell to cell, the steps of the best moves, in games whose pieces move; of others none."""
    found: list[tuple[int, int]] = []
    for candidate in explanation.choice.candidates[:most]:
        after = explanation.state.copy()
        after.play(candidate.action)
        found += after.picture().arrows
    return found


def _filled(state: State, action: int) -> frozenset[int]:
    before = state.game.picture(state)
    after = state.copy()
    after.play(action)
    return frozenset(cell for cell in state.game.picture(after).last if before.marks[cell] == EMPTY)
