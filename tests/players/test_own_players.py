"""Players that somebody else wrote: objects, classes, files and installed packages."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import zerosum
from zerosum.cli.playing.lists import games, players
from zerosum.core.errors import BadSpec, RulesError
from zerosum.core.game import Game
from zerosum.core.naming import loading
from zerosum.core.state import View
from zerosum.games import list_games, make_game
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import list_players, make_player
from zerosum.web.desk.admission import Games, admit_player

CORNER = Path(__file__).parents[2] / "examples" / "corner.py"


class Last:
    spec = "last"

    def __init__(self, game: Game) -> None:
        self.games = 0

    def new_game(self, seed: int) -> None:
        self.games += 1

    def choose(self, view: View) -> Choice:
        return Choice(view.legal_actions()[-1])


@pytest.fixture(scope="module")
def game() -> Game:
    return make_game("connect4")


def test_an_object_a_class_and_a_file_play_the_same_games(game: Game) -> None:
    alone = Last(game)
    as_object = zerosum.play_match(game, alone, "random", games=6, workers=4)
    as_class = zerosum.play_match("connect4", Last, "random", games=6)
    as_file = zerosum.play_match("connect4", str(CORNER), "random", games=6)
    assert as_object == as_class
    assert alone.games == 6
    assert [r.moves for r in as_file.records] == [r.moves for r in as_class.records]
    assert as_file.players == (str(CORNER), "random")


def test_a_file_gets_what_stands_after_the_colon(game: Game) -> None:
    view = game.new().view()
    assert make_player(str(CORNER), game).choose(view).action == 6
    assert make_player(f"{CORNER}:3", game).choose(view).action == 4
    with pytest.raises(BadSpec, match="has no option 'c'"):
        make_player(f"{CORNER}:3,c=1", game)


def test_objects_meet_in_a_tournament(game: Game) -> None:
    result = zerosum.run_tournament(game, [Last(game), "random", str(CORNER)], games=2)
    assert result.settings.players == ("last", "random", str(CORNER))
    assert len(result.records) == 6


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x = 1", "there is no 'make'; a player file defines make(arguments, game) -> Player"),
        ("def make(arguments, game): return 3", "a int is no player: it lacks spec and new_game and choose"),
        ("def make(arguments, game):\n    return 1 // 0", "line 2: ZeroDivisionError"),
        ("def make(", "line 1"),
    ],
)
def test_a_mistake_in_a_player_file_is_told_in_one_line(
    tmp_path: Path, game: Game, text: str, complaint: str
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises((BadSpec, RulesError)) as caught:
        make_player(str(path), game)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(game: Game) -> None:
    with pytest.raises(BadSpec, match=r"cannot read the player file none\.py: there is no such file"):
        make_player("./none.py", game)


def test_what_is_no_player_is_refused_before_any_game(game: Game) -> None:
    anything: Any = object
    with pytest.raises(BadSpec, match="is no player: it lacks"):
        zerosum.play_match(game, lambda game: anything(), "random")


def test_what_a_program_adds_is_named_like_any_other_and_welcome_on_the_page(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_added", {})
    zerosum.add_player("mine", lambda game: make_player("greedy", game))
    zerosum.add_game("tiny", make_game("mnk:3x1x2"))
    assert make_game("tiny").spec == "tiny"
    assert ("mine", "from this program") in [(each.name, each.summary) for each in list_players()]
    assert zerosum.play_match("tiny", "mine", "random", games=2).game == "tiny"
    assert admit_player("mine", make_game("tiny")) == "mine"
    assert Games().find("tiny").shape == (1, 3)
    with pytest.raises(BadSpec, match="there is no player 'openspiel' here"):
        admit_player("openspiel:uci", game)
    with pytest.raises(BadSpec, match="there is a game 'connect4' already"):
        zerosum.add_game("connect4", game)
    with pytest.raises(BadSpec, match="there is a player 'mcts' already"):
        zerosum.add_player("mcts", Last)
    with pytest.raises(BadSpec, match="'A b' cannot be a name"):
        zerosum.add_game("A b", game)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that offers a game, a player and a network."""
    (tmp_path / "offered_player.py").write_text(CORNER.read_text())
    (tmp_path / "offered_game.py").write_text(
        "from zerosum.games import make_game\n"
        "def make(variant):\n    return make_game('connect4' + ':' * bool(variant) + variant)\n"
    )
    source = Path(zerosum.__file__).parent / "nets" / "mlp.py"
    (tmp_path / "offered_network.py").write_text(source.read_text())
    metadata = tmp_path / "offered-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: offered\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[zerosum.games]\nfour = offered_game\n[zerosum.players]\ncorner = offered_player\n"
        "[zerosum.networks]\nflat = offered_network\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


def test_the_commands_list_what_an_installed_package_offers(
    package: None, capsys: pytest.CaptureFixture[str]
) -> None:
    games(json=True)
    players(json=True)
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "four" in [game["name"] for game in listed[0]["games"]]
    assert "corner" in [player["name"] for player in listed[1]["players"]]


def test_an_installed_package_offers_games_players_and_networks(package: None) -> None:
    from zerosum.nets.building.registry import list_networks, make_network, network_spec

    assert ("four", "from offered") in [(listing.name, listing.summary) for listing in list_games()]
    assert "corner" in [listing.name for listing in list_players()]
    assert "flat" in [listing.name for listing in list_networks()]
    small = make_game("four:5x5x4")
    assert small.spec == "four:5x5x4"
    assert small.shape == (5, 5)
    assert zerosum.play_match("four", "corner:2", "random", games=2).players == ("corner:2", "random")
    assert network_spec("flat").startswith("flat")
    assert make_network("flat", make_game("tictactoe")) is not None
    with pytest.raises(BadSpec, match="did you mean 'corner'"):
        make_player("cornr", small)
    for name in ("offered_game", "offered_player", "offered_network"):
        sys.modules.pop(name, None)
