"""The policy that a player in fact plays in a small hidden game, found by asking it.

A player that says its ``chances`` is taken at its word. Any other is asked for its choice at every view that
its own earlier choices let it reach, in a game of its own each time, from as many seeds as wanted; one whose
answers are all the same from two seeds is taken to draw nothing at random.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.core.state import View
from zerosum.players.common.player import Player
from zerosum.search.imperfect.measurable import worlds_of
from zerosum.search.imperfect.turns import turns_of
from zerosum.search.imperfect.values import Policies, Policy, uniform_policies

# Told how many views were asked about, and how many are known to be reachable so far.
Progress = Callable[[int, int], None]


@runtime_checkable
class DrawsByChances(Protocol):
    """A player that knows how likely each of its choices is."""

    def chances(self, view: View) -> NDArray[np.float64]:
        """[action], summing to 1."""


@dataclass(frozen=True)
class Asked:
    policies: Policies  # uniform at views that the player never comes to
    views: int  # how many it was asked about
    seeds: int  # how often at each; 0 where it said its chances


def ask(player: Player, game: Game, samples: int, seed: int, progress: Progress) -> Asked:
    """A player's policies in both seats; raises Unsolvable where the game is too large."""
    exact = isinstance(player, DrawsByChances)
    seeds = 0 if exact else min(2, samples)
    found = _ask_both(player, game, seeds, seed, progress)
    draws = any(((policy > 0) & (policy < 1) & (asked[:, None] > 0)).any() for policy, asked in found)
    if not exact and draws and samples > seeds:
        seeds = samples
        found = _ask_both(player, game, seeds, seed, progress)
    (first, of_first), (second, of_second) = found
    return Asked((first, second), int(of_first.sum() + of_second.sum()), seeds)


def _ask_both(
    player: Player, game: Game, seeds: int, seed: int, progress: Progress
) -> list[tuple[Policy, NDArray[np.bool_]]]:
    """For each seat the policy, and the views that the player was asked about."""
    worlds = worlds_of(game)
    result = []
    before = 0
    for seat, policy in enumerate(uniform_policies(worlds)):
        turns = turns_of(worlds, seat)
        reached = np.zeros(len(policy), dtype=bool)
        reached[turns.first_views] = True
        asked = 0
        for view in turns.view_order().tolist():
            if reached[view]:
                policy[view] = _chances(player, worlds.example(game, seat, view), seeds, seed)
                for action in np.flatnonzero(policy[view]).tolist():
                    reached[turns.views_after(view, action)] = True
                asked += 1
                progress(before + asked, before + int(reached.sum()))
        before += asked
        result.append((policy, reached))
    return result


def _chances(player: Player, view: View, seeds: int, seed: int) -> NDArray[np.float64]:
    if isinstance(player, DrawsByChances):
        return player.chances(view)
    counts = np.zeros(view.game.num_actions)
    for number in range(seeds):
        player.new_game(seed + number)
        counts[player.choose(view).action] += 1
    return counts / seeds
