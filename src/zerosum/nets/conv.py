"""Four convolutions and two dense layers with batch norm, as published for Othello 6x6.

Spelling: conv (32 filters, dense layers of 1024 and 512), conv:filters=64,
conv:dense=64x32 (as published for Connect Four)

The larger network of "AlphaOthelloZero" (Cherif Haouat, Jallouli and Labiausse). Its text says 64 filters;
the 707,782 parameters of its Table 2 are those of 32, with one input plane (1, -1 or 0 a cell), same padding
in the first two convolutions and none in the last two, batch norm after all but the heads, and biases
everywhere. The 43,208 of Connect Four are those of the same network with dense layers of 64 and 32 and an
output for each of the 7 columns, not for the 42 cells of the table.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from zerosum.errors import BadSpec
from zerosum.games.kit.game import Game
from zerosum.nets.kit.heads import require_flat, require_sides, signed_board

LOST = 4  # rows and columns that the two convolutions without padding take away
PADDINGS = (1, 1, 0, 0)


@dataclass(frozen=True)
class Settings:
    filters: int = 32  # what the published number of parameters says
    dense: tuple[int, int] = (1024, 512)  # the paper's, for Othello


class Conv(nn.Module):
    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        require_sides("conv", game)
        rows, columns = self.board = require_flat("conv", game)
        if min(rows, columns) <= LOST:
            raise BadSpec(
                f"conv needs a board of 5x5 or more; {game.spec} is {columns}x{rows}: use mlp or pooled"
            )
        layers: list[nn.Module] = []
        planes = 1
        for padding in PADDINGS:
            convolution = nn.Conv2d(planes, settings.filters, 3, padding=padding)
            layers += [convolution, nn.BatchNorm2d(settings.filters), nn.ReLU()]
            planes = settings.filters
        layers.append(nn.Flatten())
        units = settings.filters * (rows - LOST) * (columns - LOST)
        for wanted in settings.dense:
            layers += [nn.Linear(units, wanted), nn.BatchNorm1d(wanted), nn.ReLU()]
            units = wanted
        self.body = nn.Sequential(*layers)
        self.policy = nn.Linear(units, game.num_actions)
        self.value = nn.Linear(units, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.body(signed_board(planes).reshape(-1, 1, *self.board))
        return self.policy(hidden), torch.tanh(self.value(hidden)).flatten()


def make(settings: Settings, game: Game) -> Conv:
    return Conv(settings, game)
