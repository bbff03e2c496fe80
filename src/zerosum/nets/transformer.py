"""Self-attention over the cells, then eight convolutions and two dense layers, as tried on invisible games.

Spelling: transformer (32 filters, 4 heads, dense layers of 1024 and 512), transformer:filters=64,heads=8,
transformer:dense=64x32

The updated network of INVISIBLE (Knowles, Young, Liu, Gowda and Holmes): a transformer layer (Vaswani and
others, 2017) before the convolutions, of which there are eight instead of the four of its baseline,
``conv``; the rest is the same. It drops out 0.24 and prints no width of a layer: 512 filters are those of its
program, 1024 and 512 those of the program that this is built on. What it leaves open is chosen here: a cell's
planes are mapped to as many numbers as there are filters, a place that is learned is added, and the layer
normalises after attention and after a feed-forward part twice as wide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.nets.conv import Tower

CONVOLUTIONS = 8


@dataclass(frozen=True)
class Settings:
    filters: int = 32  # as in conv, to compare
    heads: int = 4  # eight numbers each
    dense: tuple[int, int] = (1024, 512)  # conv's
    dropout: float = 0.0  # behind each dense layer; the paper has 0.24


class Attention(nn.Module):
    """Every cell hears every other, as much as it asks for; [batch, cell, feature] to the same."""

    def __init__(self, features: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.asked = nn.Linear(features, 3 * features)  # query, key and value
        self.heard = nn.Linear(features, features)
        self.after_hearing = nn.LayerNorm(features)
        self.think = nn.Sequential(
            nn.Linear(features, 2 * features), nn.ReLU(), nn.Linear(2 * features, features)
        )
        self.after_thinking = nn.LayerNorm(features)

    def forward(self, cells: Tensor) -> Tensor:
        _, count, features = cells.shape
        asked = self.asked(cells).reshape(-1, count, 3, self.heads, features // self.heads)
        query, key, value = asked.permute(2, 0, 3, 1, 4)  # [batch, head, cell, feature] each
        weights = torch.softmax(query @ key.transpose(2, 3) / math.sqrt(features // self.heads), dim=3)
        heard = (weights @ value).transpose(1, 2).reshape(-1, count, features)
        cells = self.after_hearing(cells + self.heard(heard))
        thought: Tensor = self.after_thinking(cells + self.think(cells))
        return thought


class Transformer(nn.Module):
    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        features = settings.filters
        if features % settings.heads:
            raise BadSpec(f"transformer: {features} filters cannot be shared by {settings.heads} heads")
        dense, dropout = settings.dense, settings.dropout
        self.tower = Tower("transformer", features, CONVOLUTIONS, features, dense, game, dropout)
        self.board = (features, *game.shape)
        self.cells = nn.Linear(len(game.planes), features)
        self.places = nn.Parameter(0.1 * torch.randn(game.num_cells, features))
        self.attention = Attention(features, settings.heads)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        cells = self.attention(self.cells(planes.transpose(1, 2)) + self.places)
        answer: tuple[Tensor, Tensor] = self.tower(cells.transpose(1, 2).reshape(-1, *self.board))
        return answer


def make(settings: Settings, game: Game) -> Transformer:
    return Transformer(settings, game)
