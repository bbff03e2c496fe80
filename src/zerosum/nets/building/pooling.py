"""Layers that work on every cell alike, or on averages and maxima over the board, so on any board.

There is no batch norm: the last layer of each block and of each head begins at zero instead, so what is new
passes on what it sees, calls every position even and every move as good as the others.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from zerosum.core.game import Game
from zerosum.nets.building.heads import ActionMap, BoardNetwork, start_at_zero


def pooled(features: Tensor) -> Tensor:
    """[batch, 2 * channel]: mean and maximum over the board."""
    if torch.is_grad_enabled():  # the way back through torch's own mean takes six times as long
        mean = features.sum(dim=(2, 3)) / (features.shape[2] * features.shape[3])
    else:  # one operator in the file that plays
        mean = functional.adaptive_avg_pool2d(features, 1).flatten(1)
    most = functional.adaptive_max_pool2d(features, 1).flatten(1)
    return torch.cat([mean, most], dim=1)


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


def blocks(channels: int, number: int, pools: bool = True) -> nn.Sequential:
    """So many, of which the one in the middle hears what the whole board holds, if any does."""
    return nn.Sequential(*(Block(channels, pools and i == number // 2) for i in range(number)))


def layers_of(game: Game) -> int:
    """Boards that lie behind each other, which are channels of a flat one here."""
    return game.shape[0] if len(game.shape) > 2 else 1


class PooledNetwork(BoardNetwork):
    """With what comes first, what comes last, or both."""

    def add_sight(self, channels: int, game: Game) -> None:
        """Layers for ``look``."""
        self.maps_in = len(game.planes) - game.flat_planes
        self.board = (layers_of(game) * self.maps_in, *game.shape[-2:])
        self.stem = convolution(self.board[0], channels)
        self.flat = nn.Linear(game.flat_planes, channels, bias=False) if game.flat_planes else None

    def look(self, planes: Tensor) -> Tensor:
        """Features [batch, channel, row, column] of planes [batch, plane, cell], or [.., row, column]."""
        sized = planes.dim() > 3
        shown = planes[:, : self.maps_in]
        features: Tensor = self.stem(shown if sized else shown.reshape(-1, *self.board))
        if self.flat is not None:
            flat = planes[:, self.maps_in :, 0, 0] if sized else planes[:, self.maps_in :, 0]
            features = features + self.flat(flat)[:, :, None, None]
        return torch.relu(features)

    def add_heads(self, channels: int, game: Game) -> None:
        """Layers for ``judge``."""
        self.actions = ActionMap(game)
        self.any_board = self.actions.any_board
        self.policy = nn.Conv2d(channels, channels, 1)
        self.policy_whole = nn.Linear(2 * channels, channels, bias=False)
        self.maps = nn.Conv2d(channels, layers_of(game) * self.actions.planes, 1)
        self.nowhere = nn.Linear(2 * channels, 1) if self.actions.has_nowhere else None
        self.value = nn.Linear(2 * channels, channels)
        self.value_end = nn.Linear(channels, 1)
        start_at_zero(self.policy_whole, self.maps, self.nowhere, self.value_end)

    def judge(self, features: Tensor, whole: Tensor, sized: bool) -> tuple[Tensor, Tensor]:
        """Logits [batch, action] and values [batch] of features, and what is ``pooled`` of them.

        ``sized`` where the board may be any.
        """
        policy = torch.relu(self.policy(features) + self.policy_whole(whole)[:, :, None, None])
        nowhere = None if self.nowhere is None else self.nowhere(whole)
        maps = self.maps(policy)
        act = self.actions.on_any_board if sized else self.actions
        logits = act(maps if sized else maps.flatten(1), nowhere)
        value = torch.tanh(self.value_end(torch.relu(self.value(whole))))
        return logits, value.flatten()
