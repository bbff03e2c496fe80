"""Every game keeps the promises of the interface, and every broken promise is found and explained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zerosum.errors import BadSpec
from zerosum.games.kit.bits import lowest
from zerosum.games.kit.checks import play as play_checks
from zerosum.games.kit.compile import INT, UINT, Words, gather_rules, rule
from zerosum.games.kit.conformance import PROMISES, Check, check_game
from zerosum.games.kit.game import Game
from zerosum.games.kit.registry import list_games, make_game
from zerosum.games.kit.stones import (
    stones_encode,
    stones_heuristic,
    stones_legal,
    stones_mover,
    stones_outcome,
    stones_play,
    stones_start,
)
from zerosum.games.kit.symmetry import Symmetries

HEX = str(Path(__file__).parents[2] / "examples" / "hex.py")

# Variants worth a look; a game that is not named here is checked as it is spelt by its name alone.
VARIANTS = {
    "brick": ["brick:E5", "brick:random", "brick:9x9x5:A1+random"],
    "connect4": ["connect4", "connect4:9x8x4"],
    "gomoku": ["gomoku:9x9"],
    "mnk": ["mnk:7x7x4", "mnk:2x3x2"],
    "othello": ["othello:6x6", "othello:8x8"],
    "tictactoe": ["tictactoe", "tictactoe:4x4"],
}
SPECS = [f"{HEX}:4x3", f"{HEX}:9x9"]
SPECS += [spec for listing in list_games() for spec in VARIANTS.get(listing.name, [listing.name])]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: Path(spec).name)
def test_every_game_keeps_its_promises(spec: str) -> None:
    report = check_game(make_game(spec), games=15)
    assert report.failures == ()
    assert [check.name for check in report.checks] == list(PROMISES)


def test_the_same_seed_gives_the_same_report_and_progress_reaches_its_end() -> None:
    game = make_game("tictactoe")
    told: list[tuple[int, int]] = []
    first = check_game(game, games=3, seed=5, on_progress=lambda done, total: told.append((done, total)))
    assert first == check_game(game, games=3, seed=5)
    assert [done for done, _ in told] == list(range(1, told[-1][1] + 1))
    assert list(first.lines())[-1] == "tictactoe keeps every promise that 3 random games can test"


def test_no_games_are_refused() -> None:
    with pytest.raises(BadSpec, match="0 games"):
        check_game(make_game("tictactoe"), games=0)


# Mistakes planted in tic-tac-toe, whose position is: first's stones, second's, bricks, mover, outcome.


@rule
def forgetful_start(table: Words, position: Words, rng: Words) -> None:
    position[:4] = UINT(0)


@rule
def finished_start(table: Words, position: Words, rng: Words) -> None:
    position[:] = UINT(0)
    position[4] = UINT(3)


@rule
def backward_legal(table: Words, position: Words, actions: Words) -> int:
    count = stones_legal(table, position, actions)
    actions[:count] = actions[:count][::-1].copy()
    return count


@rule
def repeating_legal(table: Words, position: Words, actions: Words) -> int:
    count = stones_legal(table, position, actions)
    if count > 1:
        actions[1] = actions[0]
    return count


@rule
def foreign_legal(table: Words, position: Words, actions: Words) -> int:
    count = stones_legal(table, position, actions)
    if count == 3:
        actions[2] = 9
    return count


@rule
def endless_legal(table: Words, position: Words, actions: Words) -> int:
    actions[0] = 4
    return 1


@rule
def late_legal(table: Words, position: Words, actions: Words) -> int:
    actions[0] = 4
    return 1 if position[4] else stones_legal(table, position, actions)


@rule
def long_legal(table: Words, position: Words, actions: Words) -> int:
    count = stones_legal(table, position, actions)
    actions[count] = 0
    return count


@rule
def greedy_legal(table: Words, position: Words, actions: Words) -> int:
    position[2] |= UINT(1)
    return stones_legal(table, position, actions)


@rule
def sprawling_play(table: Words, position: Words, action: int) -> None:
    stones_play(table, position, action)
    position[len(position)] = UINT(action)


@rule
def scribbling_play(table: Words, position: Words, action: int) -> None:
    stones_play(table, position, action)
    table[len(table) - 1] += UINT(1)


@rule
def moody_play(table: Words, position: Words, action: int) -> None:
    stones_play(table, position, action)
    if np.random.random() < 0.5:
        position[3] = UINT(0)


@rule
def remembering_play(table: Words, position: Words, action: int) -> None:
    stones_play(table, position, action)
    position[5] = UINT(action)


@rule
def third_mover(table: Words, position: Words) -> int:
    return 2 if position[0] & UINT(16) else INT(position[3])


@rule
def odd_outcome(table: Words, position: Words) -> int:
    return 7 if position[4] else 0


@rule
def unending_outcome(table: Words, position: Words) -> int:
    return 0


@rule
def partial_encode(table: Words, position: Words, planes: Words) -> None:
    for cell in range(17):
        planes[cell] = UINT(cell) & position[0]


@rule
def infinite_encode(table: Words, position: Words, planes: Words) -> None:
    stones_encode(table, position, planes)
    planes[3] = np.inf


@rule
def sprawling_encode(table: Words, position: Words, planes: Words) -> None:
    stones_encode(table, position, planes)
    planes[len(planes)] = 0.0


@rule
def wild_heuristic(table: Words, position: Words) -> float:
    return 100.0 * stones_heuristic(table, position)


@rule
def upside_down_heuristic(table: Words, position: Words) -> float:
    return -stones_heuristic(table, position)


@rule
def first_rollout(table: Words, position: Words, actions: Words, rng: Words) -> int:
    while stones_legal(table, position, actions) > 0:
        stones_play(table, position, actions[0])
    return INT(position[4])


@rule
def untidy_rollout(table: Words, position: Words, actions: Words, rng: Words) -> int:
    return 1 + lowest(position[0] | UINT(1))


@rule
def partial_view(table: Words, position: Words, player: int, seen: Words) -> None:
    seen[:4] = position[:4]


BASE = make_game("tictactoe")
OTHER = make_game("tictactoe:4x4").new()
ROLES = {
    "start": stones_start,
    "legal": stones_legal,
    "play": stones_play,
    "mover": stones_mover,
    "outcome": stones_outcome,
    "encode": stones_encode,
    "heuristic": stones_heuristic,
}


def ruled(**changed: Any) -> Game:
    """Tic-tac-toe with other rules."""
    return replace(BASE, rules=gather_rules(**{**ROLES, **changed}))


def named(name: Callable[[int], str], **changed: Any) -> Game:
    return replace(BASE, notation=replace(BASE.notation, name=name, **changed))


def turned(cells: Any, actions: Any) -> Game:
    return replace(BASE, symmetries=Symmetries(np.array(cells), np.array(actions)))


def crooked(row: int) -> Game:
    """One symmetry sends two cells to each other's places."""
    tables = BASE.symmetries.cells.copy()
    tables[row, [0, 1]] = tables[row, [1, 0]]
    return turned(tables, tables)


