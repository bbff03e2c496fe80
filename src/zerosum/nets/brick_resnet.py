"""Residual network of 4x4 filters with batch norm, as published for Brick Tic-Tac-Toe.

Spelling: brick-resnet (75 filters, 5 blocks), brick-resnet:filters=32,blocks=3

The network of "Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to Novel Test Environments"
(Tan and Motani), Table 1: 75 filters of 4x4 with same padding, batch norm and LeakyReLU, five residual
layers of two such blocks, heads of 1x1 filters. What the table leaves open is as in Keras, whose words it
uses: same padding of an even filter adds one row before and two after, and the slope of LeakyReLU is 0.3.
The residual is added before the second activation, no bias stands before a batch norm, and the value ends
in tanh, as values lie between -1 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from zerosum.core.game import Game
from zerosum.nets.building.heads import require_flat

FILTER = 4
SAME = (1, 2, 1, 2)  # left, right, top, bottom
SLOPE = 0.3
VALUE_UNITS = 20


@dataclass(frozen=True)
class Settings:
    filters: int = 75  # the paper's
    blocks: int = 5  # the paper's


def activate(features: Tensor) -> Tensor:
    return functional.leaky_relu(features, SLOPE)


class Convolution(nn.Module):
    """A convolution with same padding and batch norm."""

    def __init__(self, planes: int, filters: int) -> None:
        super().__init__()
        self.filters = nn.Conv2d(planes, filters, FILTER, bias=False)
        self.norm = nn.BatchNorm2d(filters)

    def forward(self, features: Tensor) -> Tensor:
        normed: Tensor = self.norm(self.filters(functional.pad(features, SAME)))
        return normed


class Block(nn.Module):
    def __init__(self, filters: int) -> None:
        super().__init__()
        self.first = Convolution(filters, filters)
        self.second = Convolution(filters, filters)

    def forward(self, features: Tensor) -> Tensor:
        return activate(features + self.second(activate(self.first(features))))


class BrickResnet(nn.Module):
    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        self.board = (len(game.planes), *require_flat("brick-resnet", game))
        self.stem = Convolution(len(game.planes), settings.filters)
        self.blocks = nn.Sequential(*(Block(settings.filters) for _ in range(settings.blocks)))
        self.value_map = nn.Conv2d(settings.filters, 1, 1, bias=False)
        self.value_norm = nn.BatchNorm2d(1)
        self.value_dense = nn.Linear(game.num_cells, VALUE_UNITS)
        self.value_end = nn.Linear(VALUE_UNITS, 1)
        self.policy_map = nn.Conv2d(settings.filters, 2, 1, bias=False)
        self.policy_norm = nn.BatchNorm2d(2)
        self.policy_dense = nn.Linear(2 * game.num_cells, game.num_actions)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        features = self.blocks(activate(self.stem(planes.reshape(-1, *self.board))))
        value = activate(self.value_norm(self.value_map(features))).flatten(1)
        value = torch.tanh(self.value_end(activate(self.value_dense(value))))
        policy = activate(self.policy_norm(self.policy_map(features))).flatten(1)
        return self.policy_dense(policy), value.flatten()


def make(settings: Settings, game: Game) -> BrickResnet:
    return BrickResnet(settings, game)
