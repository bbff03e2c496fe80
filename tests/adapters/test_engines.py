"""This program as an engine for others, and other programs as players here."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest

import zerosum
from zerosum.adapters.gomocup import GomocupEngine
from zerosum.adapters.gtp import GtpEngine
from zerosum.adapters.nboard import NBoardEngine
from zerosum.arena.play import PlayerFailed
from zerosum.core.errors import BadSpec, IllegalMove
from zerosum.core.naming import ggf, gtp_points
from zerosum.games import list_games, make_game
from zerosum.games.families.tiles import read_squares, write_squares
from zerosum.players.common import engine
from zerosum.players.common.registry import make_player
from zerosum.players.engines.gtp import GtpPlayer

ROOT = Path(__file__).parents[2]
CORNER = str(ROOT / "examples" / "corner.py")
SCRIPTED = f"gtp:{sys.executable} {ROOT / 'tests' / 'adapters' / 'scripted_engine.py'}"
OURS = f"{sys.executable} -m zerosum engine"
GRHINO = shutil.which("gtp-rhino", path="/usr/games:/usr/bin")


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the processes find this checkout."""
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'src'}:{ROOT}")
    monkeypatch.setattr(engine, "PATIENCE", 60.0)


@pytest.mark.parametrize(
    ("spec", "outside"),
    [
        ("othello:6x6", f"gtp:{OURS} gtp --game othello:6x6 --player {CORNER}"),
        ("gomoku:9x9", f"gomocup:{OURS} gomocup --player {CORNER}"),
        ("othello", f"nboard:{OURS} nboard --game othello --player {CORNER}"),
    ],
)
def test_a_player_behind_a_protocol_plays_the_games_it_plays_here(spec: str, outside: str) -> None:
    through = zerosum.play_match(spec, outside, "random", games=3, workers=1, seed=2)
    directly = zerosum.play_match(spec, CORNER, "random", games=3, workers=1, seed=2)
    assert [record.moves for record in through.records] == [record.moves for record in directly.records]


def test_an_outside_engine_plays_a_match() -> None:
    """GRhino where it is installed; elsewhere the scripted one, which has its dialect."""
    spec, player = ("othello", "gtp:gtp-rhino -l 1") if GRHINO else ("othello:6x6", f"{SCRIPTED} plays")
    result = zerosum.play_match(spec, player, "random", games=2, workers=1)
    assert len(result.records) == 2
    scripted = zerosum.play_match("othello:6x6", f"{SCRIPTED} plays", "random", games=2, workers=1)
    assert len(scripted.records) == 2


