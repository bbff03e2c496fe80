"""Searches of what a network imagines: as a slow search in plain Python has them, and as mctx has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.search.made_up_model import MadeUpModel, SlowNode, SlowSearch
from tests.search.test_guided import random_state, visits_of
from zerosum.core.outcome import FIRST
from zerosum.games import make_game
from zerosum.search.tree.guided import GuidedSearch
from zerosum.search.tree.gumbel import gumbel_policy
from zerosum.search.tree.model import run_searches
from zerosum.search.tree.models.latents import LatentModel, list_best, search_latents, see_roots
from zerosum.search.tree.models.positions import search_positions
from zerosum.search.tree.nodes import ROOT
from zerosum.search.tree.policy import PolicyNumbers, TreePolicy
from zerosum.search.tree.puct import puct_policy
from zerosum.search.tree.searches import CACHED, DONE, EVALUATIONS, PROVEN, SIMULATIONS

SIZE = 5
POLICIES = {
    "puct": puct_policy(PolicyNumbers(exploration=1.5, first_play_urgency=0.2)),
    "gumbel": gumbel_policy(PolicyNumbers(explore=1, considered=4)),
}


def search_all(
    spec: str, policy: TreePolicy, simulations: int, most_children: int = 128, ends: bool = False
) -> LatentModel:
    """Several searches at once, from positions of different lengths."""
    game = make_game(spec)
    shape = MadeUpModel.latent_shape
    model = LatentModel(game, SIZE, simulations, shape, seed=3, most_children=most_children)
    for number in range(SIZE):
        model.begin(number, random_state(spec, number, number).view().position, simulations)
    run_searches(model, policy, MadeUpModel(game.num_actions, ends))
    return model


def assert_equal(nodes: Any, node: int, slow: SlowNode, mover: int, chooser: int) -> int:
    """Compare a tree with a slow one; returns how many nodes were asked about."""
    assert int(nodes[node]["visits"]) == slow.visits
    sign = (
        1 if chooser == mover else -1
    )  # a total is for who chose the node, the slow one's for who moves there
    assert float(nodes[node]["total"]) == pytest.approx(sign * slow.total, abs=1e-4)
    assert float(nodes[node]["prior"]) == pytest.approx(slow.prior, abs=1e-6)
    first, count = int(nodes[node]["first_child"]), int(nodes[node]["num_children"])
    assert nodes["action"][first : first + count].tolist() == list(slow.children)
    if slow.latent is None:
        return 0
    assert int(nodes[node]["mover"]) == mover
    assert float(nodes[node]["value"]) == slow.value
    below = zip(range(first, first + count), slow.children.values(), strict=True)
    return 1 + sum(
        assert_equal(nodes, child, found, mover if found.again else 1 - mover, mover)
        for child, found in below
    )


def test_a_search_of_latents_is_given_no_rules() -> None:
    """Those which look at the roots have them, and so do searches of positions."""
    kernels: tuple[Any, ...] = (search_latents, see_roots, search_positions)
    told = ["Rules(" in str(kernel.__wrapped__.signatures) for kernel in kernels]
    assert told == [False, True, True]


@pytest.mark.parametrize("simulations", [1, 7, 60])
@pytest.mark.parametrize("kind", POLICIES)
@pytest.mark.parametrize(
    ("spec", "most_children"),
    [("tictactoe", 9), ("connect4", 7), ("othello:6x6", 37), ("invisible-tictactoe", 9), ("qubic", 8)],
)
@pytest.mark.parametrize("ends", [False, True])
def test_trees_are_those_of_a_slow_search(
    spec: str, most_children: int, kind: str, simulations: int, ends: bool
) -> None:
    policy, game = POLICIES[kind], make_game(spec)
    model = search_all(spec, policy, simulations, most_children, ends)
    network = MadeUpModel(game.num_actions, ends)
    slow = SlowSearch(game, network, policy.numbers, most_children)
    for number in range(SIZE):
        position = model.searches.roots[number]
        noise = model.searches.noise[number] if kind == "gumbel" else None
        found = slow.run(position, simulations, noise)
        mover = int(game.rules.mover(game.table, position))
        nodes = model.searches.trees[number]
        asked = assert_equal(nodes, ROOT, found, mover, FIRST)
        assert asked == model.arrays.filled[number]
        assert asked == simulations + 1 or (ends and asked <= simulations)


@pytest.mark.parametrize("kind", POLICIES)
def test_every_simulation_asks_once_and_nothing_is_proven_or_remembered(kind: str) -> None:
    model = search_all("tictactoe", POLICIES[kind], 200)  # far past the end of the game
    assert (model.searches.status == DONE).all()
    counters = model.searches.counters
    assert counters[SIMULATIONS] == 200 * SIZE
    assert counters[EVALUATIONS] == 201 * SIZE  # the roots too
    assert (counters[CACHED], counters[PROVEN]) == (0, 0)
    assert (model.arrays.filled == 201).all()


@pytest.mark.parametrize("kind", POLICIES)
def test_where_the_network_says_that_all_is_over_it_is_not_asked_again(kind: str) -> None:
    model = search_all("tictactoe", POLICIES[kind], 200, ends=True)
    counters = model.searches.counters
    assert counters[SIMULATIONS] == 200 * SIZE
    assert counters[CACHED] > 0
    assert counters[EVALUATIONS] + counters[CACHED] == 201 * SIZE
    assert counters[PROVEN] == 0


def test_a_latent_is_what_the_network_made_of_its_parents_and_the_action() -> None:
    model = search_all("connect4", POLICIES["puct"], 50)
    network = MadeUpModel(7)
    for number in range(SIZE):
        nodes, places = model.searches.trees[number], model.arrays.places[number]
        for node in range(int(model.searches.used[number])):
            first, count = int(nodes["first_child"][node]), int(nodes["num_children"][node])
            for child in range(first, first + count):
                if nodes["first_child"][child] >= 0:
                    before = model.latents[number, places[node]]
                    after = network.step(before[None], nodes["action"][child : child + 1].astype(np.int64))[0]
                    assert model.latents[number, places[child]].tolist() == after[0].tolist()


@pytest.mark.parametrize("most", [1, 3, 8, 20])
def test_the_best_actions_are_those_of_highest_logit(most: int) -> None:
    rng = np.random.default_rng(most)
    for _ in range(50):
        logits = rng.integers(-4, 5, 12).astype(np.float32)  # with ties, of which the first are taken
        actions = np.zeros(20, dtype=np.int64)
        count = int(list_best(logits, actions, most))
        best = sorted(np.argsort(-logits, kind="stable")[:most].tolist())
        assert actions[:count].tolist() == best


def test_a_player_searches_by_latents_as_by_positions() -> None:
    state = random_state("connect4", 4, 1)
    model = LatentModel(state.game, 1, 40, MadeUpModel.latent_shape)
    search = GuidedSearch(model, MadeUpModel(7), 40)
    found = search.run(state.position)
    assert sorted(move.action for move in found) == state.legal_actions()
    assert sum(map(visits_of, found)) == 40
    assert found == search.run(state.position)
    assert search.principal_line()[0] == max(found, key=visits_of).action
