"""Graph network: cells pass messages to their neighbours; turns with the board, plays every size of it.

Spelling: graph (32 channels, 4 steps), graph:channels=64,steps=6

What "Brick Tic-Tac-Toe" (Tan and Motani) names as future work, in its plainest form. Each cell is joined to
the up to 8 around it (26 in three dimensions). In every step it hears each of them, takes the mean and the
maximum of what it heard, and adds what follows to its own features. Directions that a symmetry of the game
turns into each other share their weights: tic-tac-toe has two kinds, straight and diagonal, Connect Four
five, for up is not down there. So a turned board gets the turned answer, whatever the weights. They fit
all boards with the same symmetries; an oblong board, which has no quarter turns, has more kinds of
directions than a square one. A file plays every flat board, with the kinds of the board it was trained on.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor, nn
from torch.nn import functional

from zerosum.core.game import Game
from zerosum.nets.building.heads import ActionMap, BoardNetwork
from zerosum.nets.building.neighbours import Neighbours, find_neighbours


@dataclass(frozen=True)
class Settings:
    channels: int = 32  # as in the default network, to compare
    steps: int = 4  # cells that news travels


class Step(nn.Module):
    """One round of messages between the cells."""

    def __init__(self, channels: int, neighbours: Neighbours) -> None:
        super().__init__()
        self.kinds = neighbours.num_kinds
        self.directions = neighbours.cells.shape[1]
        self.heard = nn.Linear(channels, self.kinds * channels, bias=False)
        self.own = nn.Linear(channels, channels)
        self.change = nn.Linear(2 * channels, channels)
        nn.init.zeros_(self.change.weight)
        nn.init.zeros_(self.change.bias)

    def forward(self, features: Tensor, sources: Tensor) -> Tensor:
        """[batch, cell, channel] to the same; ``sources`` says where to hear each neighbour, see below."""
        _, cells, channels = features.shape
        said = functional.pad(self.heard(features), (0, 0, 0, 1))  # beyond the edge: silence
        said = said.reshape(-1, (cells + 1) * self.kinds, channels)[:, sources]
        said = said.reshape(-1, cells, self.directions, channels)
        messages = torch.relu(self.own(features)[:, :, None] + said)
        gathered = torch.cat([messages.mean(dim=2), messages.amax(dim=2)], dim=2)
        return torch.relu(features + self.change(gathered))


class Graph(BoardNetwork):
    sources: Tensor  # [cell and direction]: cell * kinds + kind, the cell being their number beyond the edge
    kinds: Tensor  # [direction]

    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        channels = settings.channels
        neighbours = find_neighbours(game)
        self.actions = ActionMap(game)
        self.any_board = self.actions.any_board
        self.stem = nn.Linear(len(game.planes), channels)
        self.steps = nn.ModuleList(Step(channels, neighbours) for _ in range(settings.steps))
        self.policy = nn.Linear(channels, channels)
        self.policy_whole = nn.Linear(2 * channels, channels, bias=False)
        self.maps = nn.Linear(channels, self.actions.planes)
        self.nowhere = nn.Linear(2 * channels, 1) if self.actions.has_nowhere else None
        self.value = nn.Linear(2 * channels, channels)
        self.value_end = nn.Linear(channels, 1)
        self.num_kinds = neighbours.num_kinds
        sources = (neighbours.cells * neighbours.num_kinds + neighbours.kinds).reshape(-1)
        self.register_buffer("sources", torch.from_numpy(sources), persistent=False)
        self.register_buffer("kinds", torch.from_numpy(neighbours.kinds), persistent=False)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        sized = planes.dim() > 3  # the board comes as rows and columns
        sources = self._sources_on(*planes.shape[2:]) if sized else self.sources
        features = torch.relu(self.stem(planes.flatten(2).transpose(1, 2)))
        for step in self.steps:
            features = step(features, sources)
        whole = torch.cat([features.mean(dim=1), features.amax(dim=1)], dim=1)
        policy = torch.relu(self.policy(features) + self.policy_whole(whole)[:, None])
        nowhere = None if self.nowhere is None else self.nowhere(whole)
        maps = self.maps(policy).transpose(1, 2)
        if sized:
            logits = self.actions.on_any_board(maps.reshape(-1, 1, *planes.shape[2:]), nowhere)
        else:
            logits = self.actions(maps.flatten(1), nowhere)
        value = torch.tanh(self.value_end(torch.relu(self.value(whole))))
        return logits, value.flatten()

    def _sources_on(self, rows: int, columns: int) -> Tensor:
        """``sources`` of a flat board of any size, found by arithmetic that can be exported."""
        steps = [step for step in product((-1, 0, 1), repeat=2) if any(step)]  # as find_neighbours has them
        down, right = torch.tensor(steps).T
        row = torch.arange(rows)[:, None, None] + down  # [row, 1, direction]
        column = torch.arange(columns)[:, None] + right  # [column, direction]
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        cells = torch.where(inside, row * columns + column, rows * columns)
        return (cells * self.num_kinds + self.kinds).reshape(-1)


def make(settings: Settings, game: Game) -> Graph:
    return Graph(settings, game)
