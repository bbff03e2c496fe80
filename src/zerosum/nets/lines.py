"""A few detectors for each winning line, then dense layers: judges positions of line games, names no moves.

Spelling: lines (4 detectors a line, 32 hidden units), lines:detectors=8,hidden=64, lines:bias=yes

The structured network of "Navigating the Maze of Reinforcement Learning" (Ahmed and Shaikh), after van der
Steeg, Drugan and Wiering: Qubic's 64 cells go in as 76 rows of 4, each seen by 4 detectors of its own, 304
in all; then 32 units and 1, tanh everywhere. Its 10,976 parameters are 76 x 4 x 4 = 1,216 for the detectors,
304 x 32 = 9,728 and 32: no layer has a bias. Such a network is odd: with the sides exchanged it says just the
opposite, whoever is to move; ``bias=yes`` gives every layer one (11,313 parameters).

The detectors are one batched product, a block a line. The policy is uniform: all logits are zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.nets.building.heads import signed_board


@dataclass(frozen=True)
class Settings:
    detectors: int = 4  # a line; the paper's
    hidden: int = 32  # likewise
    bias: bool = False  # likewise


class Lines(nn.Module):
    cells: Tensor

    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        if game.line_cells is None:
            raise BadSpec(f"lines looks at the lines that win, and {game.spec} has none; use pooled")
        self.num_actions = game.num_actions
        count, length = game.line_cells.shape
        inputs = length * (len(game.planes) - 1)  # both sides' stones are one number a cell
        units = count * settings.detectors
        self.register_buffer("cells", torch.from_numpy(game.line_cells), persistent=False)
        self.detectors = nn.Parameter(
            torch.empty(count, inputs, settings.detectors)
        )  # [line, input, detector]
        zeros = torch.zeros(count, 1, settings.detectors)
        self.detector_bias = nn.Parameter(zeros) if settings.bias else None
        self.dense = nn.Linear(units, settings.hidden, settings.bias)
        self.value = nn.Linear(settings.hidden, 1, settings.bias)
        nn.init.normal_(self.detectors, std=(2 / (inputs + settings.detectors)) ** 0.5)
        for layer in (self.dense, self.value):
            nn.init.xavier_normal_(layer.weight)
            if settings.bias:
                nn.init.zeros_(layer.bias)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        board = torch.cat([signed_board(planes).unsqueeze(1), planes[:, 2:]], dim=1)  # [row, channel, cell]
        rows = board[:, :, self.cells]  # [row, channel, line, place]
        rows = rows.permute(2, 0, 3, 1).flatten(2)  # [line, row, place and channel]
        sums = torch.bmm(rows, self.detectors)  # [line, row, detector]
        found = torch.tanh(sums if self.detector_bias is None else sums + self.detector_bias)
        hidden = torch.tanh(self.dense(found.permute(1, 0, 2).flatten(1)))  # [row, unit]
        values = torch.tanh(self.value(hidden)).flatten()
        return torch.zeros_like(values).unsqueeze(1).repeat(1, self.num_actions), values


def make(settings: Settings, game: Game) -> Lines:
    return Lines(settings, game)
