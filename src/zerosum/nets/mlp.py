"""Two dense layers of as many units as the board has cells; the smallest network, for tic-tac-toe.

Spelling: mlp

The tic-tac-toe network of "AlphaOthelloZero" (Cherif Haouat, Jallouli and Labiausse): 9 inputs, two hidden
layers of 9 units with batch norm, heads of 9 and 1. Its 316 parameters say that the board goes in as one
number a cell (1, -1 or 0) and that every layer has a bias.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from zerosum.core.game import Game
from zerosum.nets.building.heads import require_sides, signed_board


@dataclass(frozen=True)
class Settings:
    """Nothing to set: the board's size is the width of every layer."""


class Mlp(nn.Module):
    def __init__(self, game: Game) -> None:
        super().__init__()
        require_sides("mlp", game)
        units = game.num_cells
        self.first = nn.Linear(units, units)
        self.first_norm = nn.BatchNorm1d(units)
        self.second = nn.Linear(units, units)
        self.second_norm = nn.BatchNorm1d(units)
        self.policy = nn.Linear(units, game.num_actions)
        self.value = nn.Linear(units, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        hidden = torch.relu(self.first_norm(self.first(signed_board(planes))))
        hidden = torch.relu(self.second_norm(self.second(hidden)))
        return self.policy(hidden), torch.tanh(self.value(hidden)).flatten()


def make(settings: Settings, game: Game) -> Mlp:
    return Mlp(game)
