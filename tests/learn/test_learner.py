"""The learner's steps: the same in every layout of memory, nearly so in half numbers, resumed exactly."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.learn.test_alphazero import handed_over
from zerosum.core.errors import BadNetwork
from zerosum.games import make_game
from zerosum.learn.alphazero.lessons.learner import NetworkLearner, lay_out
from zerosum.learn.alphazero.lessons.replay import Replay
from zerosum.learn.alphazero.loop import AlphaZero
from zerosum.learn.alphazero.selfplay.worker import Worker
from zerosum.learn.alphazero.settings import alphazero_settings
from zerosum.learn.training import optimizers
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.building.registry import make_network

torch.set_num_threads(1)

GAME = make_game("connect4")
SPEC = "pooled:channels=16,blocks=2"
STEPS = 4


@pytest.fixture(scope="module")
def replay() -> Replay:
    settings = alphazero_settings(GAME.spec, "fast", ["selfplay.games_at_once=8", "search.simulations=4"])
    evaluator = Evaluator(export_onnx(make_network(SPEC, GAME), card_for(GAME, SPEC)), GAME)
    window = Replay(GAME)
    window.add([handed_over(Worker(GAME, settings, 8, seed=0).play(evaluator, 4, positions=300))], 1, 1000)
    return window


def learner(precision: str, optimizer: str = "adamw") -> NetworkLearner:
    changes = [f"learning.precision={precision}", f"learning.optimizer={optimizer}", "learning.batch=64"]
    settings = alphazero_settings(GAME.spec, "fast", changes)
    return NetworkLearner(make_network(SPEC, GAME), settings.learning, GAME.num_cells)


def learn(one: NetworkLearner, replay: Replay, steps: int = STEPS, seed: int = 1) -> dict[str, float]:
    return one.learn(replay, steps, 0.003, np.random.default_rng(seed), lambda done: None)


@pytest.mark.parametrize("name", ["Adam", "AdamW", "SGD"])
def test_optimisers_step_as_those_of_torch_do(name: str) -> None:
    goal = torch.randn(20, generator=torch.Generator().manual_seed(1))
    found = []
    for room in (optimizers, torch.optim):
        weights = torch.nn.Parameter(torch.zeros(20))
        optimizer = getattr(room, name)([weights], lr=0.1, weight_decay=0.01, fused=True)
        for _ in range(5):
            optimizer.zero_grad()
            torch.autograd.backward(((weights - goal) ** 4).sum())
            optimizer.step()
        found.append(weights.detach().clone())
    assert torch.equal(*found)
    assert found[0].abs().sum() > 1  # it has moved


@pytest.mark.parametrize("optimizer", ["adamw", "sgd"])
@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_a_learner_put_back_takes_the_very_steps(replay: Replay, precision: str, optimizer: str) -> None:
    """Optimisers that go through memory as it lies would mix weights up if these lay otherwise."""
    whole, parts = learner(precision, optimizer), learner(precision, optimizer)
    learn(whole, replay)
    learn(parts, replay)
    resumed = learner(precision, optimizer)
    resumed.restore({name: np.array(array, order="C") for name, array in parts.arrays().items()})
    for one in (whole, resumed):
        learn(one, replay, seed=2)
    saved = whole.arrays(), resumed.arrays()
    assert saved[0].keys() == saved[1].keys()
    assert all(np.array_equal(saved[0][name], saved[1][name]) for name in saved[0])


def test_a_learner_of_another_shape_is_not_put_back() -> None:
    changed = NetworkLearner(
        make_network("pooled:channels=16,blocks=1", GAME),
        alphazero_settings(GAME.spec, "fast").learning,
        GAME.num_cells,
    )
    with pytest.raises(BadNetwork, match="changed its shape"):
        changed.restore(learner("float32").arrays())


def test_steps_are_those_of_the_plain_optimiser(replay: Replay) -> None:
    """Its fused form and the other layout change the last digits only."""
    ours, plain = learner("float32"), learner("float32")
    lay_out(plain.network, torch.contiguous_format)
    plain.optimizer = torch.optim.AdamW(plain.network.parameters(), weight_decay=0.0001)
    for one in (ours, plain):
        learn(one, replay)
    for weights, others in zip(ours.network.parameters(), plain.network.parameters(), strict=True):
        assert torch.allclose(weights, others, atol=2e-4)


def test_half_numbers_learn_as_whole_ones_do(replay: Replay) -> None:
    losses = [learn(learner(precision), replay, steps=30) for precision in ("float32", "bfloat16")]
    assert losses[0] != losses[1]
    for name in ("policy_loss", "value_loss"):
        assert losses[1][name] == pytest.approx(losses[0][name], rel=0.02)


def test_a_network_that_lies_otherwise_in_memory_gives_the_same_file() -> None:
    network = make_network(SPEC, GAME, seed=3)
    plain = export_onnx(network, card_for(GAME, SPEC))
    assert export_onnx(lay_out(network, torch.channels_last), card_for(GAME, SPEC)) == plain


def test_the_average_soon_forgets_the_first_weights(replay: Replay) -> None:
    """With the same slow average from the beginning, it would be theirs by more than nine tenths."""
    one = learner("float32")
    first = [weights.detach().clone() for weights in one.network.parameters()]
    learn(one, replay, steps=20)
    moved, followed = (
        sum(
            float((now.detach() - then).abs().sum())
            for now, then in zip(network.parameters(), first, strict=True)
        )
        for network in (one.network, one.playing)
    )
    assert followed > 0.5 * moved


def test_a_runs_contests_keep_to_one_number_of_simulations() -> None:
    """Self-play's rises; contests with what it rises to can be compared."""
    rising = ["search.simulations=12", "search.simulation_schedule=[[1, 4]]", f"network={SPEC}"]
    settings = alphazero_settings(GAME.spec, "fast", [*rising, "selfplay.games_at_once=4"])
    method = AlphaZero(GAME, settings, seed=0)
    assert [settings.search.simulations_at(iteration) for iteration in (1, 2)] == [4, 12]
    assert [method.player(iteration).simulations for iteration in (1, 2)] == [12, 12]
