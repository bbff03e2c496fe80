"""Self-play of Connect Four by pgx and mctx (JAX): the peer that ``zerosum bench train`` measures us beside.

``python -m zerosum.adapters.peers.pgx_mctx CHANNELS BLOCKS GAMES SIMULATIONS SECONDS SEED`` prints one JSON
object. It is a process of its own: JAX's threads and memory do not mix with ours, and where it fails, ours
goes on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.metadata import version
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
import mctx
import pgx
from pgx.experimental import auto_reset

ROUNDS = 3  # the best counts, as it does for us
Weights = dict[str, Any]


def make_weights(key: Any, planes: int, cells: int, actions: int, channels: int, blocks: int) -> Weights:
    """A residual network of 3x3 convolutions with as many channels and blocks as ours; random weights."""
    keys = iter(jax.random.split(key, 2 * blocks + 4))

    def convolution(size: int, incoming: int, outgoing: int) -> Any:
        scale = (2 / (size * size * incoming)) ** 0.5
        return scale * jax.random.normal(next(keys), (size, size, incoming, outgoing))

    def dense(incoming: int, outgoing: int) -> Any:
        return jax.random.normal(next(keys), (incoming, outgoing)) / incoming**0.5

    return {
        "stem": convolution(3, planes, channels),
        "blocks": [[convolution(3, channels, channels) for _ in range(2)] for _ in range(blocks)],
        "policy": convolution(1, channels, 2),
        "policy_end": dense(2 * cells, actions),
        "value": dense(channels, 1),
    }


def judge(weights: Weights, boards: Any) -> tuple[Any, Any]:
    """Logits [game, action] and values [game] of boards [game, row, column, plane]."""

    def convolve(features: Any, filters: Any) -> Any:
        layout = ("NHWC", "HWIO", "NHWC")
        return jax.lax.conv_general_dilated(features, filters, (1, 1), "SAME", dimension_numbers=layout)

    features = jax.nn.relu(convolve(boards.astype(jnp.float32), weights["stem"]))
    for first, second in weights["blocks"]:
        features = jax.nn.relu(features + convolve(jax.nn.relu(convolve(features, first)), second))
    policy = jax.nn.relu(convolve(features, weights["policy"]))
    logits = policy.reshape(len(boards), -1) @ weights["policy_end"]
    return logits, jnp.tanh(features.mean(axis=(1, 2)) @ weights["value"])[:, 0]


def random_steps(game: str, batch: int, at_once: int = 64) -> Callable[[], int]:
    """A function that makes random steps in so many games, many steps a call, and says how many it made."""
    environment = pgx.make(game)
    step = jax.vmap(auto_reset(environment.step, environment.init))

    def move(_: int, now: Any) -> Any:
        states, key = now
        key, drawing, starting = jax.random.split(key, 3)
        actions = jax.random.categorical(
            drawing, jnp.log(states.legal_action_mask.astype(jnp.float32)), axis=1
        )
        return step(states, actions, jax.random.split(starting, batch)), key

    many = jax.jit(lambda now: jax.lax.fori_loop(0, at_once, move, now))
    key = jax.random.PRNGKey(1)
    now = [(jax.jit(jax.vmap(environment.init))(jax.random.split(key, batch)), key)]

    def steps() -> int:
        now[0] = jax.block_until_ready(many(now[0]))
        return batch * at_once

    return steps


def rate(channels: int, blocks: int, games: int, simulations: int, seconds: float, seed: int) -> float:
    """Simulations a second over whole self-play: Gumbel search, a move in every game, again."""
    env = pgx.make("connect_four")
    step, init = jax.vmap(env.step), jax.vmap(env.init)
    key, weights_key, start_key = jax.random.split(jax.random.PRNGKey(seed), 3)
    rows, columns, planes = env.observation_shape
    weights = make_weights(weights_key, planes, rows * columns, env.num_actions, channels, blocks)

    def recurrent(weights: Weights, key: Any, action: Any, state: Any) -> tuple[Any, Any]:
        mover = state.current_player
        state = step(state, action)
        logits, value = judge(weights, state.observation)
        logits = jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min)
        reward = state.rewards[jnp.arange(games), mover]
        output = mctx.RecurrentFnOutput(
            reward=reward,
            discount=jnp.where(state.terminated, 0.0, -1.0),
            prior_logits=logits,
            value=jnp.where(state.terminated, 0.0, value),
        )
        return output, state

    def play_moves(state: Any, key: Any) -> Any:
        search_key, start_key = jax.random.split(key)
        logits, value = judge(weights, state.observation)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        found = mctx.gumbel_muzero_policy(
            weights, search_key, root, recurrent, simulations, invalid_actions=~state.legal_action_mask
        )
        after = step(state, found.action)
        fresh = init(jax.random.split(start_key, games))

        def renewed(new: Any, old: Any) -> Any:
            ended = after.terminated.reshape((games,) + (1,) * (old.ndim - 1))
            return jnp.where(ended, new, old)

        return jax.tree.map(renewed, fresh, after)

    move = jax.jit(play_moves)
    state = init(jax.random.split(start_key, games))
    for warm in range(2):  # compiled by the first
        state = jax.block_until_ready(move(state, jax.random.fold_in(key, warm)))
    best = 0.0
    moves = 2
    for _ in range(ROUNDS):
        before, start = moves, perf_counter()
        while perf_counter() - start < seconds / ROUNDS:
            state = jax.block_until_ready(move(state, jax.random.fold_in(key, moves)))
            moves += 1
        best = max(best, (moves - before) * games * simulations / (perf_counter() - start))
    return best


def main(words: list[str]) -> None:
    channels, blocks, games, simulations = map(int, words[:4])
    found = rate(channels, blocks, games, simulations, float(words[4]), int(words[5]))
    versions = ", ".join(f"{name} {version(name)}" for name in ("pgx", "mctx", "jax"))
    print(json.dumps({"simulations_per_second": found, "versions": versions}))


if __name__ == "__main__":
    main(sys.argv[1:])
