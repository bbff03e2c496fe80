"""Finding a game by its spec, and what is said when there is none or its file is at fault."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from zerosum.core.errors import BadSpec, RulesError
from zerosum.core.naming.moved import MOVED
from zerosum.games import list_games, make_game

HEX = Path(__file__).parents[2] / "examples" / "hex.py"

# A file whose rules are compiled already.
SMALL = """
from zerosum.core.compiling.compile import gather_rules
from zerosum.games.families.grids import placement_game
from zerosum.games import make_game
from zerosum.games.families.stones import *

RULES = gather_rules(stones_start, stones_legal, stones_play, stones_mover, stones_outcome, stones_encode)

def make(variant):
    model = make_game("tictactoe")
    return placement_game(
        spec="mine",
        title=f"a game of mine {variant}",
        rules=RULES,
        table=model.table,
        position_words=model.position_words,
        shape=(3, 3),
        planes=model.planes,
        cell_symmetries=model.symmetries.cells,
    )
"""


def test_every_listed_game_has_a_summary_and_a_spelling() -> None:
    for listing in list_games():
        assert listing.summary
        assert listing.name in listing.spelling


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("conect4", "unknown game 'conect4'; did you mean 'connect4'?"),
        ("chess", "unknown game 'chess'; known: "),
        ("", "unknown game ''"),
        ("connect4:axb", "'axb' is not a size for connect4; write connect4:7x6x4"),
        ("connect4:7x6x4x2", "too many numbers"),
        ("connect4:0x5", "columns must be from 1 to 16, not 0"),
        ("tictactoe:3x3x9", "the line length must be from 1 to 3, not 9"),
        ("mnk", "mnk needs columns, rows and line length"),
        ("qubic:5x5x5", "one size only"),
        ("brick:Z9", "there is no cell 'Z9'"),
        ("brick:D4+D4", "names a cell twice"),
        ("/no/such/file.py", "cannot read the game file /no/such/file.py: there is no such file"),
        ("./examples/hex", "'./examples/hex' is no game file: its name ends in .py"),
        ("no_such_module:game", "unknown game 'no_such_module'"),
    ],
)
def test_what_names_no_game_is_refused_in_one_line(spec: str, complaint: str) -> None:
    with pytest.raises(BadSpec) as caught:
        make_game(spec)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_path_is_a_game_and_what_follows_the_colon_its_variant(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(SMALL)
    assert make_game(str(path)).title == "a game of mine "
    game = make_game(f"{path}:large")
    assert game.title == "a game of mine large"
    assert game.spec == f"{path}:large"


def test_a_module_and_an_attribute_are_a_game() -> None:
    game = make_game("zerosum.games.connect4:make")
    assert game.spec == "zerosum.games.connect4:make"
    assert np.array_equal(game.table, make_game("connect4").table)


def test_a_spec_is_spelt_the_same_way_whatever_was_typed() -> None:
    assert make_game(" TicTacToe:3X3 ").spec == "tictactoe"
    assert make_game("brick").spec == make_game("brick:d4").spec == "brick:D4"


def complaint_about(path: Path, text: str, right: str, wrong: str) -> str:
    """What is said about a file in which something right was replaced by something wrong."""
    assert right in text
    path.write_text(text.replace(right, wrong, 1))
    with pytest.raises(RulesError) as caught:
        make_game(f"{path}:3x3")
    return str(caught.value)


# What is replaced in the small file, by what, and what is said about it.
MISTAKES = [
    (
        "def make(variant)",
        "def mke(variant)",
        "there is no 'make'; a game file defines make(variant) -> Game",
    ),
    ("def make(variant)", "def make()", "'make' takes no variant"),
    ("    return placement_game(", "    placement_game(", "'make' gives a NoneType, not a Game"),
    ("        rules=RULES,\n", "", "line 11: TypeError: placement_game() missing 1 required keyword-only"),
    ("title=", "titel=", "line 11: TypeError: placement_game() got an unexpected keyword argument 'titel'"),
    ('make_game("tictactoe")', "1 // 0", "line 10: ZeroDivisionError"),
    ("make_game\n", "make_gmae\n", "line 4: ImportError: cannot import name 'make_gmae'"),
    ("def make(variant):", "def make(variant)", "line 9: expected ':'"),
    ("model.table", "model.table.astype(float)", "the table must be np.array([...], dtype=np.uint64)"),
    ("stones_start, stones_legal", "stones_legal, stones_start", "stones_legal cannot serve as 'start'"),
    (", stones_encode)", ")", "line 7: TypeError: gather_rules() missing 1 required positional argument"),
]


@pytest.mark.parametrize(("right", "wrong", "complaint"), MISTAKES, ids=[row[2][:40] for row in MISTAKES])
def test_a_mistake_in_a_game_file_is_told_in_one_line(
    tmp_path: Path, right: str, wrong: str, complaint: str
) -> None:
    told = complaint_about(tmp_path / "mine.py", SMALL, right, wrong)
    assert complaint in told
    assert "\n" not in told


def test_a_file_of_an_earlier_version_is_told_where_a_module_is_now(tmp_path: Path) -> None:
    text = "import numpy as np\nfrom zerosum.games.kit.compile import Words, rule\n"
    told = complaint_about(tmp_path / "mine.py", text, "numpy", "numpy")
    assert told.endswith("mine.py, line 2: zerosum.games.kit.compile is now zerosum.core.compiling.compile")
    told = complaint_about(tmp_path / "mine.py", text, "games.kit.compile", "games.kit.nothing")
    assert told.endswith("ModuleNotFoundError: No module named 'zerosum.games.kit'")


@pytest.mark.parametrize(("former", "present"), MOVED.items())
def test_modules_that_moved_are_where_they_are_said_to_be(former: str, present: str) -> None:
    assert importlib.util.find_spec(f"zerosum.{present}") is not None
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(f"zerosum.{former}")


# The same for rules, in a copy of Hex.
WRONG_RULES = [
    ("@rule\ndef hex_start", "def hex_start", "decorate a function named ..._start with @rule"),
    ("def hex_start", "def hex_begin", "hex_begin: a rule's name ends in its role: start, legal"),
    ("def hex_start(table: Words, ", "def hex_start(", "hex_start must take (table, position, rng)"),
    ("    return list_free(", "    list_free(", "hex_legal returns nothing on some path"),
    ("INT(table[CELLS]), actions)", "INT(table[CELLS]), actions) / 2", "hex_legal returns a float"),
    (
        "    position[:] = UINT(0)\n",
        "    position[:] = UINT(0)\n    return 1\n",
        "hex_start returns something",
    ),
    (
        "    position[:] = UINT(0)\n",
        "    clear(position)\n",
        "hex_start does not compile: NameError: name 'clear'",
    ),
    ("    position[:] = UINT(0)\n", "    position.clear()\n", "Unknown attribute 'clear' of type array"),
    ("    position[:] = UINT(0)\n", "    position[0.5] = UINT(0)\n", "float64"),
]


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"), WRONG_RULES, ids=[row[2][:40] for row in WRONG_RULES]
)
def test_a_mistake_in_a_rule_is_told_in_one_line(
    tmp_path: Path, right: str, wrong: str, complaint: str
) -> None:
    told = complaint_about(tmp_path / "mistaken.py", HEX.read_text(), right, wrong)
    assert complaint in told
    assert "\n" not in told
