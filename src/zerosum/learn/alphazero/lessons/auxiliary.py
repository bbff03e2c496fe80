"""Further lessons, as KataGo gives them: how the board will look in the end, and how the other will answer.

They have heads of their own on the network's features, which only training knows: what plays is the network
alone, whose features have become richer.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.learn.alphazero.settings import Auxiliary
from zerosum.nets.building.heads import ActionMap, start_at_zero
from zerosum.nets.building.pooling import layers_of, pooled
from zerosum.nets.pooled import Pooled

PIECES = ("own ", "other's ")  # how the names of the first two planes begin, where these are all pieces


class AuxiliaryHeads(nn.Module):
    """What further lessons need beside the network."""

    def __init__(self, channels: int, game: Game) -> None:
        super().__init__()
        self.final_board = nn.Conv2d(channels, len(PIECES) * layers_of(game), 1)
        self.actions = ActionMap(game)
        self.reply = nn.Conv2d(channels, layers_of(game) * self.actions.planes, 1)
        self.nowhere = nn.Linear(2 * channels, 1) if self.actions.has_nowhere else None
        start_at_zero(self.final_board, self.reply, self.nowhere)


class Foreteller(nn.Module):
    """A network and the heads on its features; to train it trains both."""

    def __init__(self, network: Pooled, game: Game, settings: Auxiliary) -> None:
        super().__init__()
        self.network = network
        self.heads = AuxiliaryHeads(network.policy.in_channels, game)
        self.weights = {"final_board_loss": settings.final_board, "reply_loss": settings.reply}

    def answer(self, batch: dict[str, Tensor]) -> tuple[tuple[Tensor, Tensor], dict[str, Tensor]]:
        """What the network answers to a batch, and the losses of the lessons that have a weight."""
        features = self.network.features(batch["planes"])
        whole = pooled(features)
        heads, found = self.heads, {}
        if self.weights["final_board_loss"]:
            told = batch["final_board"]  # [row, plane, cell]
            board = heads.final_board(features).float().reshape(told.shape)
            found["final_board_loss"] = functional.binary_cross_entropy_with_logits(board, told)
        if self.weights["reply_loss"]:
            nowhere = None if heads.nowhere is None else heads.nowhere(whole)
            logits = heads.actions(heads.reply(features).flatten(1), nowhere).float()
            # A row without an answer has no policy to learn, and so adds nothing.
            log_policy = functional.log_softmax(logits, dim=1)
            found["reply_loss"] = -(batch["reply"] * log_policy).sum(dim=1).mean()
        return self.network.judge(features, whole, sized=False), found


def foreteller(network: nn.Module, game: Game, settings: Auxiliary, seed: int) -> Foreteller | None:
    """With the heads that the settings ask for; None where they ask for none, or the network has no place.

    Raises BadSpec where the game does not show what is to be foretold.
    """
    if not settings.heads or not isinstance(network, Pooled):
        return None
    if settings.final_board and not shows_pieces(game):
        raise BadSpec(
            f"auxiliary.final_board needs a game whose first two planes are all pieces, {game.spec} shows "
            f"{' and '.join(game.planes[:2])}"
        )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Foreteller(network, game, settings)


def shows_pieces(game: Game) -> bool:
    """Whether the first two planes are the mover's pieces and the other's, and nothing is hidden."""
    named = zip(game.planes, PIECES, strict=False)
    return not game.hidden and len(game.planes) > 1 and all(name.startswith(start) for name, start in named)
