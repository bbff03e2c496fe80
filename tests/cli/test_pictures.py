"""Pictures of boards as PNG, games as films, and stepping through a game by keys."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from zerosum.cli.common.keys import pressed_keys


@pytest.fixture
def records(zerosum: Any, tmp_path: Path) -> str:
    file = str(tmp_path / "games.jsonl")
    assert zerosum("match", "tictactoe", "random", "greedy", "--games", "2", "--records", file).code == 0
    return file


def opened(file: Path) -> Any:
    """The picture in a file, which is closed again."""
    return Image.open(io.BytesIO(file.read_bytes()))


def test_a_board_becomes_a_png_of_its_own_shape(zerosum: Any, tmp_path: Path) -> None:
    for moves, name in (("", "empty"), ("44455", "played")):
        ended = zerosum("draw", "connect4", "--moves", moves, "--to", str(tmp_path / f"{name}.png"))
        assert ended.code == 0, ended.err
    empty, played = (opened(tmp_path / f"{name}.png").convert("RGB") for name in ("empty", "played"))
    assert empty.size == played.size
    assert empty.width > empty.height > 400  # seven columns, six rows
    assert empty.tobytes() != played.tobytes()
    assert len(empty.getcolors(1 << 20) or []) > 10


def test_an_explanation_becomes_a_png(zerosum: Any, tmp_path: Path) -> None:
    file = tmp_path / "why.png"
    assert zerosum("explain", "tictactoe", "--player", "minimax:1", "--to", str(file)).code == 0
    assert opened(file).width > 600


def test_a_game_becomes_a_film_and_a_strip(zerosum: Any, records: str, tmp_path: Path) -> None:
    moves = len(zerosum("replay", records, "--json").data["moves"])
    film, strip = tmp_path / "game.gif", tmp_path / "game.png"
    assert zerosum("replay", records, "--to", str(film), "--pause", "0.1").code == 0
    assert zerosum("replay", records, "--to", str(strip)).code == 0
    shown = opened(film)
    assert shown.n_frames == moves + 1
    assert shown.info["duration"] == 100
    assert opened(strip).width == shown.width * min(6, moves + 1)
    refused = zerosum("replay", records, "--to", "game.mp4")
    assert (refused.code, "must end in .gif or .png" in refused.err) == (2, True)


def test_keys_step_forth_and_back(zerosum: Any, records: str, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def keys() -> Iterator[Iterator[str]]:
        yield iter(["left", "right", "space", "backspace", "end", "right", "home", "right", "q", "right"])

    monkeypatch.setattr("zerosum.cli.playing.replay.somebody_there", lambda: True)
    monkeypatch.setattr("zerosum.cli.playing.replay.pressed_keys", keys)
    moves = zerosum("replay", records, "--json").data["moves"]
    shown = zerosum("replay", records).out
    assert f"1. {moves[0]}" in shown  # where it was left
    assert f"1 of {len(moves)}" in shown
    assert f"2. {moves[1]}" not in shown
    everything = zerosum("replay", records, "--pause", "0").out
    assert all(f"{number}. {move}" in everything for number, move in enumerate(moves, start=1))


def test_keys_are_read_one_by_one_and_the_terminal_is_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    with os.fdopen(ours, "wb", buffering=0) as typing, open(theirs, "rb", buffering=0) as terminal:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(terminal))
        found = []
        with pressed_keys() as keys:
            for pressed in (b"\x1b[C", b"\x1b[D", b" ", b"Q"):
                typing.write(pressed)
                found.append(next(keys))
        assert found == ["right", "left", "space", "q"]


def test_a_new_game_is_written_and_can_be_played(zerosum: Any, tmp_path: Path) -> None:
    written = zerosum("new-game", "my-game", "--folder", str(tmp_path), "--json").data
    assert zerosum("draw", f"{written['game']}:3x3").out.split()[:3] == ["a", "b", "c"]
    assert "check-game" in zerosum("new-game", "another", "--moving", "--folder", str(tmp_path)).out
    assert "not overwritten" in zerosum("new-game", "my-game", "--folder", str(tmp_path)).err


def test_a_position_is_taken_from_text_and_what_is_none_is_refused(zerosum: Any) -> None:
    solved = zerosum("solve", "tictactoe", "--position", "XO. .X. ..O", "--json").data
    assert (solved["value"], solved["best"]) == ("win", ["a2", "a3"])
    explained = zerosum("explain", "connect4", "--position", "4453", "--player", "minimax:1", "--json").data
    assert explained["mover"] == 0
    refused = zerosum("draw", "tictactoe", "--position", "XXX")
    assert (refused.code, len(refused.err.strip().splitlines())) == (2, 1)
    played = ["play", "tictactoe", "--position", "XO. .X. ..O", "--against", "random"]
    won = zerosum(*played, "--no-review", "--seed", "1", stdin="a2\na3\n").out
    assert won.startswith("you win after 3 moves")
    kept = zerosum(*played, "--records", "games.jsonl")
    assert "records begin at the start" in kept.err
