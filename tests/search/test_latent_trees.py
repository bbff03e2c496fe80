"""Whole searches of what a network imagines are mctx's: visits at two levels, and what is taught."""

from __future__ import annotations

import importlib
import json
from typing import Any

import numpy as np
import pytest

from tests.search.latent_roots import (
    ACTIONS,
    CASES,
    CONSIDERED,
    EXPLORATION,
    TREES_FILE,
    URGENCY,
    VALUE_SCALE,
    FewStates,
    make_roots,
)
from zerosum.games import make_game
from zerosum.search.tree.gumbel import gumbel_policy
from zerosum.search.tree.model import run_searches
from zerosum.search.tree.models.latents import LatentModel
from zerosum.search.tree.nodes import ROOT, children_of
from zerosum.search.tree.policy import PolicyNumbers, TreePolicy
from zerosum.search.tree.puct import puct_policy
from zerosum.search.tree.searches import SEARCHING

MCTX = json.loads(TREES_FILE.read_text())
POLICIES = {
    "puct": puct_policy(PolicyNumbers(exploration=EXPLORATION, first_play_urgency=URGENCY)),
    "gumbel": gumbel_policy(
        PolicyNumbers(
            exploration=EXPLORATION,
            first_play_urgency=URGENCY,
            value_scale=VALUE_SCALE,
            considered=CONSIDERED,
        )
    ),
}


def searched(kind: str, simulations: int) -> list[dict[str, Any]]:
    """As mctx_trees.py has it."""
    network = FewStates()
    roots = make_roots(network)
    policy = POLICIES[kind]
    model = LatentModel(make_game("tictactoe"), len(roots), simulations, FewStates.latent_shape)
    for number, root in enumerate(roots):
        model.begin(number, root.state.position, 0)
    run_searches(model, policy, network)  # the roots have their children now: their noise can be set
    for number, root in enumerate(roots):
        model.searches.noise[number, : len(root.legal)] = root.noise[root.legal]
    model.searches.target[:] = simulations
    model.searches.status[:] = SEARCHING
    run_searches(model, policy, network)
    return [_found(model, number, policy) for number in range(len(roots))]


def _found(model: LatentModel, number: int, policy: TreePolicy) -> dict[str, Any]:
    nodes = model.searches.trees[number]
    visits, below, taught = np.zeros(ACTIONS, int), np.zeros((ACTIONS, ACTIONS), int), np.zeros(ACTIONS)
    shares = np.zeros(ACTIONS)
    policy.teach(nodes, policy.numbers, 1.0, shares)
    for place, child in enumerate(children_of(nodes, ROOT)):
        action = int(nodes["action"][child])
        visits[action], taught[action] = nodes["visits"][child], shares[place]
        for grandchild in children_of(nodes, child):
            below[action, nodes["action"][grandchild]] = nodes["visits"][grandchild]
    return {"visits": visits.tolist(), "below": below.tolist(), "policy": taught.tolist()}


@pytest.mark.parametrize(("kind", "simulations"), CASES)
def test_trees_are_mctxs(kind: str, simulations: int) -> None:
    for ours, theirs in zip(searched(kind, simulations), MCTX[f"{kind} {simulations}"], strict=True):
        assert sum(ours["visits"]) == simulations
        assert ours["visits"] == theirs["visits"]
        assert ours["below"] == theirs["below"]
        assert ours["policy"] == pytest.approx(theirs["policy"], abs=2e-4)


def test_the_golden_file_is_what_mctx_says_today() -> None:
    pytest.importorskip("mctx")
    live: Any = importlib.import_module("tests.search.mctx_trees")
    kind, simulations = CASES[-2]
    assert live.searched(kind, simulations) == MCTX[f"{kind} {simulations}"]
