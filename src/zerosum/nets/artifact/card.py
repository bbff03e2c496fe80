"""What a network's file says of itself, so that it is never used for what it was not made for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from zerosum.core.errors import BadNetwork
from zerosum.core.game import Game
from zerosum.games import INVISIBLE

FORMAT = "zerosum-network-2"  # raise the number when older versions cannot read what is written
FIRST_FORMAT = "zerosum-network-1"  # for one board, and without settings; still read
SETTINGS, TRUSTED = "settings", "trusted"


@dataclass(frozen=True)
class Card:
    """Written into files as text, one entry a field."""

    game: str  # the spec of the game it was trained for
    network: str  # its spec, with every setting
    shape: tuple[int, ...]  # of the board it was trained on
    planes: int
    actions: int
    settings: dict[str, Any] = field(default_factory=dict, hash=False)  # of its training; empty if not known
    trusted: bool = True  # whether its values foretold results well enough to search by them
    format: str = FORMAT

    def entries(self) -> dict[str, str]:
        """As text by field; ``read_card(card.entries(), ...) == card``."""
        entries = {field.name: str(getattr(self, field.name)) for field in fields(self)}
        return entries | {"shape": _sizes(self.shape), SETTINGS: json.dumps(self.settings, sort_keys=True)}

    def require(self, game: Game, where: str, any_board: bool) -> None:
        """Refuse a game that the network does not fit: another one, or, unless it fits any, another board.

        Variants that look the same to a network, such as another brick, may share one.
        """
        if _family(self.game) != _family(game.spec):
            twins = INVISIBLE + _family(self.game), INVISIBLE + _family(game.spec)
            told = _family(game.spec) == twins[0] or _family(self.game) == twins[1]
            hint = f" unless told so, as in alphazero:100,from={self.game}" if told else ""
            raise BadNetwork(f"{where} is a network for {self.game}; it cannot play {game.spec}{hint}")
        same_board = self.shape == game.shape and self.actions == game.num_actions
        if self.planes != len(game.planes) or not (same_board or any_board):
            raise BadNetwork(self.misfit(game, where))

    def misfit(self, game: Game, where: str) -> str:
        """The line that says what the network was made for, and that a game is something else."""
        return (
            f"{where} is made for {self.game}: a board of {_sizes(self.shape)}, {self.planes} planes and "
            f"{self.actions} actions; {game.spec} has {_sizes(game.shape)}, {len(game.planes)} and "
            f"{game.num_actions}"
        )


def card_for(game: Game, network: str, settings: dict[str, Any] | None = None) -> Card:
    """The card of a network that is trained for a game.

    ``network`` is its full spec; ``settings`` are those of the training, as plain data.
    """
    return Card(game.spec, network, game.shape, len(game.planes), game.num_actions, settings or {})


def read_card(entries: Mapping[str, str], where: str) -> Card:
    """The card in a file's entries; raises on files that carry none, or one of another format."""
    if "format" not in entries:
        raise BadNetwork(f"{where} is not a network of zerosum's: it carries no card")
    if entries["format"] == FIRST_FORMAT:
        entries = {SETTINGS: "{}", **entries}
    elif entries["format"] != FORMAT:
        raise BadNetwork(f"{where} is of the format '{entries['format']}'; this version reads '{FORMAT}'")
    entries = {TRUSTED: str(True), **entries}  # of earlier versions nobody asked
    missing = [field.name for field in fields(Card) if field.name not in entries]
    if missing:
        raise BadNetwork(f"{where} is damaged: its card lacks {', '.join(missing)}")
    try:
        return Card(
            game=entries["game"],
            network=entries["network"],
            shape=tuple(int(size) for size in entries["shape"].split("x")),
            planes=int(entries["planes"]),
            actions=int(entries["actions"]),
            settings=_read_settings(entries[SETTINGS]),
            trusted=_read_truth(entries[TRUSTED]),
            format=entries["format"],
        )
    except ValueError:
        raise BadNetwork(
            f"{where} is damaged: its card has sizes that are no numbers, or trust or settings that are none"
        ) from None


def _read_truth(text: str) -> bool:
    if text not in (str(True), str(False)):
        raise ValueError("neither true nor false")
    return text == str(True)


def _read_settings(text: str) -> dict[str, Any]:
    settings = json.loads(text)
    if not isinstance(settings, dict):
        raise ValueError("settings are no dictionary")
    return settings


def _sizes(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape))


def _family(spec: str) -> str:
    """The name of a game without its variant, and a file's without its folder."""
    return spec.partition(":")[0].rpartition("/")[2]
