"""Write the rules of a game in a few lines; everything else is there already."""

# %% [markdown]
# # A game of your own
#
# Nim in rows: on a row of cells, players in turn fill one cell or two neighbouring ones; whoever fills the
# last cell wins. (The game is known as Kayles. Whoever begins wins, whatever the length of the row: play
# the middle, then mirror.) A game is a handful of functions on a short vector of 64-bit words; they are
# compiled as they are loaded.

# %%
from pathlib import Path

RULES = '''
"""Kayles: fill one free cell of a row, or two neighbouring ones; who fills the last one wins.

Spelling: ./kayles.py (9 cells), ./kayles.py:7
"""

import numpy as np

from zerosum.core.compiling.compile import INT, UINT, Words, gather_rules, rule
from zerosum.core.game import Game
from zerosum.core.naming.notation import named_actions
from zerosum.core.outcome import FIRST_WINS, UNFINISHED
from zerosum.core.picture import BRICK, EMPTY, Picture
from zerosum.core.state import State
from zerosum.core.symmetry import Symmetries

MOVER, FILLED = 0, 1  # in the position: who is to move, and a bit for each filled cell
CELLS = 0  # in the table


@rule
def kayles_start(table: Words, position: Words, rng: Words) -> None:
    position[:] = UINT(0)


@rule
def kayles_legal(table: Words, position: Words, actions: Words) -> int:
    """Action a < cells fills cell a; action cells + a fills a and its right neighbour."""
    cells, filled, count = INT(table[CELLS]), position[FILLED], 0
    for cell in range(cells):
        if (filled >> UINT(cell)) & UINT(1) == UINT(0):
            actions[count] = cell
            count += 1
    for cell in range(cells - 1):
        if (filled >> UINT(cell)) & UINT(3) == UINT(0):
            actions[count] = cells + cell
            count += 1
    return count


@rule
def kayles_play(table: Words, position: Words, action: int) -> None:
    cells = INT(table[CELLS])
    if action < cells:
        position[FILLED] |= UINT(1) << UINT(action)
    else:
        position[FILLED] |= UINT(3) << UINT(action - cells)
    position[MOVER] = UINT(1) - position[MOVER]


@rule
def kayles_mover(table: Words, position: Words) -> int:
    return INT(position[MOVER])


@rule
def kayles_outcome(table: Words, position: Words) -> int:
    if position[FILLED] != (UINT(1) << table[CELLS]) - UINT(1):
        return UNFINISHED
    return FIRST_WINS + 1 - INT(position[MOVER])  # who moved last


@rule
def kayles_encode(table: Words, position: Words, planes: Words) -> None:
    for cell in range(INT(table[CELLS])):
        planes[cell] = (position[FILLED] >> UINT(cell)) & UINT(1)


RULES = gather_rules(
    kayles_start, kayles_legal, kayles_play, kayles_mover, kayles_outcome, kayles_encode
)


def make(variant: str) -> Game:
    cells = int(variant or 9)
    singles = [str(cell + 1) for cell in range(cells)]
    pairs = [f"{cell + 1}-{cell + 2}" for cell in range(cells - 1)]
    mirrored = [*reversed(range(cells)), *(2 * cells - 2 - pair for pair in range(cells - 1))]

    def picture(state: State) -> Picture:
        filled = int(state.position[FILLED])
        marks = [BRICK if filled >> cell & 1 else EMPTY for cell in range(cells)]
        return Picture((1, cells), marks, (), singles)

    return Game(
        spec=f"kayles:{cells}",
        title=f"Kayles, {cells} cells",
        rules=RULES,
        table=np.array([cells], dtype=np.uint64),
        position_words=2,
        num_actions=2 * cells - 1,
        max_legal=2 * cells - 1,
        max_plies=cells,
        shape=(1, cells),
        planes=("filled",),
        symmetries=Symmetries(
            np.array([range(cells), range(cells - 1, -1, -1)]), np.array([range(2 * cells - 1), mirrored])
        ),
        notation=named_actions([*singles, *pairs], r"[0-9]+(-[0-9]+)?"),
        picture=picture,
    )
'''
Path("kayles.py").write_text(RULES.strip() + "\n")

# %% [markdown]
# `zerosum.make_game` takes the file's name. (`./zerosum check-game kayles.py` would try the rules and
# explain what is wrong with them.)

# %%
import zerosum

game = zerosum.make_game("./kayles.py")
state = game.new()
state.play_moves("5 1 9")
state

# %% [markdown]
# Every player plays it, at the speed of machine code.

# %%
for row in zerosum.run_tournament(game, ["random", "mcts:50", "mcts:500"], games=10).standings():
    print(f"{row.name:10} {row.rating:+5.0f}  {row.total}")

# %% [markdown]
# And the exact solver says that the first player wins, from every length.

# %%
{cells: str(zerosum.solve(zerosum.make_game(f"./kayles.py:{cells}").new()).outcome) for cells in range(2, 10)}

# %% [markdown]
# Learning needs nothing more either.

# %%
run = zerosum.train(game, method="q-learning", episodes=3000, seed=1)
zerosum.play_match(game, run.player(), "random", games=20)
