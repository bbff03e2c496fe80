"""Cells and winning lines that tell each other what they hold; for games won by lines, flat or not.

Spelling: line-graph (32 channels, 3 steps), line-graph:channels=48,steps=4

In every step each line adds up what its cells say, and each cell adds up what the lines through it make of
that. All lines share their weights, and nothing depends on where a line lies: so a turned board gets the
turned answer, all 192 symmetries of Qubic included, and weights fit boards of every size. A convolution has
to learn each of Qubic's 76 lines by itself. It does not see which way is down: Connect Four is better off
with ``pooled``.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.nets.building.heads import ActionMap, start_at_zero


@dataclass(frozen=True)
class Settings:
    channels: int = 32  # as in the default network, to compare
    steps: int = 4


class Step(nn.Module):
    """From the cells to the lines and back."""

    on_line: Tensor

    def __init__(self, channels: int, on_line: Tensor) -> None:
        super().__init__()
        self.register_buffer("on_line", on_line, persistent=False)
        self.line = nn.Conv1d(channels, channels, 1)
        self.heard = nn.Conv1d(channels, channels, 1, bias=False)
        self.own = nn.Conv1d(channels, channels, 1)
        self.change = nn.Conv1d(channels, channels, 1)
        start_at_zero(self.change)

    def forward(self, features: Tensor) -> Tensor:
        """[batch, channel, cell] to the same."""
        lines = torch.relu(self.line(features @ self.on_line))
        heard = self.heard(lines @ self.on_line.T)
        return torch.relu(features + self.change(torch.relu(heard + self.own(features))))


class LineGraph(nn.Module):
    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        if game.line_cells is None:
            raise BadSpec(f"line-graph looks at the lines that win, and {game.spec} has none; use pooled")
        channels = settings.channels
        on_line = torch.zeros(game.num_cells, len(game.line_cells))  # a product with it sums over lines
        on_line.scatter_(0, torch.from_numpy(game.line_cells.T), 1)
        self.actions = ActionMap(game)
        self.stem = nn.Conv1d(len(game.planes), channels, 1)
        self.steps = nn.Sequential(*(Step(channels, on_line) for _ in range(settings.steps)))
        self.policy = nn.Conv1d(channels, channels, 1)
        self.policy_whole = nn.Linear(2 * channels, channels, bias=False)
        self.maps = nn.Conv1d(channels, self.actions.planes, 1)
        self.nowhere = nn.Linear(2 * channels, 1) if self.actions.has_nowhere else None
        self.value = nn.Linear(2 * channels, channels)
        self.value_end = nn.Linear(channels, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        features = self.steps(torch.relu(self.stem(planes)))
        whole = torch.cat([features.mean(dim=2), features.amax(dim=2)], dim=1)
        policy = torch.relu(self.policy(features) + self.policy_whole(whole)[:, :, None])
        nowhere = None if self.nowhere is None else self.nowhere(whole)
        logits = self.actions(self.maps(policy).flatten(1), nowhere)
        value = torch.tanh(self.value_end(torch.relu(self.value(whole))))
        return logits, value.flatten()


def make(settings: Settings, game: Game) -> LineGraph:
    return LineGraph(settings, game)
