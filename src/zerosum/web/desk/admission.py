"""What a page may ask for: everything that comes from outside is read here before anything acts on it.

A page names games that ship or that were named on the command line, and players and runs by name. No path,
module or file comes from a page, and every number has a bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock

from zerosum.core.errors import BadSpec, suggestion
from zerosum.core.game import Game
from zerosum.core.naming.catalogue import Listing
from zerosum.core.naming.loading import installed_listings, split_path
from zerosum.games import list_games, make_game, ships
from zerosum.players.common.registry import ENTRY_POINTS, split_spec
from zerosum.players.common.runs import run_names

MOST_LETTERS = 60  # of a game's or a player's spec
MOST_CELLS = 400
MOST_ACTIONS = 20_000
LARGEST_SIZE = 19  # of any number in a variant
MOST_MOVES_TEXT = 8_000  # letters of a whole game
KEPT_GAMES = 40  # a compiled game is some kilobytes, Blokus one and a half megabytes

# The largest value of each player's spec; players that take none have none here.
MOST_VALUE: Mapping[str, int] = {
    "alphazero": 5_000,
    "catchup": 20_000,
    "determinised": 20_000,
    "dqn": 2,
    "mcts": 200_000,
    "minimax": 5,
    "muzero": 2_000,
}
MOST_SECONDS = 10.0
MOST_MINUTES = 24 * 60.0  # of a training
# Everybody else that can be named may start programs or read files, which is not for pages.
WELCOME = frozenset(MOST_VALUE) | {
    *("best", "cfr", "greedy", "q-learning", "random", "solver", "value-iteration"),
    "value-set-iteration",
}
DEEP_BRANCHING = 500  # actions from which on minimax looks no deeper than two moves
OPTIONS = {"c", "t", "from"}


class Games:
    """The games of one server, by the names that its pages know them by."""

    def __init__(self, files: Iterable[str] = ()) -> None:
        self._files = {Path(spec.partition(".py")[0]).name: spec for spec in files}
        self._made: dict[str, Game] = {}
        self._lock = Lock()

    def listings(self) -> list[Listing]:
        """Files named on the command line first, then what ships."""
        own = [
            Listing(name, "A game of your own", f"{name} (from {spec})") for name, spec in self._files.items()
        ]
        return own + list_games()

    def name(self, game: Game) -> str:
        """What pages call a game; a file's path stays on the server."""
        return next((name for name, spec in self._files.items() if spec == game.spec), game.spec)

    def page_name(self, spec: str) -> str | None:
        """What pages call the game of a spec that stands in some file; None where they do not know it."""
        if ships(spec):
            return spec
        path, variant = split_path(spec)
        for name, file in self._files.items():
            known, known_variant = split_path(file)
            if path and known and (path.resolve(), variant) == (known.resolve(), known_variant):
                return name
        return None

    def find_spec(self, spec: str) -> Game:
        """The game of such a spec; raises BadSpec where it is of a file that nobody named to this server."""
        name = self.page_name(spec)
        if name is None:
            raise BadSpec(f"this is a game from the file {spec}: start the page with 'zerosum web {spec}'")
        return self.find(name)

    def find(self, text: str) -> Game:
        """The game that a page asks for; raises BadSpec on anything that is none of ours."""
        spec = self._files.get(text.strip(), "") or _checked_spec(text)
        with self._lock:
            if spec in self._made:
                self._made[spec] = self._made.pop(spec)  # the latest comes last
                return self._made[spec]
        game = make_game(spec)
        if game.num_cells > MOST_CELLS or game.num_actions > MOST_ACTIONS:
            raise BadSpec(f"{game.spec} is too large for the page; play it on the command line")
        with self._lock:
            self._made[spec] = game
            while len(self._made) > KEPT_GAMES:
                self._made.pop(next(iter(self._made)))
        return game


def _checked_spec(text: str) -> str:
    spec = text.strip().lower() if ":" not in text else text.strip()
    name, _, variant = spec.partition(":")
    shown = name.lower().removeprefix("invisible-")
    known = {listing.name for listing in list_games()}
    if len(spec) > MOST_LETTERS or (name.lower() not in known and shown not in known):
        raise BadSpec(
            f"there is no game '{spec[:MOST_LETTERS]}' here{suggestion(name[:MOST_LETTERS], known)}"
        )
    if not re.fullmatch(r"[A-Za-z0-9,:x+]*", variant):
        raise BadSpec(f"'{variant}' is no variant of {name}")
    if any(len(number) > 2 or int(number) > LARGEST_SIZE for number in re.findall(r"\d+", variant)):
        raise BadSpec(f"the page's boards have at most {LARGEST_SIZE} rows and columns, unlike '{spec}'")
    return spec


def admit_player(text: str, game: Game) -> str:
    """A player's spec that a page may ask for; raises BadSpec on what it may not."""
    spec = text.strip()
    if len(spec) > MOST_LETTERS:
        raise BadSpec(f"a player's spec has at most {MOST_LETTERS} letters")
    arguments = split_spec(spec)
    own = {listing.name for listing in installed_listings(ENTRY_POINTS)}  # of whoever runs the server
    if arguments.name not in WELCOME | own:
        raise BadSpec(
            f"there is no player '{arguments.name}' here{suggestion(arguments.name, WELCOME | own)}"
        )
    if arguments.value and arguments.name not in own:
        _check_value(arguments.name, arguments.value, game)
    if not all(re.fullmatch(r"[\w.:-]{0,40}", text) for text in arguments.options.values()):
        raise BadSpec(f"'{spec}' has an option that cannot be read")
    if set(arguments.options) - OPTIONS:
        raise BadSpec(f"the page knows no option {', '.join(sorted(set(arguments.options) - OPTIONS))}")
    if "from" in arguments.options:
        _checked_spec(arguments.options["from"])
    if arguments.run:
        admit_run(arguments.run.partition("#")[0])
    return spec


def admit_run(text: str) -> str:
    """The name of a run in ./runs; a path is none."""
    names = run_names()
    if text not in names:
        raise BadSpec(f"there is no run '{text[:MOST_LETTERS]}' here{suggestion(text[:MOST_LETTERS], names)}")
    return text


def admit_whole(value: object, low: int, high: int, what: str) -> int:
    """A whole number within bounds, whatever a page sent."""
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,12}", value.strip()):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadSpec(f"{what} is a whole number from {low} to {high}")
    return value


def admit_number(value: object, low: float, high: float, what: str) -> float:
    """The same of any number."""
    try:
        number = (
            float(value) if isinstance(value, (int, float, str)) and not isinstance(value, bool) else low - 1
        )
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise BadSpec(f"{what} is a number from {low:g} to {high:g}")
    return number


def admit_moves(text: str) -> str:
    """The moves of a game as a text of bearable length; whether they can be played, the rules say."""
    if len(text) > MOST_MOVES_TEXT:
        raise BadSpec(f"a game has at most {MOST_MOVES_TEXT} letters")
    return text


def _check_value(name: str, value: str, game: Game) -> None:
    most = MOST_VALUE.get(name, 0)
    if name == "minimax" and game.num_actions > DEEP_BRANCHING:
        most = 2
    if name in ("best", "mcts") and re.fullmatch(r"\d*\.?\d+s", value):
        admit_number(value[:-1], 0.01, MOST_SECONDS, "the seconds of a move")
    else:
        admit_whole(value, 0, most, f"what stands after '{name}:'")
