"""The model's learner: what it learns from random games, and what flows back where."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from zerosum.core.errors import BadSpec
from zerosum.games import make_game
from zerosum.learn.muzero.learner import ModelLearner
from zerosum.learn.muzero.lines import random_games, replay_of
from zerosum.learn.muzero.settings import ModelLearning
from zerosum.nets.building.registry import make_network

TINY = "latent:channels=8,representation=1,dynamics=1,prediction=1"


def learner_of(**changes: float) -> ModelLearner:
    torch.set_num_threads(1)
    settings = ModelLearning.model_validate({"batch": 32, **changes})
    return ModelLearner(make_network(TINY, make_game("tictactoe"), seed=1), settings, TINY)


def gradients(learner: ModelLearner, loss: torch.Tensor) -> dict[str, float]:
    """How much of a loss reaches each part of the network."""
    learner.network.zero_grad()
    torch.autograd.backward(loss)
    found: dict[str, float] = {}
    for name, weights in learner.network.named_parameters():
        if weights.grad is not None:
            part = name.partition(".")[0]
            found[part] = found.get(part, 0.0) + float(weights.grad.abs().sum())
    return found


def lesson() -> dict[str, torch.Tensor]:
    game = make_game("tictactoe")
    rng = np.random.default_rng(0)
    drawn = replay_of(random_games(game, 30, rng), 3, "all").draw(32, rng)
    return {name: torch.from_numpy(array) for name, array in drawn.items()}


def test_without_a_weight_the_decoder_learns_and_bends_nothing() -> None:
    for weight, bent in ((0.0, False), (0.5, True)):
        learner = learner_of(decoder_weight=weight)
        for weights in learner.network.parameters():  # from zero nothing would flow anywhere
            torch.nn.init.normal_(weights, std=0.2, generator=torch.Generator().manual_seed(2))
        reached = gradients(learner, learner.losses(lesson())["decoder_loss"])
        assert reached["decoder"] > 0
        assert (reached.get("representation", 0.0) > 0) is bent
        assert (reached.get("dynamics", 0.0) > 0) is bent


def test_a_few_steps_lower_every_loss_and_the_same_seed_gives_the_same_weights() -> None:
    game = make_game("tictactoe")
    replay = replay_of(random_games(game, 60, np.random.default_rng(0)), 3, "all")
    weights = []
    for _ in range(2):
        learner, rng = learner_of(), np.random.default_rng(0)
        first = learner.learn(replay, 5, 0.01, rng, lambda done: None)
        learner.learn(replay, 40, 0.01, rng, lambda done: None)
        last = learner.learn(replay, 5, 0.01, rng, lambda done: None)
        weights.append(torch.cat([part.flatten() for part in learner.network.parameters()]))
    assert torch.equal(*weights)
    for name in ("policy_loss", "decoder_loss", "over_loss"):
        assert last[name] < first[name]


def test_it_learns_where_stones_land_which_no_action_says() -> None:
    """Of random games: each imagined board is right in every cell, the new stone's among them."""
    torch.set_num_threads(1)
    game = make_game("connect4:4x4x4")
    spec = "latent:channels=16,representation=1,dynamics=1,prediction=1"
    learner = ModelLearner(make_network(spec, game), ModelLearning(batch=64), spec)
    train, new = (replay_of(random_games(game, n, np.random.default_rng(n)), 2, "all") for n in (200, 40))
    learner.learn(train, 200, 0.005, np.random.default_rng(0), lambda _: None)
    held = {name: torch.from_numpy(array) for name, array in new.draw(200, np.random.default_rng(1)).items()}
    with torch.no_grad():
        board, _ = learner.network.decode(learner._imagined(held)[0])
    shown = held["planes"].transpose(0, 1).flatten(0, 1)
    right = ((board > 0) == (shown > 0)).flatten(1).all(dim=1).reshape(3, 200).T  # [row, step]
    shares = [right[held["seen"][:, step] > 0, step].float().mean() for step in range(3)]
    assert min(shares) > 0.8, shares


def test_a_network_that_cannot_imagine_is_refused() -> None:
    with pytest.raises(BadSpec, match="'pooled' cannot imagine what a move does; MuZero's is latent"):
        ModelLearner(make_network("pooled", make_game("tictactoe")), ModelLearning(), "pooled")
