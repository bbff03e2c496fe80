"""Make the hard Connect Four positions that ``zerosum strength`` judges moves in; they ship with the package.

``python scripts/make_hard_positions.py`` fills ``src/zerosum/arena/strength/solved/connect4-CLASS.txt`` in a
quarter of an hour. They come from games of players who know something and err: in each the mover has
something to lose, the result hangs on one or two moves, and the end under best play is far away. What is
found is added to its file at once, and a run that was stopped goes on where it was, so that the same
positions come of it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

from zerosum.arena.strength.positions import SOLVED
from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_below
from zerosum.core.running.files import append_line, read_text
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.exact.connect4.solver import Connect4Solver
from zerosum.search.exact.solution import DRAW, LOSS, WIN
from zerosum.search.tree.uct import TreeSearch

MOST_RIGHT = 2  # moves that keep the result
LEAST_LEGAL = 4
SIMULATIONS = (100, 300, 1000)  # of the players; one of these for each in a game
RANDOM_MOVES = 6  # one of so many is drawn at random


class Class(NamedTuple):
    name: str
    positions: int
    nearest: int  # plies to the end under best play
    farthest: int


class Stage(NamedTuple):
    """From where positions are drawn, and into which classes they fall."""

    least: int  # stones on the board
    most: int
    draws: int  # the latest of so many moments is taken: there are few early positions, each takes long
    classes: tuple[Class, ...]


STAGES = (
    Stage(15, 28, 1, (Class("middle", 2000, 14, 27),)),
    Stage(2, 14, 6, (Class("opening", 700, 14, 28), Class("hardest", 300, 29, 42))),
)
HEADER = (
    "# Connect Four positions of players who err, with {0.least} to {0.most} stones, drawn and solved by",
    "# scripts/make_hard_positions.py: a line has the columns played, every column that keeps the exact",
    "# result, one or two, and the number of the draw. Best play lasts {1.nearest} to {1.farthest} plies.",
)


class Maker:
    """Draws positions and solves them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.solver = Connect4Solver(game)
        self.search = TreeSearch(game, exploration=1.0)

    def spell(self, actions: Sequence[int]) -> str:
        return "".join(map(self.game.notation.name, actions))

    def after(self, moves: str) -> State:
        """The position after moves that are spelt."""
        state = self.game.new()
        state.play_moves(moves)
        return state

    def draw(self, stage: Stage, number: int) -> State | None:
        """The position of a draw; None where the game was over before."""
        rng = make_rng("hard", stage.least, number)
        simulations = [SIMULATIONS[random_below(rng, len(SIMULATIONS))] for _ in range(2)]
        plies = max(random_below(rng, stage.most - stage.least + 1) for _ in range(stage.draws))
        state = self.game.new()
        for _ in range(stage.least + plies):
            if state.finished:
                return None
            legal = state.legal_actions()
            if random_below(rng, RANDOM_MOVES) == 0:
                state.play(legal[random_below(rng, len(legal))])
            else:
                self.search.forget()
                self.search.run(state.position, simulations[state.mover], rng)
                state.play(self.search.root_actions()[0].action)
        return None if state.finished else state

    def right_moves(self, state: State) -> tuple[int, list[int]]:
        """The value of a position, and the moves that keep it; none where that is nothing to be good at."""
        value = self.solver.score(state.position, Watch(), LOSS, WIN)
        right: list[int] = []
        legal = state.legal_actions()
        if value == LOSS or len(legal) < LEAST_LEGAL:
            return value, []
        for action in sorted(legal, key=lambda column: (abs(column - 3), column)):  # the best are often there
            if self.reaches(state, action, value):
                right.append(action)
            if len(right) > MOST_RIGHT:
                return value, []
        return value, sorted(right)

    def reaches(self, state: State, action: int, value: int) -> bool:
        """Whether a move is worth at least so much, a win or a draw."""
        after = state.copy()
        after.play(action)
        if after.finished:
            return True  # nobody loses by his own move
        return self.solver.score(after.position, Watch(), -value, 1 - value) == -value

    def class_of(self, stage: Stage, state: State, value: int) -> Class | None:
        """The class of a position that is won or drawn, by how long the loser can resist."""
        done = len(state.history)
        for kind in stage.classes:
            if value == DRAW:
                plies = self.game.num_cells - done
                if kind.nearest <= plies <= kind.farthest:
                    return kind
            elif self.lasts(state, kind.nearest) and not self.lasts(state, kind.farthest + 1):
                return kind
        return None

    def lasts(self, state: State, plies: int) -> bool:
        """Whether the winner, who is to move, needs at least so many plies."""
        stones = (plies + 2) // 2 + len(state.history) // 2  # of the winner at the end, at least
        most = self.game.num_cells // 2 + 1 - stones  # the score if he needs just those
        return most >= WIN and self.solver.score(state.position, Watch(), most, most + 1) == most


def fill(maker: Maker, stage: Stage) -> None:
    """Add positions until there are enough of every class."""
    files = {kind: SOLVED / f"{maker.game.spec}-{kind.name}.txt" for kind in stage.classes}
    seen: set[bytes] = set()
    found, number = dict.fromkeys(stage.classes, 0), 0
    for kind, file in files.items():
        if not file.exists():
            for line in HEADER:
                append_line(file, line.format(stage, kind))
        for moves, _, drawn in (line.split() for line in read_text(file).splitlines() if line[0] != "#"):
            seen.add(maker.after(moves).position.tobytes())
            found[kind] += 1
            number = max(number, int(drawn) + 1)
    while any(found[kind] < kind.positions for kind in stage.classes):
        state = maker.draw(stage, number)
        if state and state.position.tobytes() not in seen:
            seen.add(state.position.tobytes())
            value, right = maker.right_moves(state)
            wanted = maker.class_of(stage, state, value) if right else None
            if wanted and found[wanted] < wanted.positions:
                append_line(files[wanted], f"{maker.spell(state.history)} {maker.spell(right)} {number}")
                found[wanted] += 1
        number += 1
        told = ", ".join(f"{kind.name} {count} of {kind.positions}" for kind, count in found.items())
        print(f"\r{told}; {number} drawn", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def main() -> None:
    maker = Maker(make_game("connect4"))
    for stage in STAGES:
        fill(maker, stage)


if __name__ == "__main__":
    main()
