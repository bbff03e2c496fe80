"""Games in other programs' formats come back as they were."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import zerosum
from zerosum.arena.records.files import (
    from_blksgf,
    from_digits,
    from_ggf,
    read_records,
    to_blksgf,
    to_digits,
    to_ggf,
    write_games,
)
from zerosum.arena.records.record import BadRecord, GameRecord
from zerosum.core.errors import ZerosumError

CASES = [("othello:6x6", ".ggf", 6), ("othello", ".ggf", 4), ("blokus", ".blksgf", 1), ("connect4", ".c4", 6)]


def told(record: GameRecord) -> tuple[object, ...]:
    """What a format keeps."""
    return record.game, record.actions, record.moves, record.outcome, record.score, record.turns


@pytest.mark.parametrize(("spec", "ending", "games"), CASES)
def test_games_come_back_from_a_file(spec: str, ending: str, games: int, tmp_path: Path) -> None:
    records = zerosum.play_match(spec, "random", "random", games=games, seed=8).records
    path = tmp_path / f"games{ending}"
    path.write_text(write_games(path, records))
    back = read_records(path)
    assert back.damaged == ()
    assert [told(record) for record in back.records] == [told(record) for record in records]


def test_passes_are_told_in_ggf_and_left_out_in_blksgf() -> None:
    record = zerosum.play_match("blokus", "random", "random", games=1, seed=1).records[0]
    assert "pass" in record.moves
    text = to_blksgf(record)
    assert "pass" not in text.lower().replace("pb[", "")
    assert text.count(";B[") + text.count(";W[") == sum(move != "pass" for move in record.moves)
    assert told(from_blksgf(text)) == told(record)


def test_a_published_game_of_othello_is_read() -> None:
    """The perfect play of 8x8 Othello begins like this; a cut game is refused."""
    cells = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27
    with pytest.raises(BadRecord, match="goes on after 4 moves"):
        from_ggf(f"(;GM[Othello]PB[a]PW[b]TY[8]BO[8 {cells} *]B[F5/1.0/2]W[d6]B[c3]W[d3];)")
    with pytest.raises(ZerosumError, match="no game of Othello"):
        from_ggf("(;GM[Go];)")


def test_what_a_format_cannot_hold_is_refused(tmp_path: Path) -> None:
    record = zerosum.play_match("tictactoe", "random", "random", games=1).records[0]
    for write in (to_ggf, to_blksgf, to_digits):
        with pytest.raises(BadRecord, match="this format is for"):
            write(record)
    for read, text in ((from_blksgf, "(;GM[Go])"), (from_digits, "44")):
        with pytest.raises(BadRecord):
            read(text)
    twice = replace(record, game="blokus")
    with pytest.raises(BadRecord, match="holds one game, not 2"):
        write_games(tmp_path / "x.blksgf", [twice, twice])


def test_a_line_that_is_no_game_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "games.c4"
    path.write_text("4444\n\n1212121\n")
    found = read_records(path)
    assert [record.moves for record in found.records] == [tuple("1212121")]
    assert found.damaged == (1,)
