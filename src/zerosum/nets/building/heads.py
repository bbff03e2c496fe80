"""Parts that several networks share: what comes before the first layer and after the last."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.places import action_places

DENSE_PLANES = 2  # maps that feed the dense layer of a game whose actions have no known places
FOLLOWING = ("mover's moves",)  # planes that follow from the pieces, so that nothing is lost without them


class BoardNetwork(nn.Module):
    """A network whose weights do not know the size of the board.

    Where ``any_board`` is set it also takes planes [batch, plane, row, column] of a board of any size, which
    is how it is exported; for its own board the answers are the same either way.
    """

    any_board: bool


class LatentNetwork(BoardNetwork):
    """A network that can go on from what it sees: it imagines what follows a move, and judges that too."""

    def represent(self, planes: Tensor) -> Tensor:
        """The latent [batch, channel, row, column] of what is seen."""
        raise NotImplementedError

    def imagine(self, latent: Tensor, actions: Tensor, again: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The latent after an action each, [batch] int64; a logit [batch] that the same player moves again.

        The latent is for whoever moves next: as ``again`` [batch] bool says, or else as the logit does.
        """
        raise NotImplementedError

    def judge(self, latent: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits [batch, action], values for the player to move [batch], logits [batch] that all is over."""
        raise NotImplementedError

    def decode(self, latent: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the planes [batch, plane, cell], and of whether actions are legal [batch, action]."""
        raise NotImplementedError

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        logits, value, _ = self.judge(self.represent(planes))
        return logits, value


class ActionMap(nn.Module):
    """Logits of the actions from maps of the board, see ``core/places.py``.

    The caller draws ``planes`` maps and, where ``has_nowhere``, one number more. Nothing here is learned,
    so weights fit every board size; but where a game does not say where its actions lie, a dense
    layer connects every cell to every action, and weights fit that board only.
    """

    places: Tensor
    any_board: bool  # whether a flat board of any size tells by itself where its actions lie

    def __init__(self, game: Game) -> None:
        super().__init__()
        places = action_places(game)
        self.dense: nn.Linear | None = None
        self.in_order = False  # the entries are the actions already
        self.any_board = places is not None and game.action_places is None and len(game.shape) == 2
        if places is None:
            self.planes = DENSE_PLANES
            self.has_nowhere = False
            self.dense = nn.Linear(DENSE_PLANES * game.num_cells, game.num_actions)
            nn.init.zeros_(self.dense.bias)  # maps that begin at zero must give equal logits
            return
        self.planes = game.action_planes
        entries = self.planes * game.num_cells
        self.has_nowhere = bool(places.max() == entries)
        self.in_order = places[:, 0].tolist() == list(range(entries + self.has_nowhere))
        table = torch.from_numpy(places if places.shape[1] > 1 else places[:, 0])
        self.register_buffer("places", table, persistent=False)

    def forward(self, maps: Tensor, nowhere: Tensor | None) -> Tensor:
        """[batch, action] from maps [batch, planes * cells] and, where wanted, nowhere [batch, 1]."""
        if self.dense is not None:
            logits: Tensor = self.dense(maps)
            return logits
        entries = maps if nowhere is None else torch.cat([maps, nowhere], dim=1)
        if self.in_order:
            return entries
        if self.places.dim() == 2:
            return entries[:, self.places].mean(dim=2)
        return entries.T[self.places].T  # rows are copied whole, many times faster than single numbers

    def on_any_board(self, maps: Tensor, nowhere: Tensor | None) -> Tensor:
        """[batch, action] from maps [batch, 1, row, column]: the same, found without a table of places."""
        if self.in_order:
            return self(maps.flatten(1), nowhere)
        rows, columns = maps.shape[2:]
        # Column by column in memory, and ONNX Runtime adds them up as it does what a table has gathered.
        return maps.flatten(1, 2).transpose(1, 2).reshape(-1, rows).mean(dim=1).reshape(-1, columns)


def start_at_zero(*layers: nn.Module | None) -> None:
    """Layers that say nothing before they have learnt something."""
    for layer in layers:
        for weights in layer.parameters() if layer is not None else ():
            nn.init.zeros_(weights)


def signed_board(planes: Tensor) -> Tensor:
    """[batch, cell]: 1 where the mover has a piece, -1 where the other has, as some papers feed it."""
    return planes[:, 0] - planes[:, 1]


def shows_sides_only(game: Game) -> bool:
    """Whether a signed board is all there is to see."""
    return len(game.planes) >= 2 and all(plane in FOLLOWING for plane in game.planes[2:])


def require_sides(name: str, game: Game) -> None:
    """For networks that see nothing but a signed board: refuse games that have more to see."""
    if len(game.planes) < 2:
        raise BadSpec(f"{name} sees own and other's pieces; {game.spec} shows only {game.planes[0]}")
    if not shows_sides_only(game):
        unseen = [plane for plane in game.planes[2:] if plane not in FOLLOWING]
        raise BadSpec(f"{name} would not see the {unseen[0]} of {game.spec}, only the pieces; use pooled")


def require_flat(name: str, game: Game) -> tuple[int, int]:
    """Rows and columns, for networks that convolve in two dimensions."""
    if len(game.shape) != 2:
        raise BadSpec(f"{name} needs a flat board, and {game.spec} has {len(game.shape)} dimensions")
    return game.shape[0], game.shape[1]
