"""The network learns: cross-entropy to the searches' policies, squared error to the games' results.

Weights lie channels last in memory, as the processor's convolutions like them best, and one fused call moves
them all. Where the processor multiplies half numbers (bfloat16), layers compute in these; weights, optimiser
and losses keep all their digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel

from zerosum.core.errors import BadNetwork
from zerosum.core.game import Game
from zerosum.learn.alphazero.lessons.auxiliary import Foreteller
from zerosum.learn.alphazero.lessons.replay import Replay
from zerosum.learn.alphazero.settings import Learning
from zerosum.learn.training.optimizers import SGD, Adam, AdamW
from zerosum.nets.artifact.processor import multiplies_halves
from zerosum.nets.building.transplant import transplant

CELLS_FOR_HALVES = 20  # on smaller boards, converting numbers costs what their halves gain
WORK_FOR_THREADS = 100_000_000  # multiplications a batch: with fewer, threads would wait more than work
WARM_UP = 10  # of the running average: after n steps it reaches back over n / WARM_UP at most
IMPOSSIBLE = -1e9  # the logit of an illegal action, where only legal ones count


class NetworkLearner:
    """A network, its optimiser, and the running average of its weights, which is what plays."""

    halves: bool  # whether layers compute in bfloat16
    weights: dict[str, float]  # of the losses, by name
    largest_gradient: float | None = None  # norm to which gradients are cut

    def __init__(
        self,
        network: nn.Module,
        settings: Learning,
        cells: int = 0,
        foreteller: Foreteller | None = None,
    ) -> None:
        """``cells`` of the board tell whether half numbers pay; without, all is computed in whole ones.

        A ``foreteller`` has the same network and heads beside it, and both learn.
        """
        self.network = lay_out(network, torch.channels_last)
        self.foreteller = foreteller
        self.settings = settings
        wanted = settings.precision
        pays = multiplies_halves() and cells >= CELLS_FOR_HALVES
        self.halves = pays if wanted == "auto" else wanted == "bfloat16"
        self.optimizer = self._make_optimizer()
        self.weights = {"policy_loss": settings.policy_weight, "value_loss": settings.value_weight}
        if foreteller is not None:
            lay_out(foreteller.heads, torch.channels_last)
            self.weights |= {name: weight for name, weight in foreteller.weights.items() if weight}
        self.batch_losses = np.zeros((0, 2))  # of the last ``learn``
        self.averaged = AveragedModel(self.network, multi_avg_fn=self._average, use_buffers=True).eval()

    @property
    def playing(self) -> nn.Module:
        """The network to play with."""
        network: nn.Module = self.averaged.module
        return network

    def learn(
        self,
        replay: Replay,
        steps: int,
        rate: float,
        rng: np.random.Generator,
        on_step: Callable[[int], None],
    ) -> dict[str, float]:
        """So many batches; returns the means of what ``losses`` gives.

        ``batch_losses`` then has the policy's and the value's loss of each batch.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.network.train()
        found: list[dict[str, float]] = []
        for step in range(steps):
            drawn = replay.draw(self.settings.batch, rng)
            losses = self.losses({name: torch.from_numpy(array) for name, array in drawn.items()})
            self.optimizer.zero_grad(set_to_none=True)
            weighed = [weight * losses[name] for name, weight in self.weights.items()]
            torch.autograd.backward(torch.stack(weighed).sum())
            if self.largest_gradient is not None:
                torch.nn.utils.clip_grad_norm_(self._learning_weights(), self.largest_gradient)
            self.optimizer.step()
            self.averaged.update_parameters(self.network)
            found.append({name: loss.item() for name, loss in losses.items()})
            on_step(step + 1)
        self.network.eval()
        self.batch_losses = np.array([[losses["policy_loss"], losses["value_loss"]] for losses in found])
        return {name: sum(losses[name] for losses in found) / steps for name in found[0]}

    def losses(self, batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Of a batch: what is learnt, and the mean entropy of the policy, 0 to 1."""
        further: dict[str, torch.Tensor] = {}
        with self.precision():
            if self.foreteller is None:
                answers = self.network(batch["planes"])
            else:
                answers, further = self.foreteller.answer(batch)
        logits, values = (answer.float() for answer in answers)  # [row, action], [row]
        if self.settings.legal_moves_only:
            logits = logits.masked_fill(batch["legal"] == 0, IMPOSSIBLE)
        log_policy = functional.log_softmax(logits, dim=1)  # [row, action]
        return {
            "policy_loss": -(batch["policy"] * log_policy).sum(dim=1).mean(),
            "value_loss": functional.mse_loss(values, batch["values"]),
            "policy_entropy": relative_entropy(log_policy, batch["legal"]),
            **further,
        }

    def precision(self) -> torch.autocast:
        """What layers compute in."""
        return torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.halves)

    @torch.no_grad()
    def _average(self, averages: Any, latest: Any, count: Any) -> None:
        """One step of the running average; counters, which are no weights, are taken as they are.

        At first it follows more closely: the weights of a network that knew nothing are soon forgotten.
        """
        steps = int(count)
        share = 1 - min(self.settings.average, (1 + steps) / (WARM_UP + steps))
        moving = [average for average in averages if average.is_floating_point()]
        if moving:  # all in one call: a call each would take as long as their arithmetic
            torch._foreach_lerp_(moving, [value for value in latest if value.is_floating_point()], share)
        for average, value in zip(averages, latest, strict=True):
            if not average.is_floating_point():
                average.copy_(value)

    def _make_optimizer(self) -> torch.optim.Optimizer:
        settings = self.settings
        common: dict[str, Any] = {
            "lr": settings.rate.start,
            "weight_decay": settings.weight_decay,
            "fused": True,
        }
        weights = self._learning_weights()
        if settings.optimizer == "sgd":
            return SGD(weights, momentum=settings.momentum, **common)
        kind = Adam if settings.optimizer == "adam" else AdamW
        return kind(weights, **common)

    def _learning_weights(self) -> list[nn.Parameter]:
        """The network's, then those of its auxiliary heads."""
        return list((self.network if self.foreteller is None else self.foreteller).parameters())

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Weights and optimiser, all there is to save."""
        found = {f"weights/{name}": tensor.numpy() for name, tensor in self.network.state_dict().items()}
        found |= {f"average/{name}": tensor.numpy() for name, tensor in self.averaged.state_dict().items()}
        if self.foreteller is not None:
            heads = self.foreteller.heads.state_dict().items()
            found |= {f"auxiliary/{name}": tensor.numpy() for name, tensor in heads}
        for number, slots in self.optimizer.state_dict()["state"].items():
            for name, value in slots.items():
                if value is not None:
                    found[f"optimiser/{number}/{name}"] = torch.as_tensor(value).numpy()
        return found

    def start_from(self, arrays: Mapping[str, NDArray[Any]], origin: Game, game: Game) -> None:
        """Begin with the weights that play in another learner's arrays, for its game or one much like it."""
        found = _part(arrays, "average/module.").items()
        weights = {name: torch.from_numpy(array.copy()) for name, array in found}
        for network in (self.network, self.playing):
            transplant(weights, origin, network, game)

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Put back what ``arrays`` gave; raises BadNetwork where that was another shape of network."""
        modules: list[tuple[nn.Module, str]] = [(self.network, "weights/"), (self.averaged, "average/")]
        if self.foreteller is not None:
            modules.append((self.foreteller.heads, "auxiliary/"))
        for module, prefix in modules:
            parts = _part(arrays, prefix).items()
            try:
                module.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in parts})
            except RuntimeError as error:
                raise BadNetwork(
                    "the network has changed its shape since this was learnt, so it cannot go on; train anew"
                ) from error
        state: dict[int, dict[str, torch.Tensor]] = {}
        weights = self._learning_weights()
        for name, array in _part(arrays, "optimiser/").items():
            number, _, slot = name.partition("/")
            value = torch.from_numpy(array.copy())
            own = weights[int(number)]
            # The fused optimiser goes through memory as it lies: what belongs to a weight must lie as it.
            laid = torch.empty_like(own).copy_(value) if value.shape == own.shape else value
            state.setdefault(int(number), {})[slot] = laid.detach()
        whole = self.optimizer.state_dict()
        self.optimizer.load_state_dict({"state": state, "param_groups": whole["param_groups"]})


def learning_threads(network: nn.Module, cells: int, batch: int, most: int) -> int:
    """Threads that pay for a network whose weights are used at every cell."""
    weights = sum(parameter.numel() for parameter in network.parameters())
    return most if weights * cells * batch >= WORK_FOR_THREADS else 1


def lay_out(network: nn.Module, layout: torch.memory_format) -> nn.Module:
    """The network itself, with the weights of its convolutions in this order in memory."""
    for weights in network.parameters():
        if weights.dim() == 4:
            weights.data = weights.data.contiguous(memory_format=layout)
    return network


@torch.no_grad()
def relative_entropy(log_policy: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """The mean over policies [row, action], relative to equal chances among the legal moves."""
    choices = legal.sum(dim=1)  # [row]
    entropy = -(log_policy.exp() * log_policy.clamp(min=-50)).sum(dim=1)
    free = choices > 1
    return (entropy[free] / choices[free].log()).mean() if free.any() else torch.tensor(1.0)


def _part(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
