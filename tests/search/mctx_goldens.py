"""What mctx, DeepMind's search library, does at a Gumbel root; kept in ``golden/mctx.json``.

``python -m tests.search.mctx_goldens`` writes the file again. It needs mctx and JAX, which the tests do
not: they compare with the file, and where mctx is installed with mctx as well.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any
from unittest import mock

import jax
import jax.numpy as jnp
import mctx
import numpy as np
from mctx._src.seq_halving import get_table_of_considered_visits

from tests.search.gumbel_roots import CASES, MCTX_FILE, MOST_LEGAL, SIMULATIONS, GumbelRoot, make_root

MOST_CANDIDATES = 16


def considered_visits() -> dict[str, list[list[int]]]:
    """By simulations, then candidates from 1 up: the visits that the child looked at next should have."""
    tables = {n: get_table_of_considered_visits(MOST_CANDIDATES, n) for n in SIMULATIONS}
    return {str(n): [list(row) for row in table[1:]] for n, table in tables.items()}


def _padded(rows: list[Any]) -> Any:
    return jnp.asarray([np.pad(row, (0, MOST_LEGAL - len(row))) for row in rows])


def visits_of(roots: list[GumbelRoot], simulations: int, considered: int) -> list[list[int]]:
    """[root][legal move] visits after whole searches in which every line below a move is worth the same."""
    size = len(roots)
    logits, values, noise = (
        _padded([getattr(root, name) for root in roots]) for name in ("logits", "values", "noise")
    )
    illegal = jnp.asarray([[move >= root.legal for move in range(MOST_LEGAL)] for root in roots])

    def play(_: Any, __: Any, action: Any, embedding: Any) -> Any:
        """The first move, kept in the embedding, says what all that follows is worth to it."""
        first, sign = embedding
        first = jnp.where(first < 0, action, first)
        worth = -sign * values[jnp.arange(size), first]
        zeros = jnp.zeros((size, MOST_LEGAL))
        step = mctx.RecurrentFnOutput(
            reward=jnp.zeros(size), discount=-jnp.ones(size), prior_logits=zeros, value=worth
        )
        return step, (first, -sign)

    def scaled(tree: Any, node: Any) -> Any:
        return mctx.qtransform_completed_by_mix_value(
            tree, node, value_scale=0.5 * GumbelRoot.value_scale, rescale_values=False
        )

    with mock.patch.object(jax.random, "gumbel", return_value=noise):
        found = mctx.gumbel_muzero_policy(
            params=(),
            rng_key=jax.random.PRNGKey(0),
            root=mctx.RootFnOutput(
                prior_logits=logits,
                value=jnp.full(size, GumbelRoot.value),
                embedding=(jnp.full(size, -1), jnp.ones(size)),
            ),
            recurrent_fn=play,
            num_simulations=simulations,
            invalid_actions=illegal,
            max_num_considered_actions=considered,
            qtransform=scaled,
        )
    visits = np.asarray(found.search_tree.children_visits)[:, 0]
    return [row[: root.legal].tolist() for row, root in zip(visits, roots, strict=True)]


def root_visits() -> dict[str, list[list[int]]]:
    """By simulations and candidates considered: visits at roots of 1, 2, 3... legal moves."""
    roots = [make_root(legal) for legal in range(1, MOST_LEGAL + 1)]
    return {f"{n} {considered}": visits_of(roots, n, considered) for n, considered in CASES}


def main() -> None:
    tables, visits = considered_visits(), root_visits()
    lines = [f'  "version": "{version("mctx")}"', f'  "visits": {json.dumps(visits)}']
    lines += [f'  "{n}": {json.dumps(table)}' for n, table in tables.items()]
    MCTX_FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
