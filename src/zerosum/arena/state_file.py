"""What a tournament has played so far, on disk: its settings on the first line, then a game a line."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from zerosum.arena.play import GameSeeds
from zerosum.arena.records.record import BadRecord, GameRecord, from_json, replay
from zerosum.core.errors import ZerosumError
from zerosum.core.game import Game
from zerosum.core.running.files import cannot, parse_json, read_text, write_file

FORMAT = 1  # of the file; to be raised when older files can no longer be read

GameKey: TypeAlias = tuple[tuple[str, str], int]  # the players by seat, and the number of their game


@dataclass(frozen=True)
class Saved:
    """The games of a state file, and the numbers of the lines that are no game of its tournament."""

    records: dict[GameKey, GameRecord]
    ignored_lines: tuple[int, ...]


@contextmanager
def locked_state(path: Path) -> Iterator[None]:
    """Keep every other process away from a state file, which is made empty where there is none.

    Raises where another one has it: two that write would each play the other's games again.
    """
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise cannot(f"keep games in {path}", error) from error
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ZerosumError(
                    f"{path} is in use: another process plays this tournament; wait for it, or stop it"
                ) from None
            if _is_file(descriptor, path):  # and not one that was deleted before it was locked
                yield
                return
        finally:
            os.close(descriptor)


def is_locked(path: Path) -> bool:
    """Whether a process plays the tournament of a state file just now."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _is_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def open_state(
    path: Path, settings: Mapping[str, Any], game: Game, seeds: Mapping[GameKey, GameSeeds]
) -> Saved:
    """The games that a state file holds of a tournament, under ``locked_state``; an empty file is begun.

    ``seeds`` are those of every game of the tournament. A line that is damaged, or whose game does not
    fit the seeds and the rules, is ignored, so that game is played again. A file of other settings raises
    and is left as it is.
    """
    header = json.dumps({"tournament": settings, "version": FORMAT})
    text = read_text(path) if path.exists() else ""
    if header.startswith(text):  # empty, or begun by a process that was killed at once
        _begin(path, header)
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


def _begin(path: Path, header: str) -> None:
    """Write in place, for the lock is on this very file; a header cut short is begun again."""
    try:
        write_file(path, f"{header}\n".encode())
    except OSError as error:
        raise cannot(f"write {path}", error) from error


def _check_header(path: Path, line: str, wanted: dict[str, Any]) -> None:
    """Refuse a file that is not the state of this very tournament, naming the first difference."""
    try:
        header = parse_json(line)
        found, version = dict(header["tournament"]), header["version"]
    except (ValueError, KeyError, TypeError):
        raise ZerosumError(f"{path} is not the state file of a tournament; name another file") from None
    if version != wanted["version"]:
        raise ZerosumError(f"{path} is of format {version}, not {wanted['version']}; name another file")
    learnt, now = found.setdefault("networks", []), wanted["tournament"]["networks"]  # none in old files
    for key, value in wanted["tournament"].items():
        if key == "networks" and learnt != now and len(learnt) == len(now):
            changed = [
                name for name, old, new in zip(found["players"], learnt, now, strict=True) if old != new
            ]
            raise ZerosumError(
                f"{path} holds games of other networks: what {', '.join(changed)} learnt has changed since; "
                "name another file to begin anew"
            )
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
