"""A made-up network that imagines, and a slow search of what it imagines in plain Python.

The network's latent is one whole number below 2^20, and what it says comes in steps of 1/64, so that it says
the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.search.tree.gumbel import wanted_visits
from zerosum.search.tree.policy import PolicyNumbers

BITS = 20
Floats = NDArray[np.float32]


def spread(keys: NDArray[np.int64], salt: int) -> NDArray[np.int64]:
    """Other numbers below 2^20, as good as drawn."""
    mixed = (keys * 0x9E3779B1 + salt * 0x85EBCA77) % (1 << 32)
    return np.asarray(((mixed ^ (mixed >> 15)) * 0x2C1B3C6D % (1 << 32)) >> (32 - BITS))


class MadeUpModel:
    """In shape like a network with the functions ``root`` and ``step``."""

    latent_shape = (1,)

    def __init__(self, num_actions: int, ends: bool = False) -> None:
        """With ``ends``, one move in eight ends the game."""
        self.num_actions = num_actions
        self.ends = ends

    def root(self, planes: Floats) -> tuple[Floats, Floats, Floats]:
        shown = np.rint(planes.reshape(len(planes), -1)).astype(np.int64)
        return self._judged(spread(shown @ (np.arange(shown.shape[1]) * 7 + 3), 1))

    def step(
        self, latents: Floats, actions: NDArray[np.int64]
    ) -> tuple[Floats, Floats, Floats, NDArray[np.bool_], NDArray[np.bool_]]:
        """One move in four lets its player move once more."""
        keys = spread(latents[:, 0].astype(np.int64) * 64 + actions, 2)
        return *self._judged(keys), spread(keys, 5) % 4 == 0, (spread(keys, 6) % 8 == 0) & self.ends

    def _judged(self, keys: NDArray[np.int64]) -> tuple[Floats, Floats, Floats]:
        logits = spread(keys[:, None] * 512 + np.arange(self.num_actions), 3) % 257 - 128
        values = spread(keys, 4) % 129 - 64
        latents = keys[:, None].astype(np.float32)
        return latents, (logits / 64).astype(np.float32), (values / 64).astype(np.float32)


@dataclass
class SlowNode:
    """What is known of a node; all values are for the player to move there."""

    prior: float
    latent: Floats | None = None  # None until the network was asked
    value: float = 0.0  # the network's
    visits: int = 0
    total: float = 0.0
    again: bool = False  # whether whoever moves here has chosen this node
    children: dict[int, SlowNode] = field(default_factory=dict)  # by action

    def worth(self, child: SlowNode, otherwise: float) -> float:
        """What a child has returned to this node's player: what is good for the other is bad for it."""
        if not child.visits:
            return otherwise
        return child.total / child.visits if child.again else -child.total / child.visits


class SlowSearch:
    """One tree, grown as the papers write it: select, expand, back up."""

    def __init__(self, game: Game, network: MadeUpModel, numbers: PolicyNumbers, most_children: int) -> None:
        self.game = game
        self.network = network
        self.numbers = numbers
        self.most_children = most_children

    def run(self, position: NDArray[np.uint64], simulations: int, noise: Any = None) -> SlowNode:
        """A search by PUCT everywhere, or by Gumbel with this noise at the root."""
        planes = np.zeros((1, len(self.game.planes), self.game.num_cells), dtype=np.float32)
        self.game.rules.encode(self.game.table, position, planes.reshape(-1))
        actions = np.empty(self.game.max_legal, dtype=np.int64)
        legal = actions[: self.game.rules.legal(self.game.table, position, actions)].tolist()
        root = SlowNode(1.0)
        self._expand(root, self.network.root(planes), legal)
        self._back_up([root])
        for done in range(simulations):
            path = [root]
            action = self._puct(root) if noise is None else self._gumbel(root, noise, simulations, done)
            path.append(root.children[action])
            while path[-1].children:
                action = self._puct(path[-1])
                path.append(path[-1].children[action])
            before = path[-2].latent
            assert before is not None
            if path[-1].latent is None:
                *answer, again, over = self.network.step(before[None], np.array([action]))
                path[-1].again = bool(again[0])
                best = np.argsort(-answer[1][0], kind="stable")[: self.most_children]
                self._expand(path[-1], answer, [] if over[0] else sorted(best.tolist()))
            self._back_up(path)
        return root

    def _expand(self, node: SlowNode, answer: Sequence[Floats], actions: list[int]) -> None:
        latents, logits, values = answer
        node.latent, node.value = latents[0], float(values[0])
        weights = {action: math.exp(float(logits[0, action])) for action in actions}
        node.children = {a: SlowNode(weight / sum(weights.values())) for a, weight in weights.items()}

    def _back_up(self, path: list[SlowNode]) -> None:
        value = path[-1].value
        for node in reversed(path):
            node.visits += 1
            node.total += value
            value = value if node.again else -value

    def _puct(self, node: SlowNode) -> int:
        guess = max(-1.0, node.total / node.visits - self.numbers.first_play_urgency)
        scale = self.numbers.exploration * math.sqrt(node.visits)

        def score(action: int) -> float:
            child = node.children[action]
            return node.worth(child, guess) + scale * child.prior / (1 + child.visits)

        return max(node.children, key=score)

    def _gumbel(self, root: SlowNode, noise: Any, simulations: int, done: int) -> int:
        wanted = wanted_visits(min(self.numbers.considered, len(root.children)), simulations, done)
        tried = [child for child in root.children.values() if child.visits]
        mixed = root.value
        if tried:
            weight = sum(child.prior for child in tried)
            mean = sum(child.prior * root.worth(child, 0.0) for child in tried) / weight
            visits = sum(child.visits for child in tried)
            mixed = (root.value + visits * mean) / (1 + visits)
        most = max(child.visits for child in root.children.values())
        drawn = dict(zip(root.children, noise, strict=False))

        def score(action: int) -> float:
            child = root.children[action]
            tilt = 0.5 * self.numbers.value_scale * (50 + most) * root.worth(child, mixed)
            return float(drawn[action]) + math.log(child.prior) + tilt

        return max((a for a, child in root.children.items() if child.visits == wanted), key=score)
