"""The weights of one network in another of the same kind, for another board or with more to see.

Where the second game shows more than the first, as an invisible game does, what is new weighs nothing at
first: the network judges as it did, and learns to look at it.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from zerosum.core.errors import BadNetwork
from zerosum.core.game import Game

PLANES_AXIS = 1  # of the weights of a layer that sees planes


def transplant(weights: Mapping[str, Tensor], origin: Game, network: nn.Module, game: Game) -> None:
    """Put weights trained for one game into a network for another; raises BadNetwork where they do not fit.

    On boards of ``origin`` the network then answers as the old one did.
    """
    wanted = network.state_dict()
    where = f"a network for {origin.spec} cannot start one for {game.spec}"
    foreign = sorted(weights.keys() - wanted.keys())
    if foreign:
        raise BadNetwork(f"{where}: it has weights that this network does not have, such as {foreign[0]}")
    fitted = {name: _fit(name, weights.get(name), new, origin, game, where) for name, new in wanted.items()}
    network.load_state_dict(fitted)


def _fit(name: str, old: Tensor | None, new: Tensor, origin: Game, game: Game, where: str) -> Tensor:
    """The old weights in the shape of the new."""
    more = len(game.planes) - len(origin.planes)
    if old is None:
        if more > 0 and new.dim() > PLANES_AXIS and new.shape[PLANES_AXIS] == more:
            return torch.zeros_like(new)  # a layer that sees the new planes alone
        raise BadNetwork(f"{where}: nothing is known of its {name}")
    if old.shape == new.shape:
        return old
    sees_planes = old.dim() > PLANES_AXIS and old.shape[PLANES_AXIS] == len(origin.planes)
    widened = [len(game.planes) if axis == PLANES_AXIS else size for axis, size in enumerate(old.shape)]
    if more > 0 and sees_planes and list(new.shape) == widened:
        fitted = torch.zeros_like(new)
        fitted[:, : len(origin.planes)] = old
        return fitted
    sizes = " and ".join("x".join(map(str, part.shape)) for part in (old, new))
    raise BadNetwork(
        f"{where}: its {name} depends on the board ({sizes}); networks such as pooled fit every board"
    )
