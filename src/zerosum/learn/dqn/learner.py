"""The network learns: Huber loss between what it says of an afterstate and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from zerosum.core.game import Game
from zerosum.learn.dqn.games import Lessons
from zerosum.learn.dqn.judge import LineNet, best_values, encode_all, line_net, make_desk, weights_of
from zerosum.learn.dqn.settings import Learning
from zerosum.learn.training.optimizers import Adam
from zerosum.nets.lines import Lines


class Memory:
    """Lessons in a ring: the oldest make room for the newest."""

    def __init__(self, game: Game, size: int) -> None:
        self.lessons = Lessons(
            afterstates=np.zeros((size, game.position_words), np.uint64),
            later=np.zeros((size, game.position_words), np.uint64),
            worth=np.zeros(size, np.float32),
            ended=np.zeros(size, np.int64),
        )
        self.seen = 0  # since the beginning

    def __len__(self) -> int:
        return min(self.seen, len(self.lessons.worth))

    def add(self, lessons: Lessons) -> None:
        places = (self.seen + np.arange(len(lessons.worth))) % len(self.lessons.worth)
        for kept, new in zip(self.lessons, lessons, strict=True):
            kept[places] = new
        self.seen += len(places)

    def draw(self, count: int, rng: np.random.Generator) -> Lessons:
        chosen = rng.integers(len(self), size=count)
        return Lessons(*(array[chosen] for array in self.lessons))

    def arrays(self) -> dict[str, NDArray[Any]]:
        parts = {f"memory/{name}": array[: len(self)] for name, array in self.lessons._asdict().items()}
        return {**parts, "memory/seen": np.array(self.seen)}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.seen = int(arrays["memory/seen"])
        for name, array in self.lessons._asdict().items():
            array[: len(self)] = arrays[f"memory/{name}"]


class AfterstateLearner:
    """The network, its optimiser, its memory, and the weights that set the targets."""

    def __init__(self, game: Game, network: Lines, settings: Learning, foresight: int, seed: int) -> None:
        self.game = game
        self.foresight = foresight
        self.network = network
        self.settings = settings
        self.rng = np.random.default_rng(seed)
        self.optimizer = Adam(network.parameters(), lr=settings.rate)
        self.net = line_net(network, game)  # what plays; always the latest
        self.target = self.net
        self.desk = make_desk(game, self.net)
        self.memory = Memory(game, settings.replay)
        self.symmetries = game.symmetries.cells  # [symmetry, cell]
        self.steps = 0
        self.sums = np.zeros(3)  # batches, TD gaps, losses since ``take_measures``

    def learn(self, lessons: Lessons, rate: float) -> None:
        """From new lessons, or with a memory from as many old and new ones, ``repeats`` times."""
        if not self.settings.replay:
            self._step(lessons, lessons.worth, rate)
            return
        self.memory.add(lessons)
        for _ in range(self.settings.repeats):
            drawn = self.memory.draw(len(lessons.worth), self.rng)
            self._step(drawn, self._worth(drawn), rate)

    def take_measures(self) -> dict[str, float]:
        """The mean TD gap and loss since the last time."""
        batches, gaps, losses = self.sums.tolist()
        self.sums[:] = 0
        return {"td_gap": gaps / max(1, batches), "huber_loss": losses / max(1, batches)}

    def _worth(self, lessons: Lessons) -> NDArray[np.float32]:
        """What each lesson led to, as the weights that set the targets judge it."""
        worth = lessons.worth.copy()
        going_on = lessons.ended == 0
        rules, table, later = self.game.rules, self.game.table, lessons.later[going_on]
        worth[going_on] = best_values(rules, table, self.target, self.desk, later, self.foresight)
        return worth

    def _step(self, lessons: Lessons, worth: NDArray[np.float32], rate: float) -> None:
        """One step of Adam towards r + discount * max Q: the reward comes at the end, the rest before."""
        discount = np.float32(self.settings.discount)
        targets = np.where(lessons.ended == 1, worth, discount * worth).repeat(
            max(1, self.settings.symmetric_copies)
        )
        self.optimizer.param_groups[0]["lr"] = rate
        _, values = self.network(torch.from_numpy(self._planes(lessons.afterstates)))
        gaps = -values - torch.from_numpy(targets)  # values are for the opponent, who is to move
        loss = functional.huber_loss(gaps, torch.zeros_like(gaps))
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        self.optimizer.step()
        self.steps += 1
        self.net = self.net._replace(**weights_of(self.network))
        if self.settings.target_every == 0 or self.steps % self.settings.target_every == 0:
            self.target = self.net
        self.sums += [1, gaps.detach().abs().mean().item(), loss.item()]

    def _planes(self, positions: NDArray[np.uint64]) -> NDArray[np.float32]:
        """[row, plane, cell], each position in as many random symmetries as are wanted."""
        planes = np.zeros((len(positions), len(self.game.planes), self.game.num_cells), np.float32)
        encode_all(self.game.rules, self.game.table, positions, planes)
        if self.settings.symmetric_copies == 0:
            return planes
        planes = planes.repeat(self.settings.symmetric_copies, axis=0)
        chosen = self.symmetries[self.rng.integers(len(self.symmetries), size=len(planes))]  # [row, cell]
        return np.take_along_axis(planes, chosen[:, None, :], axis=2)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Weights, optimiser and memory, all there is to save besides ``facts``."""
        found = {f"weights/{name}": tensor.numpy() for name, tensor in self.network.state_dict().items()}
        for number, slots in self.optimizer.state_dict()["state"].items():
            found |= {f"optimiser/{number}/{name}": value.numpy() for name, value in slots.items()}
        return found | net_arrays("target", self.target) | self.memory.arrays()

    def facts(self) -> dict[str, Any]:
        return {"steps": self.steps, "rng": self.rng.bit_generator.state}

    def restore(self, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> None:
        """Put back what ``arrays`` and ``facts`` gave."""
        state: dict[int, dict[str, torch.Tensor]] = {}
        weights: dict[str, torch.Tensor] = {}
        for name, array in arrays.items():
            part, _, rest = name.partition("/")
            if part == "weights":
                weights[rest] = torch.from_numpy(array.copy())
            elif part == "optimiser":
                number, _, slot = rest.partition("/")
                state.setdefault(int(number), {})[slot] = torch.from_numpy(array.copy())
        self.network.load_state_dict(weights)
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": state, "param_groups": groups})
        self.net = self.net._replace(**weights_of(self.network))
        self.target = net_from(arrays, "target", self.net)
        self.memory.restore(arrays)
        self.steps = facts["steps"]
        self.rng.bit_generator.state = facts["rng"]


WEIGHTS = ("detectors", "detector_bias", "dense", "dense_bias", "value", "value_bias")


def net_arrays(part: str, net: LineNet) -> dict[str, NDArray[Any]]:
    """The weights of a net in a kernel, to be saved under the name of a part."""
    return {f"{part}/{name}": getattr(net, name) for name in WEIGHTS}


def net_from(arrays: Mapping[str, NDArray[Any]], part: str, like: LineNet) -> LineNet:
    """What ``net_arrays`` gave, with the lines of another net."""
    return like._replace(**{name: arrays[f"{part}/{name}"] for name in WEIGHTS})
