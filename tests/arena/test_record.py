"""Records: written whole, read back, replayed by the rules."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.arena.stubs import stub
from zerosum.arena.match import play_match
from zerosum.arena.records.files import append_record, read_records
from zerosum.arena.records.record import BadRecord, GameRecord, from_json, replay, to_json
from zerosum.core.errors import ZerosumError
from zerosum.core.outcome import DRAW, FIRST_WINS
from zerosum.games import make_game


@pytest.fixture(scope="module")
def records() -> tuple[GameRecord, ...]:
    """Games that the first player won, with reasons."""
    return play_match(make_game("tictactoe"), stub(10), stub(10), 4, explain=True).records


def test_a_record_survives_json_whole(records: tuple[GameRecord, ...]) -> None:
    for record in records:
        line = to_json(record)
        assert "\n" not in line
        back = from_json(line)
        assert back == record
        assert back.seconds == pytest.approx(record.seconds, abs=1e-6)


def test_a_record_says_its_outcome_in_words(records: tuple[GameRecord, ...]) -> None:
    assert json.loads(to_json(records[0]))["outcome"] == "first player wins"


@pytest.mark.parametrize("spec", ["tictactoe", "connect4:5x5x4", "brick:random", "brick:C3,D3,D4"])
def test_a_replay_shows_every_position_again(spec: str) -> None:
    game = make_game(spec)
    for record in play_match(game, "random", stub(4), 6, seed=9).records:
        states = list(replay(from_json(to_json(record))))
        assert [len(state.history) for state in states] == list(range(len(record.moves) + 1))
        assert states[0].position.tolist() == game.new(record.start_seed).position.tolist()
        assert tuple(states[-1].names(states[-1].history)) == record.moves
        assert states[-1].outcome == record.outcome
        assert not any(state.finished for state in states[:-1])


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"game": "connect4"}, "of connect4, not of tictactoe"),
        ({"actions": (0, 0, 1, 2, 3, 4, 5)}, "move 2 of the record: a1 is not legal here"),
        ({"actions": (0, 1, 99, 2, 3, 4, 5)}, "move 3 of the record: action 99 is not legal"),
        (
            {"moves": ("a1", "b1", "c3", "a2", "b2", "c2", "a3")},
            "move 3 of the record: action 2 is c1, not c3",
        ),
        ({"moves": ("a1",)}, "1 moves but 7 actions"),
        ({"actions": (0,), "moves": ("a1",)}, "ends after 1 moves, but the game goes on"),
        ({"outcome": DRAW}, "says 'draw', the rules say 'first player wins'"),
        ({"score": 3}, "says score 3, the rules say None"),
    ],
)
def test_a_record_that_does_not_fit_the_rules_is_refused(
    records: tuple[GameRecord, ...], changes: dict[str, Any], complaint: str
) -> None:
    assert records[0].outcome == FIRST_WINS
    with pytest.raises(BadRecord, match=complaint):
        list(replay(replace(records[0], **changes), make_game("tictactoe")))


def test_a_record_of_an_unknown_game_is_refused(records: tuple[GameRecord, ...]) -> None:
    with pytest.raises(ZerosumError, match="unknown game 'tictactow'"):
        list(replay(replace(records[0], game="tictactow")))


def test_what_is_appended_is_read_back_in_order(records: tuple[GameRecord, ...], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for record in records:
        append_record(path, record)
    found = read_records(path)
    assert found.records == records
    assert found.damaged == ()


def test_a_file_cut_anywhere_gives_its_whole_lines_and_takes_more(
    records: tuple[GameRecord, ...], tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    append_record(path, records[0])
    append_record(path, records[1])
    data = path.read_bytes()
    first_line = data.index(b"\n") + 1
    for cut in range(first_line + 1, len(data) - 1, 97):
        path.write_bytes(data[:cut])
        assert read_records(path).records == records[:1]
        assert read_records(path).damaged == (2,)
        append_record(path, records[2])
        assert read_records(path).records == (records[0], records[2])
        assert read_records(path).damaged == (2,)


@pytest.mark.parametrize(
    "line",
    ["", "{", "[]", "3", "null", "{}", '{"game": 3}', "\x00\x00", '{"tournament": {}, "version": 1}'],
)
def test_what_is_no_record_is_not_taken_for_one(line: str) -> None:
    with pytest.raises(BadRecord, match="not the record of a game"):
        from_json(line)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("outcome", "win"),
        ("actions", [0.5]),
        ("actions", 7),
        ("moves", [1]),
        ("players", ["a"]),
        ("number", True),
        ("player_seeds", [1, 2, 3]),
        ("seconds", None),
        ("choices", [{"action": 1}]),
    ],
)
def test_a_field_of_the_wrong_kind_is_refused(
    records: tuple[GameRecord, ...], field: str, value: object
) -> None:
    fields = json.loads(to_json(records[0]))
    fields[field] = value
    with pytest.raises(BadRecord):
        from_json(json.dumps(fields))


def test_files_that_cannot_be_used_are_named(records: tuple[GameRecord, ...], tmp_path: Path) -> None:
    with pytest.raises(ZerosumError, match=r"cannot read .*nowhere: No such file"):
        read_records(tmp_path / "nowhere")
    with pytest.raises(ZerosumError, match=r"cannot write .*: Is a directory"):
        append_record(tmp_path, records[0])