@pytest.mark.parametrize(
    ("habit", "complaint"),
    [
        ("dies", "ended after 'genmove b' (exit code 3); it complained: out of ink"),
        ("hangs", "said nothing for 3 s after 'genmove b'"),
        ("cheats", "played A1, which is not legal here"),
        ("babbles", "answered 'what?' to 'genmove': there is no move 'what?'"),
        ("resigns", "resigned; games are played to their end"),
        ("refuses", "refused 'boardsize 6': unacceptable size"),
    ],
)
def test_an_engine_that_fails_is_named_and_ended_and_what_was_played_is_kept(
    habit: str, complaint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if habit == "hangs":
        monkeypatch.setattr(engine, "PATIENCE", 3.0)
    ended: list[subprocess.Popen[str]] = []
    end = engine._end

    def remember(process: subprocess.Popen[str], listening: list[Thread]) -> None:
        end(process, listening)
        ended.append(process)

    monkeypatch.setattr(engine, "_end", remember)
    kept = tmp_path / "games.jsonl"
    with pytest.raises(PlayerFailed) as caught:
        zerosum.run_tournament(
            "othello:6x6", ["random", CORNER, f"{SCRIPTED} {habit}"], games=2, workers=1, state_file=kept
        )
    assert complaint in str(caught.value)
    assert f"{SCRIPTED} {habit}" in str(caught.value)
    assert ended[-1].poll() is not None
    assert len(kept.read_text().splitlines()) == 1 + 2  # the settings, and the pair without the engine


def test_an_engine_is_found_where_systems_put_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "some-engine"
    program.touch(mode=0o755)
    monkeypatch.setattr(engine, "GAMES", str(tmp_path))
    assert engine.command_of("gtp:some-engine -l 3", "gtp") == [str(program), "-l", "3"]


def test_an_engine_ends_with_its_player() -> None:
    game = make_game("othello:6x6")
    player = GtpPlayer(game, [*SCRIPTED.removeprefix("gtp:").split(), "plays"], "mine")
    player.choose(game.new().view())
    assert player.engine is not None
    process = player.engine.process
    del player
    deadline = time.monotonic() + 10
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert process.poll() is not None


@pytest.mark.parametrize(
    ("spec", "game", "complaint"),
    [
        ("gtp:", "othello", "gtp takes a command"),
        ("gtp:no-such-program -x", "othello", "there is no program 'no-such-program'"),
        ("gtp:'", "othello", "cannot read the command"),
        ("gtp:true", "invisible-tictactoe", "invisible-tictactoe hides something"),
        ("gtp:true", "brick:random", "drawn at random"),
        ("gomocup:true", "othello", "for gomoku on squares"),
        ("nboard:true", "othello:6x6", "NBoard is for Othello on 8x8"),
    ],
)
def test_what_no_engine_can_play_is_refused_at_once(spec: str, game: str, complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        make_player(spec, make_game(game))


@pytest.mark.parametrize(
    "name", [listing.name for listing in list_games() if not listing.name.startswith("invisible")]
)
def test_every_open_game_is_played_to_its_end_by_gtp(name: str) -> None:
    """What gogui-rules says of each position is what the rules say."""
    spec = {"mnk": "mnk:5x4x4", "gomoku": "gomoku:9x9"}.get(name, name)
    game = make_game(spec)
    gtp = GtpEngine(game, make_player("random", game), seed=3)
    state = game.new(3)
    assert gtp.answer("1 protocol_version") == "=1 2\n"
    for _ in range(12 if name == "blokus" else game.max_plies):
        if state.finished:
            break
        side = gtp.answer("gogui-rules_side_to_move").split()[1]
        assert side == ("black", "white")[state.mover]
        legal = gtp.answer("gogui-rules_legal_moves").split()[1:]
        assert [game.notation.read(gtp_points.from_gtp(point)) for point in legal] == state.legal_actions()
        said = gtp.answer(f"genmove {side}")
        state.play(game.notation.read(gtp_points.from_gtp(said.split()[1])))
    if state.finished:
        won = {zerosum.FIRST_WINS: "= B+", zerosum.SECOND_WINS: "= W+", zerosum.DRAW: "= 0"}[state.outcome]
        assert gtp.answer("gogui-rules_final_result").startswith(won)


def test_gtp_answers_as_its_specification_has_it() -> None:
    game = make_game("othello")
    gtp = GtpEngine(game, make_player("greedy", game))
    assert gtp.answer("boardsize 8") == "=\n"
    assert gtp.answer("boardsize 9") == "? unacceptable size 9: this is othello\n"
    assert gtp.answer("7 play b d3 # a remark") == "=7\n"
    assert gtp.answer("play b c3").startswith("? it is not the move of b")
    assert gtp.answer("play w a1").startswith("? illegal move: ")
    assert gtp.answer("play w").startswith("? a colour and a move")
    assert gtp.answer("undo") == "=\n"
    assert gtp.answer("undo") == "? cannot undo\n"
    assert gtp.answer("known_command genmove") == "= true\n"
    assert gtp.answer("dance") == "? unknown command\n"
    assert gtp.answer("") == gtp.answer("# nothing") == ""
    assert gtp.answer("reg_genmove b").split()[1] in {"D3", "C4", "F5", "E6"}
    assert gtp.answer("final_score") == "? the game is not over\n"
    board = gtp.answer("gogui-rules_board").splitlines()
    assert board[1 + 3] == ". . . X O . . ."
    assert set(gtp.answer("list_commands")[2:].split()) == set(gtp.commands)


def test_gomocup_answers_as_its_specification_has_it() -> None:
    gomocup = GomocupEngine(CORNER)
    assert gomocup.answer("BEGIN") == "ERROR START comes first"
    assert gomocup.answer("START 21").startswith("ERROR gomoku: columns must be from 5 to 20")
    assert gomocup.answer("START 20") == "OK"
    assert gomocup.answer("BEGIN") == "19,19"
    assert gomocup.answer("START 7") == "OK"
    assert gomocup.answer("INFO timeout_turn 1000") == ""
    assert gomocup.answer("BEGIN") == "6,6"
    assert gomocup.answer("TURN 0,0") == "5,6"
    assert gomocup.answer("TURN 0,0").startswith("ERROR a1 is not legal here")
    assert gomocup.answer("RESTART") == "OK"
    assert [gomocup.answer(line) for line in ("BOARD", "3,3,2", "0,6,1", "6,6,2", "DONE")] == [""] * 4 + [
        "5,6"
    ]
    assert gomocup.answer("TAKEBACK 5,6") == "OK"
    assert gomocup.answer("ABOUT").startswith('name="zerosum"')
    assert gomocup.answer("SWAP2BOARD") == "UNKNOWN SWAP2BOARD"
    gomocup.answer("END")
    assert gomocup.over


def test_nboard_answers_as_its_specification_has_it() -> None:
    game = make_game("othello")
    nboard = NBoardEngine(game, make_player("greedy", game))
    assert nboard.answer("nboard 2") == "set myname greedy"
    assert nboard.answer("set depth 8") == ""
    start = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27
    shown = ggf.write_ggf(start, ["f5", "d6"], ("a", "b"), "?")
    assert nboard.answer(f"set game {shown}") == ""
    assert nboard.answer("ping 4") == "pong 4"
    assert nboard.state.names(nboard.state.history) == ["f5", "d6"]
    move = nboard.answer("go").removeprefix("=== ").partition("/")[0].lower()
    assert game.notation.read(move) in nboard.state.legal_actions()
    assert len(nboard.answer("hint 3").splitlines()) == 3
    assert nboard.answer("move C3/1.0/2") == ""
    assert nboard.answer("move C3").startswith("status c3 is not legal")
    assert nboard.answer("set game (;GM[Chess];)").startswith("status this is no game of Othello")


def test_points_skip_the_letter_i_and_come_back() -> None:
    names = [f"{letter}{row}" for letter in "abcdefghijklmno" for row in (1, 15)] + ["pass", "4"]
    assert [gtp_points.from_gtp(gtp_points.to_gtp(name)) for name in names] == names
    assert not any(gtp_points.to_gtp(name).startswith("I") for name in names)


def test_squares_of_pieces_come_back() -> None:
    game = make_game("blokus")
    state = game.new()
    for action in [*state.legal_actions()[::7], 0, 13728]:
        assert read_squares(write_squares(action)) == action
    assert game.notation.name(read_squares("e10,e9")) == game.notation.name(game.notation.read("e5+e6"))
    for nonsense in ("z3", "e10,e12", "", "e99"):
        with pytest.raises(IllegalMove):
            read_squares(nonsense)
