"""What a network's file says of itself, so that it is never used for what it was not made for."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from zerosum.core.errors import BadNetwork
from zerosum.core.game import Game
from zerosum.games import INVISIBLE

FORMAT = "zerosum-network-1"  # raise the number when older files can no longer be read

# A sealed file ends in one more entry of its metadata: in the coding of ONNX (protocol buffers), messages
# laid end to end are one message, so the seal can be put behind a finished file and read without a parser.
SEAL = b"\x72\x4a\x0a\x06digest\x12\x40"
DIGITS = 64  # of a SHA-256 digest


@dataclass(frozen=True)
class Card:
    """Written into files as text, one entry a field."""

    game: str  # the spec of the game it was trained for
    network: str  # its spec, with every setting
    shape: tuple[int, ...]  # of the board
    planes: int
    actions: int
    format: str = FORMAT

    def entries(self) -> dict[str, str]:
        """As text by field; ``read_card(card.entries(), ...) == card``."""
        entries = {key: str(value) for key, value in asdict(self).items()}
        return {**entries, "shape": "x".join(map(str, self.shape))}

    def require(self, game: Game, where: str) -> None:
        """Refuse a game that the network does not fit: another one, or another board.

        Variants that look the same to a network, such as another brick, may share one.
        """
        if _family(self.game) != _family(game.spec):
            twins = INVISIBLE + _family(self.game), INVISIBLE + _family(game.spec)
            told = _family(game.spec) == twins[0] or _family(self.game) == twins[1]
            hint = f" unless told so, as in alphazero:100,from={self.game}" if told else ""
            raise BadNetwork(f"{where} is a network for {self.game}; it cannot play {game.spec}{hint}")
        if self.shape != game.shape or self.planes != len(game.planes) or self.actions != game.num_actions:
            board = "x".join(map(str, game.shape))
            raise BadNetwork(
                f"{where} plays {self.game}: a board of {self.entries()['shape']}, {self.planes} planes and "
                f"{self.actions} actions; {game.spec} has {board}, {len(game.planes)} and {game.num_actions}"
            )


def card_for(game: Game, network: str) -> Card:
    """The card of a network that is trained for a game; ``network`` is its full spec."""
    return Card(game.spec, network, game.shape, len(game.planes), game.num_actions)


def read_card(entries: Mapping[str, str], where: str) -> Card:
    """The card in a file's entries; raises on files that carry none, or one of another format."""
    missing = [f.name for f in fields(Card) if f.name not in entries]
    if "format" in missing:
        raise BadNetwork(f"{where} is not a network of zerosum's: it carries no card")
    if entries["format"] != FORMAT:
        raise BadNetwork(f"{where} is of the format '{entries['format']}'; this version reads '{FORMAT}'")
    if missing:
        raise BadNetwork(f"{where} is damaged: its card lacks {', '.join(missing)}")
    try:
        return Card(
            game=entries["game"],
            network=entries["network"],
            shape=tuple(int(size) for size in entries["shape"].split("x")),
            planes=int(entries["planes"]),
            actions=int(entries["actions"]),
        )
    except ValueError:
        raise BadNetwork(f"{where} is damaged: its card has sizes that are no numbers") from None


def _family(spec: str) -> str:
    """The name of a game without its variant, and a file's without its folder."""
    return spec.partition(":")[0].rpartition("/")[2]


def sealed(model: bytes) -> bytes:
    """An ONNX model with a digest of itself behind it."""
    return model + SEAL + hashlib.sha256(model).hexdigest().encode()


def require_whole(data: bytes, where: str) -> None:
    """Refuse a file that is not, byte for byte, one that ``sealed`` gave."""
    model, seal, digest = data[: -len(SEAL) - DIGITS], data[-len(SEAL) - DIGITS : -DIGITS], data[-DIGITS:]
    if seal != SEAL:
        raise BadNetwork(f"{where} is no network of zerosum's, or only a part of one: its end is missing")
    if hashlib.sha256(model).hexdigest().encode() != digest:
        raise BadNetwork(f"{where} is damaged: it is not what was written")
