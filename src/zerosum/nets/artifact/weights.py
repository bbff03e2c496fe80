"""A network's weights as safetensors: named tensors and a card, nothing that could run."""

from __future__ import annotations

import hashlib
from pathlib import Path

import safetensors.torch
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn

from zerosum.core.errors import BadNetwork, ZerosumError
from zerosum.core.files import write_whole
from zerosum.nets.artifact.card import Card, read_card


def save_weights(path: Path, network: nn.Module, card: Card) -> None:
    """Write the weights whole or not at all; ``load_weights`` gives them back bit for bit."""
    tensors = {name: tensor.detach().contiguous().cpu() for name, tensor in network.state_dict().items()}
    entries = {**card.entries(), "digest": _digest(tensors)}
    write_whole(path, safetensors.torch.save(tensors, metadata=entries))


def load_weights(path: Path, network: nn.Module) -> Card:
    """Put a file's weights into a network of the same tensors; the card says what they were made for.

    A network whose weights fit every board size takes those of any. Nothing is changed where one
    tensor does not fit.
    """
    try:
        with safe_open(path, framework="pt") as file:
            entries = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise BadNetwork(f"{path} is damaged, or holds no weights: {error}") from error
    except OSError as error:
        raise ZerosumError(f"cannot read {path}: {error.strerror or error}") from error
    card = read_card(entries, str(path))
    if _digest(tensors) != entries.get("digest"):
        raise BadNetwork(f"{path} is damaged: it is not what was written")
    _require_fit(path, tensors, network.state_dict(), card)
    network.load_state_dict(tensors)
    return card


def _require_fit(path: Path, found: dict[str, Tensor], wanted: dict[str, Tensor], card: Card) -> None:
    for name in sorted(found.keys() | wanted.keys()):
        here, there = (list(t[name].shape) if name in t else "missing" for t in (found, wanted))
        if here != there:
            raise BadNetwork(
                f"{path} does not fit: '{name}' is {here} in it and {there} in the network; it holds "
                f"{card.network} for {card.game}"
            )


def _digest(tensors: dict[str, Tensor]) -> str:
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(f"{name} {list(tensors[name].shape)} {tensors[name].dtype};".encode())
        digest.update(tensors[name].numpy().tobytes())
    return digest.hexdigest()
