"""One number for what searches find: it must be the same on every machine, or matches are not.

Counts of moves, visits of tree searches, values of minimax and results of solvers, from fixed positions with
fixed seeds, are written down as text; the signature is the digest of that. Speed plays no part, nor does a
network: their arithmetic is allowed to differ from processor to processor.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from zerosum.core.random import make_rng, random_below
from zerosum.core.running.files import digest
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.players.common.registry import make_player
from zerosum.search.enumerate.count import perft
from zerosum.search.exact.solve import solve

SIGNATURE = "b98bf5401e0b8af6"  # of this version; a change of rules or searches that is meant changes it

# Game, and how deep its moves are counted.
COUNTED = (
    ("tictactoe", 6),
    ("connect4", 6),
    ("othello", 5),
    ("brick:random", 3),
    ("qubic", 2),
    ("gomoku", 2),
    ("abalone", 2),
    ("blokus", 1),
    ("invisible-connect4", 4),
)
# Game, random moves that are played first, and who then thinks.
THOUGHT = (
    ("connect4", 4, "mcts:4000"),
    ("othello", 10, "mcts:2000"),
    ("brick:random", 3, "mcts:3000"),
    ("qubic", 8, "mcts:2000"),
    ("abalone", 6, "mcts:100"),
    ("blokus", 4, "mcts:200"),
    ("invisible-tictactoe", 3, "catchup:200"),
    ("invisible-connect4", 5, "determinised:200"),
    ("connect4", 6, "minimax:5"),
    ("brick:random", 4, "minimax:2"),
    ("othello", 12, "minimax:3"),
)
# Game, and random moves after which it is solved.
SOLVED = (("tictactoe", 0), ("connect4", 16), ("brick:random", 4), ("othello", 50))


def signature() -> str:
    """The digest of all that is found; equal to SIGNATURE wherever all is well."""
    return digest("\n".join(findings()).encode())


def findings() -> Iterator[str]:
    """What is found, a line each."""
    for spec, depth in COUNTED:
        game = make_game(spec)
        yield f"{spec} {depth}: {perft(game, game.new().position, depth, Watch())}"
    for spec, plies, player in THOUGHT:
        state = _middle(spec, plies)
        thinker = make_player(player, state.game)
        thinker.new_game(0)
        choice = thinker.choose(state.view())
        found = [
            (c.action, c.visits if c.visits is not None else f"{c.value:.9g}") for c in choice.candidates
        ]
        yield f"{spec} {state.history} {player}: {choice.action} of {sorted(found)}"
    for spec, plies in SOLVED:
        state = _middle(spec, plies)
        solution = solve(state.game, state.position, Watch())
        yield f"{spec} {state.history}: {solution.value} by {solution.best}, {solution.nodes} positions"


def _middle(spec: str, plies: int) -> State:
    """A game in which so many moves were drawn at random, the first such that goes on."""
    for number in count():
        state = make_game(spec).new()
        rng = make_rng("signature", spec, number)
        while not state.finished and len(state.history) < plies:
            legal = state.legal_actions()
            state.play(legal[random_below(rng, len(legal))])
        if not state.finished:
            return state
    raise AssertionError("a count has no end")
