"""Gumbel search at the root: simulations are shared out among the candidates as mctx shares them out."""

from __future__ import annotations

import importlib
import json
from typing import Any

import numpy as np
import pytest

from tests.search.gumbel_roots import CASES, MCTX_FILE, MOST_LEGAL, SIMULATIONS, GumbelRoot, make_root
from zerosum.search.tree.gumbel import choose_gumbel, wanted_visits
from zerosum.search.tree.nodes import NODE, ROOT, clear_node

MCTX = json.loads(MCTX_FILE.read_text())


def planned(candidates: int, simulations: int) -> list[int]:
    return [int(wanted_visits(candidates, simulations, done)) for done in range(simulations)]


def root_visits(root: GumbelRoot, simulations: int, considered: int) -> list[int]:
    """Visits of each move after a search that finds every move worth what the root says."""
    nodes = np.zeros(1 + root.legal, dtype=NODE)
    clear_node(nodes, ROOT, 0, 1.0)
    nodes[ROOT]["first_child"], nodes[ROOT]["num_children"] = 1, root.legal
    nodes[ROOT]["value"] = root.value
    priors = np.exp(root.logits) / np.exp(root.logits).sum()
    for move in range(root.legal):
        clear_node(nodes, 1 + move, move, priors[move])
    for done in range(simulations):
        wanted = wanted_visits(min(considered, root.legal), simulations, done)
        child = int(choose_gumbel(nodes, ROOT, root.noise, wanted, root.value_scale))
        nodes[child]["visits"] += 1
        nodes[child]["total"] += root.values[child - 1]
    return [int(visits) for visits in nodes["visits"][1:]]


def test_halving_with_eight_moves_and_32_simulations() -> None:
    visits = [0] * 8
    for wanted in planned(8, 32):
        visits[visits.index(wanted)] += 1
    assert visits == [11, 11, 3, 3, 1, 1, 1, 1]


@pytest.mark.parametrize("simulations", SIMULATIONS)
def test_halving_is_mctxs(simulations: int) -> None:
    """For every root with 1 to 20 legal moves of which 4, 8 or 16 at most are considered."""
    for legal in range(1, 21):
        for considered in (4, 8, 16):
            candidates = min(considered, legal)
            assert planned(candidates, simulations) == MCTX[str(simulations)][candidates - 1]


@pytest.mark.parametrize(("simulations", "considered"), CASES)
def test_whole_roots_are_searched_as_mctx_searches_them(simulations: int, considered: int) -> None:
    roots = [make_root(legal) for legal in range(1, MOST_LEGAL + 1)]
    found = [root_visits(root, simulations, considered) for root in roots]
    assert found == MCTX["visits"][f"{simulations} {considered}"]


def test_the_golden_file_is_what_mctx_says_today() -> None:
    pytest.importorskip("mctx")
    live: Any = importlib.import_module("tests.search.mctx_goldens")
    assert live.considered_visits() == {str(n): MCTX[str(n)] for n in SIMULATIONS}
    assert live.root_visits() == MCTX["visits"]
