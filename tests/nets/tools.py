"""Networks to test with: all that fit a game, and weights as if something had been learned."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from zerosum.core.game import Game
from zerosum.nets.building.registry import make_network

torch.set_num_threads(1)

SMALL = {
    "pooled": "pooled:channels=8,blocks=2",
    "brick-resnet": "brick-resnet:filters=6,blocks=1",
    "mlp": "mlp",
    "conv": "conv:filters=4,dense=16x8",
    "shallow": "shallow",
    "graph": "graph:channels=8,steps=2",
    "line-graph": "line-graph:channels=8,steps=2",
    "latent": "latent:channels=8,representation=1,dynamics=1,prediction=1",
    "lines": "lines:detectors=2,hidden=8,bias=yes",
    "transformer": "transformer:filters=8,heads=2,dense=16x8",
}
UNIFORM = {"lines"}  # networks that judge positions and leave moves to others


def home(name: str) -> str:
    """A game that the network fits."""
    return "connect4" if name in ("line-graph", "lines") else "othello:6x6"


def learned(spec: str, game: Game, seed: int = 0) -> nn.Module:
    """A network with all its numbers moved, running statistics too; in evaluation mode."""
    network = make_network(spec, game, seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for tensor in network.state_dict().values():
            if tensor.is_floating_point():
                tensor.add_(0.1 * torch.rand(tensor.shape, generator=generator))
    return network.eval()


def some_planes(game: Game, batch: int, seed: int = 0) -> NDArray[np.float32]:
    shape = (batch, len(game.planes), game.num_cells)
    return np.random.default_rng(seed).integers(0, 2, shape).astype(np.float32)


def judged(
    network: nn.Module, planes: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What torch makes of the planes."""
    with torch.no_grad():
        logits, values = network(torch.from_numpy(planes))
    return logits.numpy(), values.numpy()
