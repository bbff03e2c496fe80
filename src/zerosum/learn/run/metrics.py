"""What a run measured: ``metrics.jsonl``, one JSON object a line.

Every line has ``kind``, ``iteration`` and ``minutes``. Kinds and what else their lines hold:

- ``learning``: numbers by name, once an iteration. Names that all learners share: ``policy_loss``,
  ``value_loss``, ``policy_entropy`` (of the network's policy where there is a choice, as a share of the
  largest possible, 0 to 1), ``decisive_share`` (of games won or lost), ``gate_passed`` (1 or 0),
  ``replay_positions``, ``cpu_seconds`` (of all cores together). What depends on the machine's speed ends
  in ``_seconds``, ``_per_second`` or ``_speedup``.
- ``strength``: ``opponent``, ``wins``, ``draws``, ``losses``, and the same as lists in ``as_first`` and
  ``as_second``, by who moved first; or ``measure`` and ``share``, such as
  ``optimal_moves``.
- ``game``: ``moves``, as people write them, of a game of self-play; where a method plays against itself,
  once an iteration.
- ``warning``: ``text``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from zerosum.core.running.files import append_line as append
from zerosum.core.running.files import parse_json, read_text, replace_file

Line: TypeAlias = dict[str, Any]
MOST = 1e15  # of anything that is counted or timed; a larger number is none of ours
BY_THE_CLOCK = ("minutes", "_seconds", "_per_second", "_speedup")


def append_line(path: Path, line: Mapping[str, Any]) -> None:
    """Add a line in one write; numbers that JSON does not have become null."""
    finite = {key: None if _is_strange(value) else value for key, value in line.items()}
    append(path, json.dumps(finite, allow_nan=False))


def read_lines(path: Path) -> list[Line]:
    """Every whole line; a writer that was killed leaves at most a part of one, which is passed over."""
    text = read_text(path) if path.exists() else ""
    lines = []
    for row in text.splitlines():
        try:
            line = parse_json(row)
        except ValueError:
            continue
        if _is_whole(line):
            lines.append(line)
    return lines


def cut_back(path: Path, iteration: int) -> None:
    """Forget what was measured after an iteration, for a run that goes on from there."""
    kept = [line for line in read_lines(path) if line["iteration"] <= iteration]
    replace_file(path, "".join(json.dumps(line) + "\n" for line in kept).encode())


def forget_checks(path: Path, iteration: int) -> None:
    """Forget the strength checks after an iteration, for a run that goes on from there without them."""
    kept = [line for line in read_lines(path) if (line["kind"], line["iteration"]) != ("strength", iteration)]
    replace_file(path, "".join(json.dumps(line) + "\n" for line in kept).encode())


def without_times(line: Mapping[str, Any]) -> Line:
    """A line without what depends on the machine's speed: equal for the same seed, resumed or not."""
    return {key: value for key, value in line.items() if not key.endswith(BY_THE_CLOCK)}


def _is_whole(line: Any) -> bool:
    """Whether a line has what those who read it count on; what somebody else wrote may have anything."""
    if not isinstance(line, dict) or type(line.get("iteration")) is not int:
        return False
    if not isinstance(line.get("kind"), str) or not _is_number(line.get("minutes", 0)):
        return False
    if line["kind"] == "game":
        moves = line.get("moves")
        return isinstance(moves, list) and all(isinstance(move, str) for move in moves)
    if line["kind"] != "strength":
        return True
    if "opponent" in line:
        counts = [line.get(name) for name in ("wins", "draws", "losses")]
        return isinstance(line["opponent"], str) and all(type(c) is int and _is_number(c) for c in counts)
    return isinstance(line.get("measure"), str) and _is_number(line.get("share"))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < MOST


def _is_strange(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)
