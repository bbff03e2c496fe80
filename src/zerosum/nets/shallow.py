"""Two convolutions and two dense layers with batch norm and dropout, as published for tic-tac-toe.

Spelling: shallow (dropout 0.3), shallow:dropout=0.1

The network of "Artificial Intelligence in Zero Sum Games" (Lehuger, Lemerrier and Theobald), Fig. 4. Its list
of layers has nothing between them and the batch norms, so activations (ReLU) come before those. Its 66,635
numbers, 576 of them running statistics, include a tenth output for tic-tac-toe, a pass that the game does
not have: here too the head has one output a cell and one more, and those that are no actions are not read.
How much is dropped out the paper does not say.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from zerosum.core.game import Game
from zerosum.nets.building.heads import require_flat, require_sides, signed_board

FILTERS = (32, 64)
DENSE = (64, 128)
EPSILON = 1e-3  # of batch norm in Keras, which the table was printed by
MOMENTUM = 0.01  # likewise; Keras says 0.99 and means the same


@dataclass(frozen=True)
class Settings:
    dropout: float = 0.3  # usual in networks of this kind; the paper gives none


class Shallow(nn.Module):
    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        require_sides("shallow", game)
        self.board = require_flat("shallow", game)
        self.num_actions = game.num_actions
        layers: list[nn.Module] = []
        planes = 1
        for filters in FILTERS:
            norm = nn.BatchNorm2d(filters, EPSILON, MOMENTUM)
            layers += [nn.Conv2d(planes, filters, 3, padding=1), nn.ReLU(), norm]
            planes = filters
        layers.append(nn.Flatten())
        units = planes * game.num_cells
        for wanted in DENSE:
            layers += [nn.Linear(units, wanted), nn.ReLU(), nn.BatchNorm1d(wanted, EPSILON, MOMENTUM)]
            units = wanted
        self.body = nn.Sequential(*layers, nn.Dropout(settings.dropout))
        self.policy = nn.Linear(units, max(game.num_cells + 1, game.num_actions))
        self.value = nn.Linear(units, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.body(signed_board(planes).reshape(-1, 1, *self.board))
        logits = self.policy(hidden)[:, : self.num_actions]
        return logits, torch.tanh(self.value(hidden)).flatten()


def make(settings: Settings, game: Game) -> Shallow:
    return Shallow(settings, game)
