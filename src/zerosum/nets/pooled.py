"""Small residual network of convolutions and pooling; the default, for every game and board size.

Spelling: pooled (32 channels, 4 blocks), pooled:channels=64,blocks=5

All layers work on every cell alike, or on averages and maxima over the board, so that the same weights
play every size of a game's board. The block in the middle hears what the whole board holds: the mean and the
maximum of each channel are mixed and added to every cell; the heads hear it too. There is no batch norm: the
last layer of each block and of each head begins at zero instead, so a new network passes on what it sees,
calls every position even and every move as good as the others.

A board in three dimensions is played as a flat one whose layers lie behind each other as channels.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from zerosum.core.game import Game
from zerosum.nets.building.heads import ActionMap, BoardNetwork, start_at_zero


@dataclass(frozen=True)
class Settings:
    channels: int = 32  # 32 x 4 gives five times the positions a second of 64 x 5 on a CPU
    blocks: int = 4  # nine convolutions see 19 x 19 cells: more than any board here


def pooled(features: Tensor) -> Tensor:
    """[batch, 2 * channel]: mean and maximum over the board."""
    mean = functional.adaptive_avg_pool2d(features, 1)
    most = functional.adaptive_max_pool2d(features, 1)
    return torch.cat([mean, most], dim=1).flatten(1)


def convolution(planes: int, channels: int) -> nn.Conv2d:
    """3x3 with same padding; random weights that keep the size of what passes through them and a ReLU."""
    layer = nn.Conv2d(planes, channels, 3, padding=1)
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    return layer


class Block(nn.Module):
    def __init__(self, channels: int, pools: bool) -> None:
        super().__init__()
        self.first = convolution(channels, channels)
        self.second = convolution(channels, channels)
        self.whole = nn.Linear(2 * channels, channels, bias=False) if pools else None
        start_at_zero(self.second, self.whole)

    def forward(self, features: Tensor) -> Tensor:
        hidden: Tensor = self.first(features)
        if self.whole is not None:
            hidden = hidden + self.whole(pooled(features))[:, :, None, None]
        return torch.relu(features + self.second(torch.relu(hidden)))


class Pooled(BoardNetwork):
    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        *layers, rows, columns = game.shape
        depth = layers[0] if layers else 1
        channels = settings.channels
        self.maps_in = len(game.planes) - game.flat_planes
        self.board = (depth * self.maps_in, rows, columns)
        self.actions = ActionMap(game)
        self.any_board = self.actions.any_board
        self.stem = convolution(self.board[0], channels)
        self.flat = nn.Linear(game.flat_planes, channels, bias=False) if game.flat_planes else None
        self.blocks = nn.Sequential(
            *(Block(channels, pools=i == settings.blocks // 2) for i in range(settings.blocks))
        )
        self.policy = nn.Conv2d(channels, channels, 1)
        self.policy_whole = nn.Linear(2 * channels, channels, bias=False)
        self.maps = nn.Conv2d(channels, depth * self.actions.planes, 1)
        self.nowhere = nn.Linear(2 * channels, 1) if self.actions.has_nowhere else None
        self.value = nn.Linear(2 * channels, channels)
        self.value_end = nn.Linear(channels, 1)
        start_at_zero(self.policy_whole, self.maps, self.nowhere, self.value_end)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        sized = planes.dim() > 3  # the board comes as rows and columns
        shown = planes[:, : self.maps_in]
        features = self.stem(shown if sized else shown.reshape(-1, *self.board))
        if self.flat is not None:
            flat = planes[:, self.maps_in :, 0, 0] if sized else planes[:, self.maps_in :, 0]
            features = features + self.flat(flat)[:, :, None, None]
        features = self.blocks(torch.relu(features))
        whole = pooled(features)
        policy = torch.relu(self.policy(features) + self.policy_whole(whole)[:, :, None, None])
        nowhere = None if self.nowhere is None else self.nowhere(whole)
        maps = self.maps(policy)
        act = self.actions.on_any_board if sized else self.actions
        logits = act(maps if sized else maps.flatten(1), nowhere)
        value = torch.tanh(self.value_end(torch.relu(self.value(whole))))
        return logits, value.flatten()


def make(settings: Settings, game: Game) -> Pooled:
    return Pooled(settings, game)
