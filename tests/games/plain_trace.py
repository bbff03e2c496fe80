"""A few random games as numbers, to be compared between compiled rules and plain Python.

Run as a program it prints the traces of the specs it is given, as JSON.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_below
from zerosum.games import make_game

GAMES = 2


def trace(game: Game, plies: int) -> list[Any]:
    """What every rule answers along some random games, the last ones from a rollout to the end."""
    return [_trace_one(game, plies, seed) for seed in range(GAMES)]


def _trace_one(game: Game, plies: int, seed: int) -> list[Any]:
    rules, table, rng = game.rules, game.table, make_rng("trace", seed)
    state = game.new(seed)
    seen: list[Any] = []
    for _ in range(plies):
        planes = np.zeros(len(game.planes) * game.num_cells, dtype=np.float32)
        rules.encode(table, state.position, planes)
        legal = state.legal_actions()
        view = [int(word) for word in state.view().position]
        estimate = round(float(rules.heuristic(table, state.position)), 9)
        words = [int(word) for word in state.position]
        seen.append([words, legal, state.mover, state.outcome, state.score, estimate, view, planes.tolist()])
        if not legal:
            break
        state.play(legal[random_below(rng, len(legal))])
    if plies >= 10:  # where the rules are quick enough to play to the end
        actions = np.zeros(game.max_legal, dtype=np.int64)
        outcome = int(rules.rollout(table, state.position, actions, rng))
        seen.append([outcome, [int(word) for word in state.position]])
    return seen


if __name__ == "__main__":
    np.seterr(over="ignore")  # words wrap around, in numpy with a warning
    plan = json.loads(sys.argv[1])
    print(json.dumps({spec: trace(make_game(spec), plies) for spec, plies in plan.items()}))
