"""Every game keeps the promises of the interface, and every broken promise is found and explained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from tests.app import broken_rules
from zerosum.app.conformance import play as play_checks
from zerosum.app.conformance.check import PROMISES, Check, check_game
from zerosum.core.compiling.compile import gather_rules
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.symmetry import Symmetries
from zerosum.games import list_games, make_game
from zerosum.games.families.invisible import (
    invisible_encode,
    invisible_lay,
    invisible_legal,
    invisible_missing,
    invisible_past,
    invisible_play,
    invisible_view,
)
from zerosum.games.families.stones import (
    stones_encode,
    stones_heuristic,
    stones_legal,
    stones_mover,
    stones_outcome,
    stones_play,
    stones_start,
)

HEX = str(Path(__file__).parents[2] / "examples" / "hex.py")

# Variants worth a look; a game that is not named here is checked as it is spelt by its name alone.
VARIANTS = {
    "brick": ["brick:E5", "brick:random", "brick:9x9x5:A1+random"],
    "connect4": ["connect4", "connect4:9x8x4"],
    "gomoku": ["gomoku:9x9"],
    "invisible-brick": ["invisible-brick:E5", "invisible-brick:random"],
    "invisible-connect4": ["invisible-connect4", "invisible-connect4:9x8x4"],
    "invisible-mnk": ["invisible-mnk:9x9x5"],
    "invisible-tictactoe": ["invisible-tictactoe", "invisible-tictactoe:4x4"],
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


BASE = make_game("tictactoe")
DARK = make_game("invisible-tictactoe")
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
DARK_ROLES = {
    "start": stones_start,
    "legal": invisible_legal,
    "play": invisible_play,
    "mover": stones_mover,
    "outcome": stones_outcome,
    "encode": invisible_encode,
    "view": invisible_view,
    "missing": invisible_missing,
    "past": invisible_past,
    "lay": invisible_lay,
}


def ruled(**changed: Any) -> Game:
    """Tic-tac-toe with other rules."""
    return replace(BASE, rules=gather_rules(**{**ROLES, **changed}))


def dark(**changed: Any) -> Game:
    """Invisible tic-tac-toe with other rules."""
    return replace(DARK, rules=gather_rules(**{**DARK_ROLES, **changed}))


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
    ("a word left over", lambda: ruled(start=broken_rules.forgetful_start), "start", "word 4"),
    ("over at once", lambda: ruled(start=broken_rules.finished_start), "start", "before it begins"),
    ("descending actions", lambda: ruled(legal=broken_rules.backward_legal), "legal", "ascending order"),
    ("an action twice", lambda: ruled(legal=broken_rules.repeating_legal), "legal", "twice"),
    (
        "an action out of range",
        lambda: ruled(legal=broken_rules.foreign_legal),
        "legal",
        "action 9 in game.new",
    ),
    (
        "a game without end",
        lambda: ruled(legal=broken_rules.endless_legal, outcome=broken_rules.unending_outcome),
        "length",
        "max_plies",
    ),
    (
        "moves after the end",
        lambda: ruled(legal=broken_rules.late_legal),
        "legal",
        "return 0 when the game is over",
    ),
    ("no result", lambda: ruled(outcome=broken_rules.unending_outcome), "outcome", "no action is legal"),
    ("an unknown result", lambda: ruled(outcome=broken_rules.odd_outcome), "outcome", "gives 7"),
    ("a third player", lambda: ruled(mover=broken_rules.third_mover), "mover", "gives 2"),
    (
        "writing past the actions",
        lambda: ruled(legal=broken_rules.long_legal),
        "memory",
        "legal writes outside the actions",
    ),
    (
        "writing past the position",
        lambda: ruled(play=broken_rules.sprawling_play),
        "memory",
        "play writes outside the position",
    ),
    (
        "writing past the planes",
        lambda: ruled(encode=broken_rules.sprawling_encode),
        "memory",
        "encode writes outside the planes",
    ),
    (
        "changing the table",
        lambda: ruled(play=broken_rules.scribbling_play),
        "looking",
        "play changes the table",
    ),
    (
        "changing while looking",
        lambda: ruled(legal=broken_rules.greedy_legal),
        "looking",
        "legal changes the position",
    ),
    (
        "play by chance",
        lambda: ruled(play=broken_rules.moody_play),
        "play",
        "another position the second time",
    ),
    (
        "an unfilled cell",
        lambda: ruled(encode=broken_rules.partial_encode),
        "encode",
        "cell 8 of plane 1 ('other's stones') unfilled",
    ),
    (
        "a flat plane of stones",
        lambda: replace(ruled(), flat_planes=1),
        "encode",
        "'other's stones') is not",
    ),
    ("an infinite cell", lambda: ruled(encode=broken_rules.infinite_encode), "encode", "cell 3 of plane 0"),
    ("a huge estimate", lambda: ruled(heuristic=broken_rules.wild_heuristic), "heuristic", "so divide it"),
    (
        "a rollout of its own",
        lambda: ruled(rollout=broken_rules.first_rollout),
        "rollout",
        "drawing from the legal actions",
    ),
    ("a rollout that stays", lambda: ruled(rollout=broken_rules.untidy_rollout), "rollout", "final position"),
    (
        "an unfilled view",
        lambda: replace(ruled(view=broken_rules.partial_view), hidden=True),
        "view",
        "fill every word of seen",
    ),
    (
        "a board that peeks",
        lambda: replace(DARK, rules=DARK.rules._replace(legal=BASE.rules.legal)),
        "view",
        "legal of the mover's view",
    ),
    ("a view that tells", lambda: dark(view=broken_rules.leaking_view), "past", "what the mover cannot know"),
    ("a stone forgotten", lambda: dark(missing=broken_rules.forgetful_missing), "past", "gives 0"),
    ("an unfilled memory", lambda: dark(missing=broken_rules.vague_missing), "past", "every word of memory"),
    ("a descending past", lambda: dark(past=broken_rules.backward_past), "past", "ascending"),
    ("no way to go on", lambda: dark(past=broken_rules.no_past), "past", "past ends too early"),
    ("a past for ever", lambda: dark(lay=broken_rules.idle_lay), "past", "changes nothing"),
    ("a past that is seen", lambda: dark(lay=broken_rules.revealing_lay), "past", "looks different"),
    ("a view by surprise", lambda: ruled(view=broken_rules.partial_view), "record", "hidden is False"),
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


UNGUARDED = pytest.mark.skipif(
    bool(numba.config.BOUNDSCHECK), reason="kernels with bounds checks stop at such a mistake by themselves"
)


@pytest.mark.parametrize(
    ("build", "check", "words"),
    [pytest.param(*row[1:], id=row[0], marks=UNGUARDED if row[2] == "memory" else ()) for row in FAILURES],
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
    found = warning(replace(ruled(play=broken_rules.remembering_play), position_words=6, spec="remembering"))
    assert found.name == "history"
    assert "differ in word 5" in found.explanation


def test_an_estimate_for_the_wrong_side_is_warned_about() -> None:
    found = warning(ruled(heuristic=broken_rules.upside_down_heuristic))
    assert found.name == "heuristic"
    assert "its sign is for the first player" in found.explanation


def test_a_hidden_game_that_cannot_be_searched_is_warned_about() -> None:
    found = warning(dark(missing=None, past=None, lay=None))
    assert found.name == "past"
    assert "search can draw a position" in found.explanation


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


@UNGUARDED
def test_after_a_write_out_of_bounds_nothing_more_is_tried() -> None:
    report = check_game(ruled(play=broken_rules.sprawling_play), games=20)
    assert report.games == 1
    assert {check.status for check in report.checks} == {"failed", "not run"}
