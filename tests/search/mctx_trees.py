"""Whole searches of a made-up model by mctx, DeepMind's search library; kept in ``golden/mctx_trees.json``.

``python -m tests.search.mctx_trees`` writes the file again. It needs mctx and JAX, which the tests do not.

Two things are set as they are here, where mctx leaves a choice: a move never tried is guessed to be worth
what its parent is, less a little, with values as they are; and below a Gumbel root PUCT chooses.
"""

from __future__ import annotations

import json
from functools import partial
from importlib.metadata import version
from typing import Any
from unittest import mock

import jax
import jax.numpy as jnp
import mctx
import numpy as np
from mctx._src import action_selection

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

NO_GROWTH = 1e9  # visits after which mctx's PUCT begins to explore more


def guessed(tree: Any, node: Any) -> Any:
    """What moves have returned; of those never tried, a guess."""
    guess = jnp.maximum(-1.0, tree.node_values[node] - URGENCY)
    return jnp.where(tree.children_visits[node] > 0, tree.qvalues(node), guess)


def puct_below(key: Any, tree: Any, node: Any, depth: Any, *, qtransform: Any) -> Any:
    """In the place of mctx's choice below a Gumbel root."""
    return action_selection.muzero_action_selection(
        key, tree, node, depth, pb_c_init=EXPLORATION, pb_c_base=NO_GROWTH, qtransform=guessed
    )


def searched(kind: str, simulations: int) -> list[dict[str, Any]]:
    """For each root: visits of its moves, of the moves after each of them, and the policy it teaches."""
    model = FewStates()
    roots = make_roots(model)
    following, again = jnp.asarray(model.following), jnp.asarray(model.again)
    logits, values = jnp.asarray(model.logits), jnp.asarray(model.values)
    states = jnp.asarray([root.model_state for root in roots])

    def play(_: Any, __: Any, action: Any, state: Any) -> Any:
        after = following[state, action]
        step = mctx.RecurrentFnOutput(
            reward=jnp.zeros(len(roots)),
            discount=jnp.where(again[state, action], 1.0, -1.0),
            prior_logits=logits[after],
            value=values[after],
        )
        return step, after

    common = {
        "params": (),
        "rng_key": jax.random.PRNGKey(0),
        "root": mctx.RootFnOutput(prior_logits=logits[states], value=values[states], embedding=states),
        "recurrent_fn": play,
        "num_simulations": simulations,
        "invalid_actions": jnp.asarray(
            [[action not in root.legal for action in range(ACTIONS)] for root in roots]
        ),
    }
    if kind == "puct":
        found = mctx.muzero_policy(
            **common,
            qtransform=guessed,
            dirichlet_fraction=0.0,
            pb_c_init=EXPLORATION,
            pb_c_base=NO_GROWTH,
            temperature=1.0,
        )
    else:
        noise = jnp.asarray([root.noise for root in roots])
        completed = partial(
            mctx.qtransform_completed_by_mix_value, value_scale=0.5 * VALUE_SCALE, rescale_values=False
        )
        with (
            mock.patch.object(jax.random, "gumbel", return_value=noise),
            mock.patch.object(action_selection, "gumbel_muzero_interior_action_selection", puct_below),
        ):
            found = mctx.gumbel_muzero_policy(
                **common, max_num_considered_actions=CONSIDERED, qtransform=completed
            )
    tree = found.search_tree
    visits, children = np.asarray(tree.children_visits), np.asarray(tree.children_index)
    return [
        {
            "visits": visits[row, 0].tolist(),
            "below": [
                visits[row, child].tolist() if child >= 0 else [0] * ACTIONS for child in children[row, 0]
            ],
            "policy": [round(float(share), 4) for share in found.action_weights[row]],
        }
        for row in range(len(roots))
    ]


def main() -> None:
    lines = [f'  "version": "{version("mctx")}"']
    lines += [f'  "{kind} {n}": {json.dumps(searched(kind, n))}' for kind, n in CASES]
    TREES_FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
