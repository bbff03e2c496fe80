"""The model learns: at every imagined step the search's policy, the game's result, what was seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.learn.alphazero.learner import IMPOSSIBLE, NetworkLearner
from zerosum.learn.alphazero.replay import Replay
from zerosum.learn.muzero.settings import Carried, ModelLearning
from zerosum.nets.building.heads import LatentNetwork
from zerosum.nets.building.transplant import transplant

EVERYTHING = Carried()


class Losses(NamedTuple):
    """Means over a batch; of the first three, the step that is seen counts as much as all imagined ones."""

    policy_loss: Tensor
    value_loss: Tensor
    decoder_loss: Tensor
    policy_entropy: Tensor  # of what is seen, 0 to 1


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
        self.carried = carried
        self.seed = seed
        for part in carried.frozen:
            network.get_submodule(part).requires_grad_(False)

    def learn(
        self,
        replay: Replay,
        steps: int,
        rate: float,
        rng: np.random.Generator,
        on_step: Callable[[int], None],
    ) -> dict[str, float]:
        """So many batches; returns the means of Losses. ``batch_losses`` then has the first two of each."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.network.train()
        found = np.zeros((steps, len(Losses._fields)))
        for step in range(steps):
            drawn = replay.draw(self.settings.batch, rng)
            losses = self.losses({name: torch.from_numpy(array) for name, array in drawn.items()})
            loss = (
                self.settings.policy_weight * losses.policy_loss
                + self.settings.value_weight * losses.value_loss
                + losses.decoder_loss
            )
            self.optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.lessons.largest_gradient)
            self.optimizer.step()
            self.averaged.update_parameters(self.network)
            found[step] = [part.item() for part in losses]
            on_step(step + 1)
        self.network.eval()
        self.batch_losses = found[:, :2]
        return dict(zip(Losses._fields, (found.sum(axis=0) / max(1, steps)).tolist(), strict=True))

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

    def losses(self, batch: dict[str, Tensor]) -> Losses:
        """Of a lesson, the fields of Unrolled; latents are imagined one after another."""
        steps = batch["values"].shape[1]
        with self._precision():
            latent = self.network.represent(batch["planes"][:, 0]).float()
        found = [self._step_losses(latent, batch, 0)]
        for step in range(1, steps):
            latent = _flow_back(latent, self.lessons.gradient_share)
            with self._precision():
                latent = self.network.imagine(latent, batch["actions"][:, step - 1]).float()
            found.append(self._step_losses(latent, batch, step))
        weights = torch.tensor([1.0] + [1 / max(1, steps - 1)] * (steps - 1))  # [step]
        policy, value, decoder = (weights @ torch.stack(part) for part in list(zip(*found, strict=True))[:3])
        return Losses(policy, value, decoder, found[0][3])

    def _precision(self) -> torch.autocast:
        """Layers may compute in half numbers; latents, which are imagined from, keep all their digits."""
        return torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.halves)

    def _step_losses(
        self, latent: Tensor, batch: dict[str, Tensor], step: int
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        legal, target = batch["legal"][:, step], batch["policy"][:, step]  # [row, action]
        with self._precision():
            judged = self.network.judge(latent)
            decoded = self.network.decode(_flow_back(latent, self.lessons.decoder_weight))
        (logits, values), (board, may) = ((part.float() for part in parts) for parts in (judged, decoded))
        if self.settings.legal_moves_only and step == 0:
            logits = logits.masked_fill(legal == 0, IMPOSSIBLE)
        log_shares = functional.log_softmax(logits, dim=1)
        policy_loss = -(target * log_shares).sum(dim=1).mean()
        value_loss = functional.mse_loss(values, batch["values"][:, step])
        seen = batch["seen"][:, step]  # [row]
        shown = batch["planes"][:, step, : board.shape[1]]  # [row, plane, cell]; flat planes are not drawn
        wrong = functional.binary_cross_entropy_with_logits(board, shown, reduction="none").mean(dim=(1, 2))
        wrong = wrong + functional.binary_cross_entropy_with_logits(may, legal, reduction="none").mean(dim=1)
        decoder_loss = (seen * wrong).sum() / seen.sum().clamp(min=1)
        return policy_loss, value_loss, decoder_loss, _relative_entropy(log_shares, legal)


def _scrambled(weights: Tensor, generator: torch.Generator) -> Tensor:
    """Random weights of the same norm."""
    drawn = torch.randn(weights.shape, generator=generator)
    return drawn * (weights.norm() / drawn.norm().clamp(min=1e-12))


def _flow_back(latent: Tensor, share: float) -> Tensor:
    """The same latent, through which only a share of the gradient flows back."""
    return share * latent + (1 - share) * latent.detach()


@torch.no_grad()
def _relative_entropy(log_shares: Tensor, legal: Tensor) -> Tensor:
    """Of policies, relative to that of equal chances among the legal moves."""
    choices = legal.sum(dim=1)
    entropy = -(log_shares.exp() * log_shares.clamp(min=-50)).sum(dim=1)
    free = choices > 1
    return (entropy[free] / choices[free].log()).mean() if free.any() else torch.tensor(1.0)
