"""A network of one's own, as small as can be: one hidden layer that sees the whole board.

Spelling: ./examples/tiny_net.py, ./examples/tiny_net.py:units=64
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from zerosum.core.game import Game


@dataclass(frozen=True)
class Settings:
    units: int = 32  # of the hidden layer


class TinyNet(nn.Module):
    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        self.hidden = nn.Linear(len(game.planes) * game.num_cells, settings.units)
        self.policy = nn.Linear(settings.units, game.num_actions)
        self.value = nn.Linear(settings.units, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [batch, action] and values [batch] of planes [batch, plane, cell]."""
        seen = torch.relu(self.hidden(planes.flatten(1)))
        return self.policy(seen), torch.tanh(self.value(seen)).flatten()


def make(settings: Settings, game: Game) -> TinyNet:
    return TinyNet(settings, game)