PICTURES: dict[Any, Any] = {}
NINE = list(range(9))
SWAP = [1, 0, *range(2, 9)]
FAILURES: list[tuple[str, Callable[[], Game], str, str]] = [
    ("a word left over", lambda: ruled(start=forgetful_start), "start", "word 4"),
    ("over at once", lambda: ruled(start=finished_start), "start", "before it begins"),
    ("descending actions", lambda: ruled(legal=backward_legal), "legal", "ascending order"),
    ("an action twice", lambda: ruled(legal=repeating_legal), "legal", "twice"),
    ("an action out of range", lambda: ruled(legal=foreign_legal), "legal", "action 9 in game.new"),
    (
        "a game without end",
        lambda: ruled(legal=endless_legal, outcome=unending_outcome),
        "length",
        "max_plies",
    ),
    ("moves after the end", lambda: ruled(legal=late_legal), "legal", "return 0 when the game is over"),
    ("no result", lambda: ruled(outcome=unending_outcome), "outcome", "no action is legal"),
    ("an unknown result", lambda: ruled(outcome=odd_outcome), "outcome", "gives 7"),
    ("a third player", lambda: ruled(mover=third_mover), "mover", "gives 2"),
    (
        "writing past the actions",
        lambda: ruled(legal=long_legal),
        "memory",
        "legal writes outside the actions",
    ),
    (
        "writing past the position",
        lambda: ruled(play=sprawling_play),
        "memory",
        "play writes outside the position",
    ),
    (
        "writing past the planes",
        lambda: ruled(encode=sprawling_encode),
        "memory",
        "encode writes outside the planes",
    ),
    ("changing the table", lambda: ruled(play=scribbling_play), "looking", "play changes the table"),
    ("changing while looking", lambda: ruled(legal=greedy_legal), "looking", "legal changes the position"),
    ("play by chance", lambda: ruled(play=moody_play), "play", "another position the second time"),
    (
        "an unfilled cell",
        lambda: ruled(encode=partial_encode),
        "encode",
        "cell 8 of plane 1 ('other's stones') unfilled",
    ),
    ("an infinite cell", lambda: ruled(encode=infinite_encode), "encode", "cell 3 of plane 0"),
    ("a huge estimate", lambda: ruled(heuristic=wild_heuristic), "heuristic", "so divide it"),
    (
        "a rollout of its own",
        lambda: ruled(rollout=first_rollout),
        "rollout",
        "drawing from the legal actions",
    ),
    ("a rollout that stays", lambda: ruled(rollout=untidy_rollout), "rollout", "final position"),
    (
        "an unfilled view",
        lambda: replace(ruled(view=partial_view), hidden=True),
        "view",
        "fill every word of seen",
    ),
    ("a view by surprise", lambda: ruled(view=partial_view), "record", "hidden is False"),
    ("a score nobody counts", lambda: replace(BASE, has_score=True), "record", "has_score is True"),
    ("too many actions", lambda: replace(BASE, num_actions=70_000), "record", "65535"),
    ("max_legal too small", lambda: replace(BASE, max_legal=8), "memory", "max_legal that is too small"),
    ("max_plies too small", lambda: replace(BASE, max_plies=4), "length", "max_plies is 4"),
    (
        "a short position",
        lambda: replace(BASE, position_words=4),
        "memory",
        "legal reads outside the position",
    ),
    (
        "two cells of one name",
        lambda: named(lambda a: "a1" if a == 8 else BASE.notation.name(a)),
        "notation",
        "both",
    ),
    (
        "a name apart from the pattern",
        lambda: named(BASE.notation.name, pattern="[a-b][1-3]"),
        "notation",
        "pattern",
    ),
    ("a shifted parse", lambda: named(BASE.notation.name, parse=lambda text: 4), "notation", "gives 4"),
    ("a name that raises", lambda: named(lambda a: ["a1"][a]), "notation", "IndexError"),
    ("a crooked symmetry", lambda: crooked(3), "symmetries", "symmetry 3 does not commute"),
    ("no identity", lambda: turned([SWAP], [NINE]), "symmetries", "row 0 of the cells table"),
    ("no permutation", lambda: turned([NINE, [0] * 9], [NINE, NINE]), "symmetries", "row 1 of the cells"),
    ("actions left behind", lambda: turned([NINE, NINE[::-1]], [NINE, NINE]), "symmetries", "row 1 of both"),
    (
        "too few symmetries",
        lambda: turned([NINE, NINE[::-1]], [NINE]),
        "symmetries",
        "2 symmetries of the cells",
    ),
    ("too few cells", lambda: turned([NINE[:8]], [NINE]), "symmetries", "shape (1, 8)"),
    (
        "a picture of another board",
        lambda: replace(BASE, picture=lambda state: OTHER.game.picture(OTHER)),
        "picture",
        "the board has 9 cells",
    ),
    (
        "a picture that raises",
        lambda: replace(BASE, picture=lambda state: PICTURES[state]),
        "picture",
        "KeyError",
    ),
    ("another game's spec", lambda: replace(BASE, spec="tictactoe:4x4"), "spec", "num_actions is 16, not 9"),
]


