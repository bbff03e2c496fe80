"""What comes from a page is checked like a stranger's, and refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.games import make_game
from zerosum.web.board.markup import Markup, button, tag
from zerosum.web.desk.admission import Games, admit_moves, admit_number, admit_player, admit_run, admit_whole
from zerosum.web.guard import allowed_hosts, is_own

HEX = str(Path(__file__).resolve().parents[2] / "examples" / "hex.py")


@pytest.mark.parametrize(
    "spec",
    [
        HEX,
        "../examples/hex.py",
        f"invisible-{HEX}",
        "os:system",
        "zerosum.games.connect4:make",
        "tictactoe:999x999",
        "tictactoe:20x20",
        "connect4:" + "7" * 100,
        "connect4:../x",
        "",
        "x" * 5000,
        "<script>",
    ],
)
def test_a_page_cannot_name_files_modules_or_enormous_boards(spec: str) -> None:
    with pytest.raises(BadSpec):
        Games().find(spec)


def test_a_file_named_on_the_command_line_is_known_by_its_name_alone() -> None:
    games = Games([HEX])
    game = games.find("hex")
    assert game.spec == HEX
    assert games.name(game) == "hex"
    assert games.find("hex") is game
    assert games.name(games.find("connect4")) == "connect4"
    assert games.page_name("connect4") == "connect4"
    assert games.page_name(str(Path(HEX).parent / ".." / "examples" / "hex.py")) == "hex"
    assert games.page_name(str(Path(HEX).with_name("dark_hex.py"))) is None
    with pytest.raises(BadSpec, match="start the page with"):
        Games().find_spec(HEX)


@pytest.mark.parametrize(
    "spec",
    [
        "human",
        "mcts:1000000000",
        "mcts:600s",
        "minimax:40",
        "alphazero:999999",
        "alphazero:10@../../etc",
        "alphazero:10@/tmp/run",
        "alphazero:10@nothing",
        f"alphazero:10,from={HEX}",
        "mcts:100,c=1,path=x",
        "./my_player.py",
        "gtp:sh -c true",
        "gomocup:/bin/sh",
        "nboard:ls",
        "random:5",
        "best:9999s",
        "x" * 500,
    ],
)
def test_a_page_cannot_ask_for_paths_or_endless_thought(spec: str) -> None:
    with pytest.raises(ZerosumError):
        admit_player(spec, make_game("tictactoe"))


@pytest.mark.parametrize(
    "spec", ["random", "mcts:1000,c=1", "mcts:0.5s", "alphazero:100", "solver", "minimax:3"]
)
def test_players_within_bounds_are_welcome(spec: str) -> None:
    assert admit_player(f" {spec} ", make_game("tictactoe")) == spec


def test_a_run_is_named_and_not_pathed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "mine").mkdir(parents=True)
    (tmp_path / "runs" / "mine" / "settings.json").write_text("{}")
    assert admit_run("mine") == "mine"
    for name in ("runs/mine", "../runs/mine", str(tmp_path / "runs" / "mine"), ""):
        with pytest.raises(BadSpec):
            admit_run(name)


@pytest.mark.parametrize("value", [None, "", "1e3", "nan", True, [], {}, 11, -1, "0x1", "1" * 50, 2.5])
def test_only_whole_numbers_within_bounds_are_whole_numbers_within_bounds(value: object) -> None:
    with pytest.raises(BadSpec):
        admit_whole(value, 0, 10, "it")
    with pytest.raises(BadSpec):
        admit_number("nan" if value == 2.5 or value == "1e3" else value, 0, 10, "it")


def test_numbers_come_as_text_or_as_numbers() -> None:
    assert [admit_whole(value, 0, 10, "it") for value in ("7", 7, 7.0)] == [7, 7, 7]
    assert admit_number("2.5", 0, 10, "it") == 2.5
    with pytest.raises(BadSpec):
        admit_moves("4" * 10_000)


def test_text_is_never_markup() -> None:
    evil = "<img src=x onerror=alert(1)>\"'"
    made = tag("p", evil, button(evil, evil, evil, title=evil), title=evil)
    assert "<img" not in made
    assert tag("p", Markup("<b>bold</b>")) == "<p><b>bold</b></p>"


@pytest.mark.parametrize(
    ("host", "origin", "own"),
    [
        ("127.0.0.1:8080", "", True),
        ("127.0.0.1:8080", "http://127.0.0.1:8080", True),
        ("localhost:8080", "http://localhost:8080", True),
        ("127.0.0.1:8080", "http://evil.example", False),
        ("127.0.0.1:8080", "http://127.0.0.1:9000", False),
        ("127.0.0.1:8080", "null", False),
        ("evil.example:8080", "http://evil.example:8080", False),
        ("evil.example", "", False),
        ("", "", False),
    ],
)
def test_only_pages_of_this_server_may_speak_to_it(host: str, origin: str, own: bool) -> None:
    """The last but two are names of another site that were given this machine's address."""
    assert is_own(host, origin, allowed_hosts("127.0.0.1")) is own


def test_a_server_for_all_names_still_refuses_other_sites() -> None:
    everybody = allowed_hosts("0.0.0.0")
    assert is_own("my-machine:8080", "http://my-machine:8080", everybody)
    assert not is_own("my-machine:8080", "http://evil.example", everybody)
