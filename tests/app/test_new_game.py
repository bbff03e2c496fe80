"""A game to begin with: it works as it is, and its test can fail."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from zerosum.app.new_game import KINDS, write_new_game
from zerosum.core.errors import BadSpec
from zerosum.core.naming.loading import load_file
from zerosum.draw.text import draw_text
from zerosum.games import make_game, rules_text


def functions_in(module: ModuleType) -> list[str]:
    return [name for name in vars(module) if name.startswith("test_")]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_passes_its_own_test(kind: str, tmp_path: Path) -> None:
    game, test = write_new_game("My-Game", tmp_path / "new", kind)
    assert (game.name, test.name) == ("my_game.py", "test_my_game.py")
    module = load_file(test, "test")
    assert len(functions_in(module)) == 3
    for name in functions_in(module):
        getattr(module, name)()
    assert make_game(f"{game}:4x4").title == "My Game 4x4"
    assert "Rules" not in rules_text(str(game))
    assert len(rules_text(str(game))) > 80
    assert draw_text(make_game(str(game)).new().picture())


def test_the_test_notices_a_rule_that_was_changed(tmp_path: Path) -> None:
    game, test = write_new_game("odd", tmp_path)
    wrong = game.read_text().replace("corner + columns + 1)", "corner + columns)")
    assert wrong != game.read_text()
    game.write_text(wrong)
    module = load_file(test, "test")
    with pytest.raises(AssertionError):
        module.test_random_games_agree_with_the_slow_rules()


@pytest.mark.parametrize("name", ["", "4x4", "a b", "../up", "class", "connect4", "x" * 80])
def test_names_that_cannot_be_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadSpec):
        write_new_game(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text("my own")
    with pytest.raises(BadSpec, match="not overwritten"):
        write_new_game("mine", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["test_mine.py"]
