"""Four convolutions and two dense layers with batch norm, as published for Othello 6x6.

Spelling: conv (32 filters, dense layers of 1024 and 512), conv:filters=64,
conv:dense=64x32 (as published for Connect Four)

The larger network of "AlphaOthelloZero" (Cherif Haouat, Jallouli and Labiausse). Its text says 64 filters;
the 707,782 parameters of its Table 2 are those of 32, with one input plane (1, -1 or 0 a cell), same padding
in the first two convolutions and none in the last two, batch norm after all but the heads, and biases
everywhere. The 43,208 of Connect Four are those of the same network with dense layers of 64 and 32 and an
output for each of the 7 columns, not for the 42 cells of the table.

It is also the baseline of INVISIBLE (Knowles, Young, Liu, Gowda and Holmes), for whose games two things are
wider than published: where a game shows more than whose piece is where, all its planes go in; and on
boards below 5x5, where nothing would be left, every convolution is padded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from zerosum.core.game import Game
from zerosum.nets.building.heads import require_flat, shows_sides_only, signed_board

CONVOLUTIONS = 4
UNPADDED = 2  # convolutions at the end without padding, where the board has room for them
LOST = 2 * UNPADDED  # rows and columns that these take away


@dataclass(frozen=True)
class Settings:
    filters: int = 32  # what the published number of parameters says
    dense: tuple[int, int] = (1024, 512)  # the paper's, for Othello
    dropout: float = 0.0  # behind each dense layer; INVISIBLE has 0.24


class Tower(nn.Module):
    """3x3 convolutions, dense layers and the two heads; takes [batch, plane, row, column]."""

    def __init__(
        self,
        name: str,
        planes: int,
        layers: int,
        filters: int,
        dense: Sequence[int],
        game: Game,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        rows, columns = require_flat(name, game)
        lost = LOST if min(rows, columns) > LOST else 0
        parts: list[nn.Module] = []
        for layer in range(layers):
            padding = 0 if lost and layer >= layers - UNPADDED else 1
            parts += [nn.Conv2d(planes, filters, 3, padding=padding), nn.BatchNorm2d(filters), nn.ReLU()]
            planes = filters
        parts.append(nn.Flatten())
        units = filters * (rows - lost) * (columns - lost)
        for wanted in dense:
            parts += [nn.Linear(units, wanted), nn.BatchNorm1d(wanted), nn.ReLU()]
            parts += [nn.Dropout(dropout)] if dropout else []
            units = wanted
        self.body = nn.Sequential(*parts)
        self.policy = nn.Linear(units, game.num_actions)
        self.value = nn.Linear(units, 1)

    def forward(self, board: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.body(board)
        return self.policy(hidden), torch.tanh(self.value(hidden)).flatten()


class Conv(Tower):
    def __init__(self, settings: Settings, game: Game) -> None:
        planes = 1 if shows_sides_only(game) else len(game.planes)
        dense, dropout = settings.dense, settings.dropout
        super().__init__("conv", planes, CONVOLUTIONS, settings.filters, dense, game, dropout)
        self.board = (planes, *game.shape)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        shown = signed_board(planes) if self.board[0] == 1 else planes
        return super().forward(shown.reshape(-1, *self.board))


def make(settings: Settings, game: Game) -> Conv:
    return Conv(settings, game)
