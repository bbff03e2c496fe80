"""Files of records: one JSON object a line, each written whole or not at all; or other programs' formats.

GGF (Othello), .blksgf (Blokus Duo) and the digits of Connect Four are read and written. A file's ending says
its format: .ggf, .blksgf, or .c4, a game of digits a line. What these leave out (seeds, thinking times) is
empty in a record that is read from one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from zerosum.arena.records.record import BadRecord, GameRecord, from_json, to_json
from zerosum.core.errors import ZerosumError
from zerosum.core.game import Game
from zerosum.core.naming.ggf import read_ggf, write_ggf
from zerosum.core.running.files import append_line, read_text
from zerosum.games import make_game
from zerosum.games.families.tiles import read_squares, write_squares

PASS = "pass"
MOVE = re.compile(r"[;\s]([BW])\[([^\]]*)\]")
PLAYERS = {name: re.compile(rf"{name}\[([^\]]*)\]") for name in ("PB", "PW")}


@dataclass(frozen=True)
class RecordFile:
    """What a file holds: its records in order, and the numbers of the lines that could not be read."""

    records: tuple[GameRecord, ...]
    damaged: tuple[int, ...]  # from 1; a writer that was killed leaves at most one such line


def append_record(path: Path, record: GameRecord) -> None:
    """Add a record to the end of a file, which is made where there is none."""
    append_line(path, to_json(record))


def read_records(path: Path) -> RecordFile:
    """Every record of a file; lines that are not whole records are passed over and listed.

    Files of other programs are known by their endings.
    """
    if path.suffix in FORMATS:
        games, wrong = read_games(path, read_text(path))
        return RecordFile(tuple(games), tuple(wrong))
    records, damaged = [], []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        try:
            records.append(from_json(line))
        except BadRecord:
            damaged.append(number)
    return RecordFile(tuple(records), tuple(damaged))


def to_ggf(record: GameRecord) -> str:
    """A game of Othello on one line."""
    game = _game(record, "othello")
    start = "".join("-*O"[mark] for mark in game.new(record.start_seed).picture().marks)
    return write_ggf(start, record.moves, record.players, f"{record.score or 0:+d}.0")


def from_ggf(text: str) -> GameRecord:
    found = read_ggf(text)
    game = make_game("othello" if found.size == 8 else f"othello:{found.size}x{found.size}")
    if found.mover != 0 or found.cells != "".join("-*O"[mark] for mark in game.new().picture().marks):
        raise BadRecord(f"the game does not begin as {game.spec} does")
    return _record(game, [game.notation.read(move) for _, move in found.moves], found.players)


def to_blksgf(record: GameRecord) -> str:
    """A game of Blokus Duo as Pentobi's files have it; a side that cannot move is left out there."""
    _game(record, "blokus")
    sides = _sides(record)
    moves = [
        f";{'BW'[side]}[{write_squares(action)}]"
        for side, action, move in zip(sides, record.actions, record.moves, strict=True)
        if move != PASS
    ]
    first, second = (name.replace("]", "\\]") for name in record.players)
    return "\n".join(["(;GM[Blokus Duo]", f"PB[{first}]PW[{second}]", *moves, ")"])


def from_blksgf(text: str) -> GameRecord:
    """The main line of a file; later variations are not looked at."""
    if "GM[Blokus Duo]" not in text:
        raise BadRecord("this is no game of Blokus Duo: GM[Blokus Duo] is missing")
    game = make_game("blokus")
    squares = [squares for _, squares in MOVE.findall(text.replace("(", "").partition(")")[0])]
    players = tuple(found[1] if (found := PLAYERS[name].search(text)) else "" for name in ("PB", "PW"))
    return _record(game, [read_squares(move) for move in squares], (players[0], players[1]))


def to_digits(record: GameRecord) -> str:
    """A game of Connect Four as columns, as in 4453."""
    _game(record, "connect4")
    return "".join(record.moves)


def from_digits(text: str) -> GameRecord:
    game = make_game("connect4")
    return _record(game, [move.action for move in game.notation.split(text.strip())], ("", ""))


# By ending of files: how a game is written and read, and what ends one in a file of several.
FORMATS: dict[str, tuple[Callable[[GameRecord], str], Callable[[str], GameRecord], str]] = {
    ".ggf": (to_ggf, from_ggf, "\n"),
    ".blksgf": (to_blksgf, from_blksgf, ""),
    ".c4": (to_digits, from_digits, "\n"),
}


def write_games(path: Path, records: Iterable[GameRecord]) -> str:
    """The text of a file; raises BadRecord where its format does not fit the games."""
    write, _, end = FORMATS[path.suffix]
    games = list(records)
    if not end and len(games) != 1:
        raise BadRecord(f"a {path.suffix} file holds one game, not {len(games)}")
    return "\n".join(write(record) for record in games) + "\n"


def read_games(path: Path, text: str) -> tuple[list[GameRecord], list[int]]:
    """The games of a file, and the numbers of those that could not be read, from 1."""
    _, read, end = FORMATS[path.suffix]
    records, damaged = [], []
    for number, part in enumerate(text.splitlines() if end else [text], start=1):
        if not part.strip():
            continue
        try:
            records.append(read(part))
        except ZerosumError:
            damaged.append(number)
    return records, damaged


def _game(record: GameRecord, family: str) -> Game:
    if record.game.partition(":")[0] != family:
        raise BadRecord(f"this format is for {family}, not for {record.game}")
    return make_game(record.game)


def _sides(record: GameRecord) -> list[int]:
    state = make_game(record.game).new(record.start_seed)
    for action in record.actions:
        state.play(action)
    return state.movers


def _record(game: Game, actions: Iterable[int], players: tuple[str, str]) -> GameRecord:
    """A finished game from its actions; passes that a format leaves out are put in."""
    state = game.new()
    for action in [*actions, None]:
        while state.names(state.legal_actions()) == [PASS] and action != state.legal_actions()[0]:
            state.play(state.legal_actions()[0])
        if action is not None:
            state.play(action)
    if not state.finished:
        raise BadRecord(f"the game goes on after {len(state.history)} moves")
    return GameRecord(
        game=game.spec,
        players=players,
        number=0,
        start_seed=0,
        player_seeds=(0, 0),
        actions=tuple(state.history),
        moves=tuple(state.names(state.history)),
        outcome=state.outcome,
        score=state.score if game.has_score else None,
        turns=(state.movers.count(0), state.movers.count(1)),
        seconds=(0.0, 0.0),
    )
