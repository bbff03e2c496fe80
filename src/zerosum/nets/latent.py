"""Representation, dynamics and prediction: a network that also learns what a move does, for MuZero.

Spelling: latent (32 channels; 2 blocks of representation, 2 of dynamics, 1 of prediction),
latent:channels=16,representation=1,dynamics=1,prediction=1

What MuZero (Schrittwieser and others, 2020) needs: ``represent`` makes a latent of what is seen, ``imagine``
the next latent of one and an action, ``judge`` logits and a value of any. A latent is shaped as the board,
and every layer works on every cell alike or on the whole board, so the same weights fit every board size.

A latent is for the player to move. Half of its planes are that player's and half the other's, and after a
move the halves change places by wire, unless the same player moves again, which the dynamics has to foretell.
It only adds what the move changed, and a new one adds nothing. So it need not learn to turn the colours, and
errors do not pile up where nothing happens. Latents are scaled cell by cell: scaled to 0..1 over the whole
board, as others do, one cell that changes would change all others, and in Connect Four no imagined board was
right after half an hour, where now 240 steps on random games are enough.

Whether the game is over has a head of its own, which mixes two values: the one of games that go on and the
one of those that have ended. A search lives on the sharp edge between them, which one value head blurs.

An action is shown as what the player says, not as what the rules answer: one cell, or in games that drop
stones the whole column, and where the stone lands is for the dynamics to learn.

``decode`` draws the board and the legal actions from a latent, to look at what the model knows.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.places import action_places
from zerosum.nets.building.heads import ActionMap, LatentNetwork, start_at_zero
from zerosum.nets.building.pooling import PooledNetwork, blocks, convolution, layers_of, pooled

LEAST = 1e-5  # mean square of a cell; less is taken for that
FEW = 1 / 8  # of the channels: so many planes of actions may take the place of others


@dataclass(frozen=True)
class Settings:
    channels: int = 32  # as in the default network; half for each player
    representation: int = 2  # blocks; asked once a search
    dynamics: int = 2  # blocks; with the prediction's, as many convolutions a simulation as pooled's or fewer
    prediction: int = 1  # block, which hears the whole board


def turned(latent: Tensor, stays: Tensor) -> Tensor:
    """The same for the other player, but where the same one stays [batch] to move.

    Halves are put in order like rows of a table: at play that takes a fifth of the time of choosing, number
    by number, between a latent and one with its halves changed.
    """
    batch, channels, *board = latent.shape
    first = (~stays).long()
    rows = 2 * torch.arange(batch)[:, None] + torch.stack([first, 1 - first], dim=1)
    halves = latent.reshape(2 * batch, channels // 2, *board)
    return halves[rows.flatten()].reshape(latent.shape)


def scaled(latent: Tensor) -> Tensor:
    """To a mean square of one over the planes, at every cell by itself."""
    squares = (latent * latent).sum(dim=1, keepdim=True)
    return latent * (squares / latent.shape[1]).clamp(min=LEAST).rsqrt()


class Representation(PooledNetwork):
    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        self.add_sight(settings.channels, game)
        self.blocks = blocks(settings.channels, settings.representation)

    def forward(self, planes: Tensor) -> Tensor:
        return scaled(self.blocks(self.look(planes)))


class ActionPlanes(nn.Module):
    """Actions as planes: [batch] to [batch, plane, row, column].

    Where a game does not say where its actions lie, each has a picture of its own that is learnt.
    """

    places: Tensor  # [action, entry], see core/places.py

    def __init__(self, game: Game) -> None:
        super().__init__()
        places = action_places(game)
        self.board = (-1, layers_of(game) * game.action_planes, *game.shape[-2:])
        self.planes = self.board[1]
        self.any_board = False
        self.learned = nn.Embedding(game.num_actions, game.num_cells) if places is None else None
        if places is None:
            return
        self.any_board = ActionMap(game).any_board
        self.columns = places.shape[1] > 1  # an action is all cells of a column
        self.entries = game.action_planes * game.num_cells
        self.has_nowhere = bool(places.max() == self.entries)
        self.planes += self.has_nowhere
        self.register_buffer("places", torch.from_numpy(places), persistent=False)

    def forward(self, actions: Tensor, rows: int, columns: int) -> Tensor:
        if self.learned is not None:
            return self.learned(actions).reshape(self.board)
        if not self.any_board:
            marked = torch.zeros(actions.shape[0], self.entries + 1).scatter(1, self.places[actions], 1.0)
            maps = marked[:, :-1].reshape(self.board)
            return self._with_nowhere(maps, marked[:, -1:]) if self.has_nowhere else maps
        if self.columns:
            marked = (actions[:, None] == torch.arange(columns)).float()
            return marked[:, None, None, :].expand(-1, 1, rows, columns)
        marked = (actions[:, None] == torch.arange(rows * columns)).float()
        maps = marked.reshape(-1, 1, rows, columns)
        nowhere = (actions[:, None] == rows * columns).float()
        return self._with_nowhere(maps, nowhere) if self.has_nowhere else maps

    def _with_nowhere(self, maps: Tensor, nowhere: Tensor) -> Tensor:
        """With a plane more, full where the action has no place on the board."""
        plane = nowhere[:, :, None, None].expand(-1, -1, *maps.shape[2:])
        return torch.cat([maps, plane], dim=1)


class Dynamics(nn.Module):
    """Layers that see a cell's neighbourhood alone: what a move changes is near it or in line with it, and
    means and maxima over the board took a tenth of self-play's time. Who moves next is read off the maximum.

    Few planes of actions take the place of as many planes of the latent: a convolution that sees 33 channels
    costs as much as one that sees 40, because processors take eight at a time.
    """

    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        channels = settings.channels
        self.actions = ActionPlanes(game)
        few = self.actions.planes <= FEW * channels
        self.seen = channels - (self.actions.planes if few else 0)
        self.stem = convolution(self.seen + self.actions.planes, channels)
        self.blocks = blocks(channels, settings.dynamics, pools=False)
        self.change = nn.Conv2d(channels, channels, 1)
        self.again = nn.Linear(channels, 1)
        start_at_zero(self.change, self.again)

    def forward(self, latent: Tensor, actions: Tensor, again: Tensor | None) -> tuple[Tensor, Tensor]:
        shown = self.actions(actions, latent.shape[2], latent.shape[3])
        features = self.blocks(torch.relu(self.stem(torch.cat([latent[:, : self.seen], shown], dim=1))))
        changed = scaled(latent + self.change(features))
        foretold = self.again(functional.adaptive_max_pool2d(features, 1).flatten(1)).flatten()
        return turned(changed, foretold > 0 if again is None else again), foretold


class Prediction(PooledNetwork):
    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        self.blocks = blocks(settings.channels, settings.prediction)
        self.add_heads(settings.channels, game)
        self.ending = nn.Linear(2 * settings.channels, settings.channels)
        self.over = nn.Linear(settings.channels, 1)
        self.result = nn.Linear(settings.channels, 1)
        start_at_zero(self.over, self.result)

    def forward(self, latent: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        features = self.blocks(latent)
        whole = pooled(features)
        logits, value = self.judge(features, whole, sized=self.any_board)
        ending = torch.relu(self.ending(whole))
        over, result = self.over(ending).flatten(), torch.tanh(self.result(ending)).flatten()
        return logits, torch.lerp(value, result, torch.sigmoid(over)), over


class Decoder(nn.Module):
    """As little as can draw a board: if more were needed, the latent would not hold it plainly."""

    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        self.legal = ActionMap(game)
        self.maps_out = len(game.planes) - game.flat_planes
        self.planes = nn.Conv2d(settings.channels, layers_of(game) * self.maps_out, 1)
        self.maps = nn.Conv2d(settings.channels, layers_of(game) * self.legal.planes, 1)
        self.nowhere = nn.Linear(settings.channels, 1) if self.legal.has_nowhere else None

    def forward(self, latent: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the planes [batch, plane, cell] and of whether actions are legal [batch, action]."""
        maps = self.maps(latent)
        nowhere = None if self.nowhere is None else self.nowhere(latent.mean(dim=(2, 3)))
        if self.legal.any_board:
            legal = self.legal.on_any_board(maps, nowhere)
        else:
            legal = self.legal(maps.flatten(1), nowhere)
        board: Tensor = self.planes(latent)
        return board.reshape(latent.shape[0], self.maps_out, -1), legal


class Latent(LatentNetwork):
    def __init__(self, settings: Settings, game: Game) -> None:
        super().__init__()
        if settings.channels % 2:
            raise BadSpec(
                f"latent: {settings.channels} channels cannot be shared by two players; make it even"
            )
        self.representation = Representation(settings, game)
        self.dynamics = Dynamics(settings, game)
        self.prediction = Prediction(settings, game)
        self.decoder = Decoder(settings, game)
        self.any_board = self.prediction.any_board

    def represent(self, planes: Tensor) -> Tensor:
        latent: Tensor = self.representation(planes)
        return latent

    def imagine(self, latent: Tensor, actions: Tensor, again: Tensor | None = None) -> tuple[Tensor, Tensor]:
        following: tuple[Tensor, Tensor] = self.dynamics(latent, actions, again)
        return following

    def judge(self, latent: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        judged: tuple[Tensor, Tensor, Tensor] = self.prediction(latent)
        return judged

    def decode(self, latent: Tensor) -> tuple[Tensor, Tensor]:
        decoded: tuple[Tensor, Tensor] = self.decoder(latent)
        return decoded


def make(settings: Settings, game: Game) -> Latent:
    return Latent(settings, game)
