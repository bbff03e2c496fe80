"""Alpha-beta search to a fixed depth on the game's heuristic, ties broken at random.

Spelling: minimax (2 plies deep), minimax:4
"""

from __future__ import annotations

from functools import partial

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.naming.spec import read_count
from zerosum.core.random import make_rng
from zerosum.core.running.watch import Watch
from zerosum.core.state import View
from zerosum.players.common.choosing import choose_best, refuse_hidden
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import Arguments
from zerosum.search.lookahead.minimax import rate_actions

DEFAULT_DEPTH = 2  # BRICK's
AT_ONCE = 2  # plies; over before anybody could want to stop it


class MinimaxPlayer:
    def __init__(self, depth: int) -> None:
        self.spec = f"minimax:{depth}"
        self.depth = depth
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng(self.spec, seed)

    def choose(self, view: View) -> Choice:
        watch = Watch()
        look = partial(rate_actions, view.game, view.position, self.depth, watch)
        rated = look() if self.depth <= AT_ONCE else watch.run(look)
        return choose_best(rated, self.rng)


def make(arguments: Arguments, game: Game) -> MinimaxPlayer:
    arguments.require_only(value=True)
    refuse_hidden("minimax", game)
    if not game.has_heuristic:
        raise BadSpec(f"minimax needs a heuristic, and {game.spec} has none; try mcts:1000")
    text = arguments.value or str(DEFAULT_DEPTH)
    depth = read_count(text)
    if depth is None or not 1 <= depth <= 64:
        raise BadSpec(f"minimax takes a depth from 1 to 64, as in minimax:2, not '{arguments.spec}'")
    return MinimaxPlayer(depth)