@pytest.mark.parametrize(
    ("build", "check", "words"), [row[1:] for row in FAILURES], ids=[r[0] for r in FAILURES]
)
def test_a_planted_mistake_is_found_and_named(build: Callable[[], Game], check: str, words: str) -> None:
    report = check_game(build(), games=20)
    assert not report.passed
    found = {failure.name: failure.explanation for failure in report.failures}
    assert words in found.get(check, ""), found


def warning(game: Game) -> Check:
    report = check_game(game, games=40)
    assert report.passed
    (found,) = report.warnings
    return found


def test_words_that_hold_history_are_warned_about() -> None:
    found = warning(replace(ruled(play=remembering_play), position_words=6, spec="remembering"))
    assert found.name == "history"
    assert "differ in word 5" in found.explanation


def test_an_estimate_for_the_wrong_side_is_warned_about() -> None:
    found = warning(ruled(heuristic=upside_down_heuristic))
    assert found.name == "heuristic"
    assert "its sign is for the first player" in found.explanation


def test_moves_that_need_gaps_are_warned_about() -> None:
    assert "moves need gaps" in warning(make_game("connect4:11x4x4")).explanation


def test_hash_keys_that_collide_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_checks, "hash_key", lambda words: int(words[0]))
    (failure,) = check_game(BASE, games=5).failures
    assert failure.name == "hash key"


def test_symmetries_that_move_a_brick_are_set_aside_with_a_note() -> None:
    report = check_game(make_game("brick:E5"), games=3)
    (note,) = [check for check in report.checks if check.status == "note"]
    assert note.explanation.startswith("6 of 8 were not compared")


def test_after_a_write_out_of_bounds_nothing_more_is_tried() -> None:
    report = check_game(ruled(play=sprawling_play), games=20)
    assert report.games == 1
    assert {check.status for check in report.checks} == {"failed", "not run"}
