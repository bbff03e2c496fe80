"""Whatever is typed or lies in a file gives a value or an error of ours, and never another exception."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.arena.stubs import stub
from zerosum.arena.match import play_match
from zerosum.arena.records.files import read_records
from zerosum.arena.records.record import GameRecord, from_json, replay, to_json
from zerosum.arena.tournament import run_tournament
from zerosum.core.errors import BadNetwork, ZerosumError
from zerosum.games import list_games, make_game
from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.learn.run.metrics import append_line, read_lines
from zerosum.learn.run.record import Record, read_record
from zerosum.learn.settings.base import override, read_settings
from zerosum.nets.artifact.card import Card, read_card
from zerosum.nets.artifact.container import sealed, unpack
from zerosum.players.common.registry import list_players, make_player

GAMES = sorted(listing.name for listing in list_games())
PLAYERS = sorted(listing.name for listing in list_players())
TEXT = st.text(max_size=30)
PUNCTUATED = st.text(alphabet="0123456789xX:,+=@./_- aAbBdD\0é²", max_size=16)
SIZES = st.lists(st.integers(0, 20), min_size=1, max_size=4).map(lambda sizes: "x".join(map(str, sizes)))
Place = tuple[str | int, ...]  # of a value in JSON: keys and numbers, from the outside in
Given = TypeVar("Given")
FOLDER_STAYS = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
FEW = settings(FOLDER_STAYS, max_examples=40)  # where an example takes a tenth of a second


def fuzzed(data: bytes) -> st.SearchStrategy[bytes]:
    """A file in which some bytes were replaced, removed or put in; or anything at all."""
    places = st.integers(0, len(data))
    pieces = st.binary(max_size=3) | st.sampled_from(
        [b"[" * 3000, b"null", b"-1", b"1e999", b"9" * 400, b"\n"]
    )
    change = st.tuples(places, st.integers(0, 40), pieces)

    def changed(changes: list[tuple[int, int, bytes]]) -> bytes:
        result = data
        for at, length, piece in changes:
            result = result[:at] + piece + result[at + length :]
        return result

    return st.lists(change, min_size=1, max_size=3).map(changed) | st.binary(max_size=60)


def swapped_values(data: bytes) -> st.SearchStrategy[bytes]:
    """A JSON object in which one value, however deep, became another."""
    strange: list[Any] = [
        None,
        True,
        -1,
        2**70,
        10**400,
        1.5,
        float("inf"),
        "",
        "é",
        [],
        [[]],
        {},
        {"action": 0},
    ]

    def places(node: Any) -> list[Place]:
        inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        return [(), *((key, *place) for key, value in inside for place in places(value))]

    def swapped(place: Place, value: Any) -> bytes:
        whole: dict[str, Any] = {"": json.loads(data)}
        *path, last = ("", *place)
        node: Any = whole
        for key in path:
            node = node[key]
        node[last] = value
        return json.dumps(whole[""]).encode()

    return st.builds(swapped, st.sampled_from(places(json.loads(data))), st.sampled_from(strange))


def gives_or_refuses(read: Callable[[], Given]) -> Given | None:
    """What comes back; None where it is refused with a word. Any other exception fails the test."""
    try:
        return read()
    except ZerosumError as error:
        told = str(error)
    assert told
    return None


@FEW
@given(st.sampled_from(GAMES), SIZES | PUNCTUATED | TEXT)
@example("brick", "random:3x3")
def test_any_variant_of_a_game_is_one_or_is_refused_and_its_spec_gives_it_again(name: str, rest: str) -> None:
    game = gives_or_refuses(lambda: make_game(f"{name}:{rest}"))
    if game is not None:
        again = make_game(game.spec)
        assert again.spec == game.spec
        assert np.array_equal(again.table, game.table)


def test_the_variants_that_are_tried_are_not_all_refused() -> None:
    assert gives_or_refuses(lambda: make_game("mnk:7x6x4")) is not None
    assert gives_or_refuses(lambda: make_game("mnk:7x6x4x")) is None


@given(TEXT | PUNCTUATED | st.tuples(PUNCTUATED, PUNCTUATED).map(":".join))
@example(".:x")
@example("builtins:int")
@example("a" * 300 + ".py")
@example("invisible-invisible-tictactoe")
@example("invisible-" * 2000)
@example("\0.py")
def test_any_text_is_a_game_or_is_refused(text: str) -> None:
    gives_or_refuses(lambda: make_game(text))


@FEW
@given(st.sampled_from(["", *PLAYERS]), TEXT | PUNCTUATED)
@example("minimax", ":²")
@example("mcts", ":9999999999")
@example("mcts", ":1000,c=nan")
@example("alphazero", ":9999999999")
@example("alphazero", ":100,t=nan")
@example("alphazero", "@" + "a" * 300)
@example("alphazero", "@\0")
@example("alphazero", ":100,from=tictactoe,from=x")
@example("determinised", ":10,worlds=1e9")
def test_any_text_is_a_player_or_is_refused_and_its_spec_gives_it_again(name: str, rest: str) -> None:
    for spec in ("tictactoe", "invisible-tictactoe"):
        game = make_game(spec)
        player = gives_or_refuses(partial(make_player, name + rest, game))
        if player is not None:
            assert make_player(player.spec, game).spec == player.spec


@pytest.mark.parametrize("spec", ["connect4", "othello:6x6", "qubic", "blokus", "brick", "gomoku"])
def test_any_text_is_a_row_of_moves_or_is_refused(spec: str) -> None:
    notation = make_game(spec).notation

    @given(TEXT | st.text(alphabet="abcdefghABC0123456789-,; \n²é", max_size=12))
    def check(text: str) -> None:
        moves = gives_or_refuses(lambda: list(notation.split(text))) or []
        assert [notation.read(move.text) for move in moves] == [move.action for move in moves]
        again = " ".join(notation.name(move.action) for move in moves)
        assert [move.action for move in notation.split(again)] == [move.action for move in moves]

    check()


RECORD = to_json(play_match(make_game("tictactoe"), stub(10), stub(10), 1, explain=True).records[0]).encode()


@given(fuzzed(RECORD) | swapped_values(RECORD))
def test_a_record_is_read_and_played_again_or_refused(data: bytes) -> None:
    text = data.decode(errors="replace")
    record = gives_or_refuses(lambda: from_json(text))
    if record is not None:
        gives_or_refuses(lambda: list(replay(record)))


@FOLDER_STAYS
@given(data=fuzzed(RECORD + b"\n" + RECORD))
def test_a_file_of_records_gives_those_that_are_whole(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(data + b"\n" + RECORD)
    assert read_records(path).records[-1:] == (from_json(RECORD.decode()),)


@FEW
@given(data=st.data())
def test_a_tournament_goes_on_from_whatever_its_file_says_or_refuses_it(tmp_path: Path, data: Any) -> None:
    path, whole = tmp_path / "state.jsonl", tmp_path / "whole.jsonl"

    def records(path: Path) -> tuple[GameRecord, ...]:
        return run_tournament(make_game("tictactoe"), [stub(4), stub(10)], 2, state_file=path).records

    expected = records(whole)
    path.write_bytes(data.draw(fuzzed(whole.read_bytes())))
    assert gives_or_refuses(lambda: records(path)) in (None, expected)


LINES = "".join(json.dumps({"kind": "learning", "iteration": n, "minutes": n / 2}) + "\n" for n in range(3))


@FOLDER_STAYS
@given(data=fuzzed(LINES.encode()) | st.binary().map(lambda data: LINES.encode() + data))
def test_whatever_stands_in_a_file_of_metrics_what_is_added_is_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_bytes(data)
    append_line(path, {"kind": "learning", "iteration": 7, "loss": float("nan")})
    assert read_lines(path)[-1] == {"kind": "learning", "iteration": 7, "loss": None}


FACTS = json.dumps(
    Record(
        format=1,
        game="tictactoe",
        method="alphazero",
        made_with={},
        seed=0,
        created="now",
        version="1",
        commit=None,
        settings=AlphaZeroSettings().as_json(),
    ).as_json()
).encode()


@FOLDER_STAYS
@given(data=fuzzed(FACTS) | swapped_values(FACTS))
def test_the_settings_of_a_run_are_read_or_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "settings.json").write_bytes(data)
    record = gives_or_refuses(lambda: read_record(tmp_path))
    if record is not None:
        settings = gives_or_refuses(lambda: read_settings(AlphaZeroSettings, record.settings))
        assert settings is None or read_settings(AlphaZeroSettings, settings.as_json()) == settings


@given(st.sampled_from(["search.simulations", "budget.minutes", "search", "", "network"]), TEXT | PUNCTUATED)
@example("search.simulations", "[" * 3000)
@example("search.simulations", "1e999")
@example("search.simulations", "9" * 400)
@example("network", '"\\ud800"')
def test_any_change_of_settings_is_made_or_refused(path: str, value: str) -> None:
    gives_or_refuses(lambda: override(AlphaZeroSettings(), [f"{path}={value}"]))


CARD = Card("connect4", "pooled:channels=4", (6, 7), 2, 7)


@given(st.sampled_from(sorted(CARD.entries())), TEXT | st.sampled_from(["6x", "x", "9" * 5000, "-1", "²"]))
def test_a_card_is_read_or_refused(field: str, value: str) -> None:
    read = gives_or_refuses(lambda: read_card({**CARD.entries(), field: value}, "a file"))
    assert read_card(CARD.entries(), "a file") == CARD
    if read is not None and field not in ("shape", "planes", "actions"):
        assert read.entries()[field] == value


NETWORK = sealed(bytes(range(256)))


@given(fuzzed(NETWORK))
def test_a_network_with_other_bytes_than_were_written_is_refused(data: bytes) -> None:
    unpack(NETWORK, "the file")
    if data != NETWORK:
        with pytest.raises(BadNetwork):
            unpack(data, "a file")
