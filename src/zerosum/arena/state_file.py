"""What a tournament has played so far, on disk: its settings on the first line, then a game a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from zerosum.arena.play import GameSeeds
from zerosum.arena.record import BadRecord, GameRecord, from_json, replay
from zerosum.core.errors import ZerosumError
from zerosum.core.files import parse_json, read_text, write_whole
from zerosum.core.game import Game

FORMAT = 1  # of the file; to be raised when older files can no longer be read

GameKey: TypeAlias = tuple[tuple[str, str], int]  # the players by seat, and the number of their game


@dataclass(frozen=True)
class Saved:
    """The games of a state file, and the numbers of the lines that are no game of its tournament."""

    records: dict[GameKey, GameRecord]
    ignored_lines: tuple[int, ...]


def open_state(
    path: Path, settings: Mapping[str, Any], game: Game, seeds: Mapping[GameKey, GameSeeds]
) -> Saved:
    """The games that a state file holds of a tournament; a file that does not exist is begun.

    ``seeds`` are those of every game of the tournament. A line that is damaged, or whose game does not
    fit the seeds and the rules, is ignored, so that game is played again. A file of other settings raises
    and is left as it is.
    """
    header = json.dumps({"tournament": settings, "version": FORMAT})
    text = read_text(path) if path.exists() else ""
    if header.startswith(text):  # empty, or begun by a process that was killed at once
        write_whole(path, f"{header}\n".encode())
        return Saved({}, ())
    first_line, *lines = text.splitlines()
    _check_header(path, first_line, json.loads(header))
    records: dict[GameKey, GameRecord] = {}
    ignored = []
    for number, line in enumerate(lines, start=2):
        try:
            record = _fitting_record(line, game, seeds)
        except BadRecord:
            ignored.append(number)
        else:
            records.setdefault((record.players, record.number), record)
    return Saved(records, tuple(ignored))


def _check_header(path: Path, line: str, wanted: dict[str, Any]) -> None:
    """Refuse a file that is not the state of this very tournament, naming the first difference."""
    try:
        header = parse_json(line)
        found, version = dict(header["tournament"]), header["version"]
    except (ValueError, KeyError, TypeError):
        raise ZerosumError(f"{path} is not the state file of a tournament; name another file") from None
    if version != wanted["version"]:
        raise ZerosumError(f"{path} is of format {version}, not {wanted['version']}; name another file")
    for key, value in wanted["tournament"].items():
        if found.get(key) != value:
            raise ZerosumError(
                f"{path} holds another tournament: {key} is {_shown(found.get(key))} there, "
                f"{_shown(value)} here; name another file to begin anew"
            )


def _fitting_record(line: str, game: Game, seeds: Mapping[GameKey, GameSeeds]) -> GameRecord:
    """The game of a line; raises BadRecord unless it is one of the tournament's, played by the rules."""
    record = from_json(line)
    expected = seeds.get((record.players, record.number))
    if expected != GameSeeds(record.start_seed, record.player_seeds):
        raise BadRecord("no game of this tournament")
    for _ in replay(record, game):
        pass
    return record


def _shown(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
