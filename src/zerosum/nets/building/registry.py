"""Find a network by its spec, as in 'pooled' or 'pooled:channels=64,blocks=5'.

Every file of ``zerosum/nets`` is a network: its ``Settings`` say what can be set, each with a default, and
its ``make(settings, game)`` builds it. Every network takes planes, float32 [batch, plane, cell], and gives
logits [batch, action] and the value for the player to move, [batch], from -1 to 1. So is every module that an
installed package offers as an entry point of the group 'zerosum.networks', and every file of yours, as in
'./my_net.py:units=8'.
"""

from __future__ import annotations

import threading
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

from zerosum.core.compiling.memory import require_memory
from zerosum.core.errors import BadSpec, ZerosumError, suggestion
from zerosum.core.game import Game
from zerosum.core.naming.catalogue import Listing, import_from, listings_in, names_in
from zerosum.core.naming.loading import installed, installed_listings, load_file, run_foreign, split_path

try:
    import torch
    from torch import nn
    from torch.overrides import TorchFunctionMode
except ModuleNotFoundError:
    raise ZerosumError("networks are made and trained with torch; pip install 'zerosum[learn]'") from None

NETWORKS = Path(__file__).parents[1]
BYTES_A_WEIGHT = 5 * 4  # itself, its gradient, two moments of the optimiser, and its average
ENTRY_POINTS = "zerosum.networks"
ONE_AT_A_TIME = threading.Lock()


def list_networks() -> list[Listing]:
    """The networks that there are, by name: those of the package, then those of packages beside it."""
    return [*listings_in(NETWORKS), *installed_listings(ENTRY_POINTS)]


class Unfilled(TorchFunctionMode):
    """Leaves weights undrawn, where only their number is asked for.

    On the "meta" device torch would import its compiler to draw normal ones, which takes longer than all else
    that begins a training.
    """

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = kwargs or {}
        if func.__name__.endswith("normal_"):
            return args[0] if args else given["tensor"]
        return func(*args, **given)


def make_network(spec: str, game: Game, seed: int = 0) -> nn.Module:
    """The network that a spec names, with the first weights that belong to the seed.

    Other random numbers of torch go on as if nothing had happened.
    """
    module, settings = _read(spec)
    with torch.device("meta"), Unfilled():  # nothing is allocated there
        weights = sum(parameter.numel() for parameter in module.make(settings, game).parameters())
    require_memory(weights * BYTES_A_WEIGHT, f"{spec}, a network of {weights:,} weights,")
    with ONE_AT_A_TIME, torch.random.fork_rng(devices=[]):  # torch draws from one generator for all threads
        torch.manual_seed(seed)
        network: nn.Module = module.make(settings, game)
    return network


def network_spec(spec: str) -> str:
    """The full spelling of a spec, with every setting written out."""
    module, settings = _read(spec)
    path, _ = split_path(spec.strip())
    name = str(path) if path else spec.strip().lower().partition(":")[0].strip()
    values = [(f.name, getattr(settings, f.name)) for f in fields(module.Settings)]
    return name + ":" * bool(values) + ",".join(f"{key}={_write(value)}" for key, value in values)


def _read(spec: str) -> tuple[ModuleType, Any]:
    """A network's file and its settings."""
    path, rest = split_path(spec.strip())
    name = str(path)
    if path is None:
        name, _, rest = spec.strip().lower().partition(":")
    module = _module(name.strip()) if path is None else _whole(load_file(path, "network"), name)
    known = {f.name: f.default for f in fields(module.Settings)}
    settings = {}
    for part in filter(None, rest.split(",")):
        key, equals, text = (piece.strip() for piece in part.partition("="))
        if key not in known or not equals:
            hint = suggestion(key, known) if known else "; it has none"
            raise BadSpec(f"{name} has no setting '{key}' in '{spec}'{hint}")
        settings[key] = _parse(spec, part, text, known[key])
    return module, module.Settings(**settings)


def _module(name: str) -> ModuleType:
    names = names_in(NETWORKS)
    if name in names:
        return import_from(name, NETWORKS)
    offered = installed(ENTRY_POINTS)
    if name not in offered:
        raise BadSpec(f"unknown network '{name}'{suggestion(name, [*names, *offered])}")
    return _whole(run_foreign(offered[name].load, offered[name].value), offered[name].value)


def _whole(module: ModuleType, where: str) -> ModuleType:
    """A module of somebody else's, once it has what a network needs."""
    lacking = [part for part in ("Settings", "make") if not hasattr(module, part)]
    if lacking:
        raise BadSpec(f"{where} is no network: it lacks {' and '.join(lacking)}")
    return module


def _parse(spec: str, part: str, text: str, default: Any) -> Any:
    """A value of the same kind as the default: yes or no, a whole number, a fraction, or sizes as 64x32."""
    try:
        if isinstance(default, bool):
            value: Any = text == "yes"
            good = text in ("yes", "no")
        elif isinstance(default, tuple):
            value = tuple(int(size) for size in text.split("x"))
            good = len(value) == len(default) and min(value) > 0
        elif isinstance(default, float):
            value = float(text)
            good = 0 <= value < 1
        else:
            value = int(text)
            good = 0 < value <= 4096
    except ValueError:
        good = False
    if not good:
        raise BadSpec(
            f"'{part}' in '{spec}' cannot be; write it like {part.partition('=')[0]}={_write(default)}"
        )
    return value


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
