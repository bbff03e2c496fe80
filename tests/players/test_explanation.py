"""What a player thinks, on the board: every move's figures stand where the move would be made."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from zerosum.core.picture import EMPTY
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.players.common.explanation import Explanation, explain, figure, foremost, known_kinds
from zerosum.players.common.explanation_svg import draw_explanation
from zerosum.players.common.player import Candidate, Choice
from zerosum.players.common.registry import make_player

SVG = "{http://www.w3.org/2000/svg}"


def position(spec: str, moves: str = "") -> State:
    state = make_game(spec).new()
    state.play_moves(moves)
    return state


def explained(state: State, spec: str) -> Explanation:
    return explain(state.view(), spec, make_player(spec, state.game).choose(state.view()))


@pytest.mark.parametrize(
    ("spec", "moves", "player"),
    [
        ("tictactoe", "b2 a1", "alphazero:20"),
        ("connect4", "444", "mcts:100"),
        ("othello:4x4", "b1", "solver"),
        ("brick:4x4x3:B2", "A1", "minimax:2"),
        ("qubic", "1a1", "greedy"),
    ],
)
def test_each_legal_move_stands_on_one_empty_cell_of_its_own(spec: str, moves: str, player: str) -> None:
    state = position(spec, moves)
    explanation = explained(state, player)
    assert explanation.one_cell_each
    picture = state.game.picture(state)
    hints = explanation.svg_hints()
    assert len(hints) == len(explanation.choice.candidates)
    assert all(picture.marks[cell] == 0 for cell in hints)
    assert [hint.chosen for hint in hints.values()].count(True) == 1
    assert max(hint.weight for hint in hints.values()) == 1.0
    assert set(explanation.text_hints()) == set(hints)


def test_a_stone_is_explained_where_it_comes_to_rest() -> None:
    state = position("connect4", "4444")
    explanation = explained(state, "mcts:100")
    assert explanation.cells == {
        column: frozenset({5 * 7 + column if column != 3 else 7 + 3}) for column in range(7)
    }


def test_moves_of_many_cells_are_shaded_by_how_much_lies_on_each() -> None:
    state = position("blokus")
    explanation = explained(state, "greedy")
    assert not explanation.one_cell_each
    assert explanation.text_hints() == {}
    hints = explanation.svg_hints()
    start_point = 4 * 14 + 4
    assert hints[start_point].weight == 1.0  # every first move covers it
    assert all(not hint.lines for hint in hints.values())
    chosen = {cell for cell, hint in hints.items() if hint.chosen}
    assert chosen == explanation.cells[explanation.choice.action]


def test_a_pass_has_no_cell_but_a_row_in_the_table() -> None:
    state = position("othello:4x4", "a2 a3 c4 a1")
    explanation = explained(state, "mcts:50")
    assert explanation.svg_hints() == {}
    assert "pass" in draw_explanation(explanation)


def test_only_what_the_player_sees_is_drawn_where_something_is_hidden() -> None:
    """X sees its own stones b2 and c3, and not O's at a1 and c1."""
    hidden = explained(position("invisible-tictactoe", "b2 a1 c3 c1"), "determinised:50")
    without = explained(position("invisible-tictactoe", "b2 a2 c3 b3"), "determinised:50")
    assert draw_explanation(hidden) == draw_explanation(without)
    marks = hidden.state.game.picture(hidden.state).marks
    assert [cell for cell, mark in enumerate(marks) if mark != EMPTY] == [4, 8]
    assert set(hidden.text_hints()) >= {0, 2}  # they may be tried


def test_the_picture_tells_every_figure_of_every_move() -> None:
    explanation = explained(position("tictactoe", "b2 a1"), "alphazero:50")
    root = ElementTree.fromstring(draw_explanation(explanation))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    for candidate in explanation.choice.candidates:
        for kind in ("prior", "visits", "value"):
            for short in (False, True):
                assert figure(candidate, kind, short) in [*texts, ""]
    plates = [part for part in root.iter() if part.get("class") == "hint"]
    assert len(plates) == 7


def test_without_a_search_only_the_priors_are_told() -> None:
    choice = make_player("alphazero:0", make_game("tictactoe")).choose(position("tictactoe").view())
    assert known_kinds(choice) == ["prior"]
    shares = [float(figure(candidate, "prior").rstrip("%")) for candidate in choice.candidates]
    assert sum(shares) == pytest.approx(100, abs=1)


def test_a_move_that_nobody_looked_at_has_no_value() -> None:
    assert figure(Candidate(3, visits=0, value=None, prior=0.2), "value") == ""
    assert figure(Candidate(3, visits=0, value=-0.5, prior=0.2), "value") == "-0.50"  # from looking further
    assert figure(Candidate(3, visits=4, value=0.0, prior=0.2), "value") == "+0.00"


@pytest.mark.parametrize(
    ("value", "short"), [(-0.000617, "-6.2e-4"), (0.25, "+0.25"), (-1.0, "-1"), (0.0, "0"), (12.0, "+12")]
)
def test_heuristic_values_are_short_enough_for_a_cell(value: float, short: str) -> None:
    assert figure(Candidate(0, value=value), "value", short=True) == short


def test_moves_of_equal_worth_weigh_the_same() -> None:
    state = position("tictactoe")
    equal = Choice(0, tuple(Candidate(action, value=0.0) for action in range(9)))
    assert set(explain(state.view(), "solver", equal).weights.values()) == {1.0}


def test_the_chosen_move_is_shown_though_many_are_as_good() -> None:
    candidates = tuple(Candidate(action, value=1.0) for action in range(9))
    assert [c.action for c in foremost(Choice(7, candidates), 3)] == [0, 1, 7]
    assert [c.action for c in foremost(Choice(1, candidates), 3)] == [0, 1, 2]
    assert foremost(Choice(7, candidates), 20) == candidates
