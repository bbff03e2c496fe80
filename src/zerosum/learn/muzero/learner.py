"""The model learns: at every imagined step the search's policy, the game's result, what was seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.learn.alphazero.lessons.learner import IMPOSSIBLE, NetworkLearner, relative_entropy
from zerosum.learn.muzero.settings import Carried, ModelLearning
from zerosum.nets.building.heads import LatentNetwork
from zerosum.nets.building.transplant import transplant

EVERYTHING = Carried()
OVER_WEIGHT = 2.0  # of whether a game is over: few steps tell, but what they say is certain


class ModelLearner(NetworkLearner):
    """A network that imagines, its optimiser, and the running average of its weights, which is what plays."""

    network: LatentNetwork

    def __init__(
        self,
        network: torch.nn.Module,
        settings: ModelLearning,
        spec: str,
        carried: Carried = EVERYTHING,
        seed: int = 0,
        cells: int = 0,
    ) -> None:
        """Of a network given by its spec too; the seed draws what is carried where that is scrambled.

        ``cells`` as in NetworkLearner.
        """
        if not isinstance(network, LatentNetwork):
            raise BadSpec(f"the network '{spec}' cannot imagine what a move does; MuZero's is latent")
        super().__init__(network, settings, cells)
        self.lessons = settings
        self.weights |= {"decoder_loss": 1.0, "turn_loss": 1.0, "over_loss": OVER_WEIGHT}
        self.largest_gradient = settings.largest_gradient
        self.carried = carried
        self.seed = seed
        for part in carried.frozen:
            network.get_submodule(part).requires_grad_(False)

    def start_from(self, arrays: Mapping[str, NDArray[Any]], origin: Game, game: Game) -> None:
        """Begin with the parts that are carried of the weights that play in another learner's arrays."""
        prefixes = {f"average/module.{part}." for part in self.carried.parts}
        fits = len(origin.planes) == len(game.planes)  # or a decoder would draw other planes
        generator = torch.Generator().manual_seed(self.seed)
        weights = self.network.state_dict()
        for name, array in arrays.items():
            key = name.removeprefix("average/module.")
            if name.startswith(tuple(prefixes)) and (fits or not key.startswith("decoder.")):
                tensor = torch.from_numpy(array.copy())
                weights[key] = _scrambled(tensor, generator) if self.carried.scrambled else tensor
        for network in (self.network, self.playing):
            transplant(weights, origin, network, game)

    def losses(self, batch: dict[str, Tensor]) -> dict[str, Tensor]:
        """Of a lesson, the fields of Unrolled; the step that is seen counts as much as all imagined ones."""
        size, steps = batch["values"].shape
        told = {name: array.transpose(0, 1).flatten(0, 1) for name, array in batch.items()}  # step by step
        latents, again = self._imagined(batch)  # [step * row, channel, row, column], [step * row] from 1 on
        half = torch.bfloat16 if self.halves else torch.float32
        with self.precision():
            answers = self.network.judge(latents.to(half, memory_format=torch.channels_last))
            decoded = self.network.decode(_flow_back(latents, self.lessons.decoder_weight))
        logits, values, over = (part.float() for part in answers)
        board, may = (part.float() for part in decoded)
        if self.settings.legal_moves_only:
            logits = torch.cat(
                [logits[:size].masked_fill(told["legal"][:size] == 0, IMPOSSIBLE), logits[size:]]
            )
        log_policy = functional.log_softmax(logits, dim=1)
        shown = told["planes"][:, : board.shape[1]]  # [row, plane, cell]; flat planes are not drawn
        wrong = functional.binary_cross_entropy_with_logits(board, shown, reduction="none").mean(dim=(1, 2))
        wrong = wrong + functional.binary_cross_entropy_with_logits(
            may, told["legal"], reduction="none"
        ).mean(dim=1)
        weights = torch.tensor([1.0] + [1 / max(1, steps - 1)] * (steps - 1))  # [step]
        seen, judged = (batch[name].sum(dim=0).clamp(min=1) for name in ("seen", "judged"))  # [step]

        def weighed(losses: Tensor, number: Tensor | int = size) -> Tensor:
            return weights @ (losses.reshape(steps, size).sum(dim=1) / number)

        return {
            "policy_loss": weighed(-(told["policy"] * log_policy).sum(dim=1)),
            "value_loss": weighed(told["judged"] * (values - told["values"]) ** 2, judged),
            "decoder_loss": weighed(told["seen"] * wrong, seen),
            "over_loss": weighed(
                functional.binary_cross_entropy_with_logits(over, told["over"], reduction="none")
            ),
            "turn_loss": functional.binary_cross_entropy_with_logits(again, told["again"][size:]),
            "policy_entropy": relative_entropy(log_policy[:size], told["legal"][:size]),
        }

    def _imagined(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """The latents of all steps, one after another, and what is said of who moves after each action.

        Layers may compute in half numbers; latents, which are imagined from, keep all their digits.
        """
        with self.precision():
            latents = [self.network.represent(batch["planes"][:, 0]).float()]
        turns = []
        for step in range(1, batch["values"].shape[1]):
            before = _flow_back(latents[-1], self.lessons.gradient_share)
            with self.precision():
                latent, again = self.network.imagine(
                    before, batch["actions"][:, step - 1], batch["again"][:, step] > 0
                )
            latents.append(latent.float())
            turns.append(again.float())
        return torch.cat(latents), torch.cat(turns)


def _scrambled(weights: Tensor, generator: torch.Generator) -> Tensor:
    """Random weights of the same norm."""
    drawn = torch.randn(weights.shape, generator=generator)
    return drawn * (weights.norm() / drawn.norm().clamp(min=1e-12))


def _flow_back(latent: Tensor, share: float) -> Tensor:
    """The same latent, through which so many times the gradient flows back."""
    same = latent.view_as(latent)
    if same.requires_grad:
        untyped: Any = same  # as torch leaves its hooks
        untyped.register_hook(lambda gradient: share * gradient)
    return same
