"""The page of a game, without a browser: what is pressed, and what is shown then."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from tests.web.simulated import Visitor, visit

HEX = str(Path(__file__).resolve().parents[2] / "examples" / "hex.py")


def test_a_whole_game_is_played_against_a_player() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/play/tictactoe?second=random")
        for _ in range(5):
            await visitor.until("status", "Your move")
            open_cells = re.findall(r'id="(a\d+)"', visitor.region("board"))
            await visitor.send("hit", open_cells[0])
            if any(word in visitor.region("status") for word in ("You win", "You lose", "A draw")):
                break
        assert "Record" in visitor.region("share") or "Your move" in visitor.region("status")
        assert visitor.region("board").count('class="first"') >= 3

    visit(scenario)


def test_the_address_brings_a_position_back_and_nonsense_is_refused_in_words() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/play/connect4?moves=44455&first=human&second=human")
        assert visitor.region("board").count('class="first"') == 3
        assert visitor.region("board").count('class="second"') == 2
        for path in (
            "/play/nothing",
            "/play/connect4?moves=99",
            "/play/connect4?second=human@x",
        ):
            await visitor.open(path)
            await visitor.until("main", "That did not work")

    visit(scenario)


def test_moves_are_taken_back_stepped_through_and_played_on_from() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/play/connect4?moves=4455&first=human&second=human")
        await visitor.send("back")
        assert visitor.region("board").count("data-cell=") == 3
        await visitor.send("show", "1")
        assert visitor.region("board").count("data-cell=") == 1
        await visitor.send("on")
        await visitor.send("hit", "a0")
        assert visitor.region("board").count("data-cell=") == 2
        await visitor.send("key", "ArrowLeft")
        assert "earlier position" in visitor.region("status")
        await visitor.send("key", "ArrowRight")
        await visitor.send("key", "7")
        assert visitor.region("board").count("data-cell=") == 3
        await visitor.send("resign")
        assert "wins (the other resigned)" in visitor.region("status")
        assert "resigned=" in visitor.region("share")
        await visitor.open("/play/connect4?moves=44&first=human&second=human&resigned=first")
        assert "The second player wins (the other resigned)" in visitor.region("status")
        await visitor.send("record")
        await visitor.send("new")
        assert "seed=1" in visitor.region("share")

    visit(scenario)


def test_players_that_are_watched_stop_at_once_when_somebody_presses_space() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/play/tictactoe?first=random&second=random")
        await visitor.until("board", "data-cell=")
        await visitor.send("key", " ")
        assert "Paused" in visitor.region("status")
        stones = visitor.region("board").count("data-cell=")
        await asyncio.sleep(1.0)  # the next move would have come after 0.7 seconds
        assert visitor.region("board").count("data-cell=") == stones
        await visitor.send("pause")
        await visitor.until("status", "Review the game")

    visit(scenario)


def test_a_hint_shows_its_move_on_the_board() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/play/connect4?moves=445566&first=human&second=human")
        await visitor.send("key", "h")
        await visitor.until("status", "would play")
        board = visitor.region("board")
        assert 'class="scene hinted"' in board
        assert board.count('<g class="ghost">') == 1

    visit(scenario)


def test_another_variant_is_opened_by_its_name_and_the_gallery_holds_every_kind_of_network() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/")
        for typed in ({"game": "othello:4x4"}, {"game": "./x.py"}, "othello:4x4"):
            await visitor.send("open", typed)
        await visitor.open("/networks")
        cards = visitor.region("main")
        for player in ("alphazero:100", "muzero:100", "dqn"):
            assert f"second={player}" in cards
        assert "against minimax:2, wins-draws-losses: 490-0-0" in cards

    visit(scenario)


def test_hostile_messages_change_nothing() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/play/tictactoe?first=human&second=human")
        for deed, value in [
            ("hit", "a99"),
            ("hit", "a999999"),
            ("hit", ["a1"]),
            ("hit", "<script>"),
            ("pass", 10**30),
            ("show", {"x": 1}),
            ("level", "99"),
            ("against", {"first": "./x.py", "second": "alphazero@/etc"}),
            ("against", "mcts"),
            ("load", {"moves": "z9 z9"}),
            ("load", {"moves": "a" * 15_000}),
            ("mode", "<b>"),
            ("overlay", "everything"),
            ("speed", "fast"),
            ("__init__", None),
            ("close", None),
            (7, 7),
        ]:
            await visitor.send(deed, value)
        assert visitor.region("board").count("data-cell=") == 0
        assert len(re.findall(r'id="a\d"', visitor.region("board"))) == 9
        assert "Two people" in visitor.region("opponent")
        assert "<script>" not in visitor.region("status")

    visit(scenario)


def test_a_hidden_game_tells_collisions_and_hides_the_rest_until_it_is_over() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/play/invisible-tictactoe?first=human&second=human")
        await visitor.send("hit", "a4")
        assert visitor.region("board").count("data-cell=") == 0
        assert "Hand over" in visitor.region("status")
        await visitor.send("hit", "a4")  # not before the other person has taken over
        assert "Hand over" in visitor.region("status")
        await visitor.send("uncover")
        await visitor.send("hit", "a4")
        assert "Collision" in visitor.region("status")
        assert visitor.region("board").count("data-cell=") == 1
        for cell in (0, 3, 1, 5):
            await visitor.send("hit", f"a{cell}")
            await visitor.send("uncover")
        assert "wins" in visitor.region("status")
        assert visitor.region("board").count("data-cell=") == 5

    visit(scenario)


def test_hint_overlay_and_evaluation_come_from_players() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/play/tictactoe?moves=b2a1&first=human&second=human")
        await visitor.send("overlay", "truth")
        board = await visitor.until("board", ">draw<")
        assert ">win<" in board or ">draw<" in board
        await visitor.send("hint")
        await visitor.until("status", "would play")
        await visitor.until("gauge-place", "for the first player")

    visit(scenario)


def test_players_play_each_other_and_can_be_stopped() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/play/tictactoe?first=random&second=random")
        await visitor.send("speed", "4")
        await visitor.until("share", "Record")
        await visitor.send("new")
        await visitor.send("pause")
        assert "Paused" in visitor.region("status") or "Record" in visitor.region("share")

    visit(scenario)


def test_a_game_of_ones_own_is_on_the_first_page_and_can_be_played() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/")
        home = visitor.region("main")
        assert '/play/hex"' in home
        assert home.count('class="card game"') > 12
        await visitor.open("/play/hex?first=human&second=human")
        await visitor.send("hit", "a5")
        assert visitor.region("board").count("data-cell=") == 1
        assert "hex.py" not in visitor.region("share") + visitor.region("opinion")

    visit(scenario, HEX)


def test_a_review_marks_what_was_a_mistake_and_nothing_else() -> None:
    """In tic-tac-toe the solver judges every move: the second player's answer on an edge loses."""

    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/review/tictactoe?moves=b2,b1,a1,c3")
        side = await visitor.until("side", "4 of 4 moves judged by the solver")
        assert "First player: no mistakes" in side
        assert "Second player: 1 mistake" in side
        assert "better: a1" in side
        await visitor.send("key", "n")
        assert "b1 was a mistake, proven" in visitor.region("bottom")
        await visitor.send("show", "0")
        await visitor.send("key", "ArrowRight")
        assert "nothing was better" in visitor.region("bottom")
        await visitor.open("/review/tictactoe")
        assert "nothing to review" in visitor.region("main")

    visit(scenario)


def test_a_report_is_measured_while_one_looks() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/report/tictactoe")
        assert "Measure it now" in visitor.region("main")
        await visitor.send("measure")
        main = await visitor.until("main", "How much the better player wins")
        assert "first player&#x27;s share" in main

    visit(scenario)
