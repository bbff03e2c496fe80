"""Old games searched anew: the moves stay as they were played, the policies are those of today's network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.learn.alphazero.lessons.replay import Replay
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.search.tree.model import run_searches
from zerosum.search.tree.models.latents import LatentModel
from zerosum.search.tree.nodes import ROOT
from zerosum.search.tree.policy import TreePolicy

AT_ONCE = 128  # searches in a batch


def reanalyse(
    replay: Replay,
    evaluator: LatentEvaluator,
    policy: TreePolicy,
    simulations: int,
    wanted: int,
    rng: np.random.Generator,
    tell: Callable[[int, int], None],
) -> dict[str, NDArray[Any]]:
    """Columns of whole games drawn from a window, at least so many positions, with new policy targets.

    ``tell`` hears how many positions are searched, and of how many.
    """
    rows = draw_games(replay.columns["left"], wanted, rng)
    columns = {name: column[rows].copy() for name, column in replay.columns.items()}
    model = LatentModel(
        replay.game, AT_ONCE, simulations, evaluator.latent_shape, seed=int(rng.integers(2**31))
    )
    shares = np.zeros(replay.game.max_legal)
    for first in range(0, len(rows), AT_ONCE):
        tell(first, len(rows))
        chunk = range(first, min(first + AT_ONCE, len(rows)))
        for number, row in enumerate(chunk):
            model.begin(number, columns["positions"][row], simulations)
        run_searches(model, policy, evaluator)
        for number, row in enumerate(chunk):
            nodes = model.searches.trees[number]
            policy.teach(nodes, policy.numbers, 1.0, shares)
            _write_policy(nodes, shares, columns["actions"][row], columns["policy_targets"][row])
    return columns


def draw_games(left: NDArray[np.uint16], wanted: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows of games, each game's in order, until there are so many or no games are left."""
    starts = np.flatnonzero(np.concatenate([[True], left[:-1] == 1]))
    found: list[int] = []
    for start in rng.permutation(starts):
        if len(found) >= wanted:
            break
        found += range(start, start + int(left[start]))
    return np.array(found, dtype=np.int64)


def _write_policy(
    nodes: NDArray[np.void],
    shares: NDArray[np.float64],
    actions: NDArray[np.uint16],
    targets: NDArray[np.float32],
) -> None:
    """The largest entries of the root's policy, as many as are kept, in place."""
    first, count = int(nodes[ROOT]["first_child"]), int(nodes[ROOT]["num_children"])
    order = np.argsort(-shares[:count], kind="stable")[: len(actions)]
    actions[:], targets[:] = 0, 0.0
    actions[: len(order)] = nodes["action"][first + order]
    targets[: len(order)] = shares[order] / shares[order].sum()
