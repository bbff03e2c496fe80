"""PettingZoo's and Gymnasium's own checks over every game, many seeds each: the tests try a few of them.

pip install 'zerosum[env]', then: python benchmarks/environment_checks.py [SEEDS]
"""

from __future__ import annotations

import sys
import warnings
from time import perf_counter

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from zerosum.adapters import gymnasium as our_gymnasium
from zerosum.adapters import pettingzoo as our_pettingzoo
from zerosum.games import list_games, make_game

SPECS = {"gomoku": "gomoku:7x7", "mnk": "mnk:5x4x4", "invisible-mnk": "invisible-mnk:4x4x3"}
GAMES = [SPECS.get(listing.name, listing.name) for listing in list_games()]


def check_pettingzoo(spec: str, seeds: int) -> None:
    """Each check stops with the first game that ends, so it is called again and again."""
    game = make_game(spec)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # about observations that are dictionaries
        environment = our_pettingzoo.env(game)
        for seed in range(seeds):
            environment.reset(seed=seed)
            api_test(environment, num_cycles=2 * game.max_plies)
            seed_test(lambda: our_pettingzoo.env(game), num_cycles=2 * game.max_plies)


def check_gymnasium(name: str) -> None:
    """One environment, by its id."""
    game = {} if our_gymnasium.GAMES[name] else {"game": "mnk:5x5x4"}
    check_env(gymnasium.make(f"zerosum/{name}-v0", **game).unwrapped, skip_render_check=True)


def main(seeds: int) -> None:
    for spec in GAMES:
        began = perf_counter()
        check_pettingzoo(spec, seeds)
        print(f"{spec:24} api_test and seed_test passed {seeds} times in {perf_counter() - began:.0f} s")
    for name in our_gymnasium.GAMES:
        check_gymnasium(name)
        print(f"zerosum/{name}-v0".ljust(24), "check_env passed")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
