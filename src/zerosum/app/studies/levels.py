"""Named levels of a game, from beginner to expert: players whose strength was measured, with error bars.

What ships is ``levels/GAME.json`` in the package; what somebody measures at home is ``levels/GAME.json`` in
the folder one is in, and comes first. ``measure_levels`` makes such a file's data from a tournament.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from zerosum.arena.tournament import TournamentResult, run_tournament
from zerosum.core.errors import BadSpec, ZerosumError, shortened, suggestion
from zerosum.core.game import Game
from zerosum.core.naming.catalogue import PACKAGE
from zerosum.core.running.files import json_bytes, parse_json, read_whole, write_whole
from zerosum.nets.artifact.store import shipped_name
from zerosum.players.best import heart_of, prefers_heuristic
from zerosum.players.common.registry import ships

NAMES = ("beginner", "easy", "medium", "hard", "expert")
STRONGEST = "best"  # is a level everywhere, whatever was measured
AT_HOME = Path("levels")
SHIPPED = PACKAGE / "levels"
GAMES = 40  # a pair
# Who is rated, by what the game has; they are named in the order in which they turn out.
# Networks draw their moves a little, or they would play a person, and each other, the same game again.
BY_NETWORK = ("random", "mcts:20", "mcts:400", "alphazero:10,t=0.3", "alphazero:200,t=0.3")
BY_HEURISTIC = ("random", "mcts:200", "greedy", "minimax:1", "minimax:2")
BY_SEARCH = ("random", "mcts:20", "mcts:200", "mcts:2000", "mcts:20000")
BY_POLICY = ("random", "catchup:20", "determinised:200", "catchup:500", "cfr")
BY_HIDDEN_NETWORK = ("random", "catchup:20", "determinised:200", "catchup:500", "alphazero:100")
BY_HIDDEN_SEARCH = ("random", "catchup:20", "catchup:100", "determinised:500", "catchup:2000")


@dataclass(frozen=True)
class Level:
    """A named player. The rating is in Elo, relative to the mean of the game's levels; +- error is 95 %.

    Where nobody has measured the game's levels there is neither.
    """

    name: str
    player: str
    rating: float | None = None
    error: float | None = None

    def __str__(self) -> str:
        if self.rating is None:
            return f"level {self.name}: {self.player}, whose strength nobody has measured at this game"
        return f"level {self.name}: {self.player}, rated {self.rating:+.0f} +- {self.error:.0f}"


@dataclass(frozen=True)
class Levels:
    game: str
    games: int  # a pair, in the tournament that measured them; 0 where none did
    seed: int
    levels: tuple[Level, ...]  # from the weakest up


def entrants_for(game: Game) -> tuple[str, ...]:
    """Five players of very different strength that can play a game."""
    heart = heart_of(game).spec.partition(":")[0]
    if game.hidden:
        return {"cfr": BY_POLICY, "alphazero": BY_HIDDEN_NETWORK}.get(heart, BY_HIDDEN_SEARCH)
    if heart == "alphazero":
        return BY_NETWORK
    return BY_HEURISTIC if prefers_heuristic(game) else BY_SEARCH


def measure_levels(
    game: Game,
    games: int = GAMES,
    seed: int = 0,
    workers: int | None = None,
    on_result: Callable[[int, int], None] | None = None,
) -> Levels:
    """Rate the players of a game in a round robin, and name them from the weakest up."""
    tell = None if on_result is None else lambda _, done, total: on_result(done, total)
    result = run_tournament(game, entrants_for(game), games, seed, workers, on_result=tell)
    return named_levels(result, games, seed)


def named_levels(result: TournamentResult, games: int, seed: int) -> Levels:
    """The levels that a tournament of five shows."""
    rows = reversed(result.standings())
    levels = tuple(
        Level(name, row.name, round(row.rating, 1), round(row.error, 1))
        for name, row in zip(NAMES, rows, strict=True)
    )
    return Levels(result.settings.game, games, seed, levels)


def levels_file(game: Game, folder: Path) -> Path:
    """Where a game's levels are kept: connect4.json, othello-6x6.json, hex-7x7.json of ./hex.py:7x7."""
    name = shipped_name(game.spec.replace(".py", "")).rpartition("/")[2]
    return folder / f"{name}.json"


def levels_of(game: Game) -> Levels | None:
    """The levels that were measured for a game, here or before it shipped; None where nobody did."""
    for folder in (AT_HOME, SHIPPED):
        file = levels_file(game, folder)
        if file.is_file():
            return _read(file, game)
    return None


def supposed_levels(game: Game) -> Levels:
    """The players that would be measured, in the order in which such players came out in other games."""
    named = zip(NAMES, entrants_for(game), strict=True)
    return Levels(game.spec, 0, 0, tuple(Level(name, player) for name, player in named))


def find_level(game: Game, name: str) -> Level | None:
    """The level of a name, measured or supposed; None stands for the best there is.

    Raises BadSpec where there is no such level.
    """
    if name.lower() == STRONGEST:
        return None
    found = levels_of(game) or supposed_levels(game)
    by_name = {level.name: level for level in found.levels}
    if name.lower() not in by_name:
        raise BadSpec(f"there is no level '{name}'{suggestion(name, [*by_name, STRONGEST])}")
    return by_name[name.lower()]


def save_levels(levels: Levels, game: Game, folder: Path = AT_HOME) -> Path:
    """Keep what was measured; returns where."""
    file = levels_file(game, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ZerosumError(f"cannot make {folder}: {error.strerror}") from error
    write_whole(file, json_bytes(levels_fields(levels)))
    return file


def levels_fields(levels: Levels) -> dict[str, Any]:
    """For JSON, and for the file."""
    return asdict(levels)


def _read(file: Path, game: Game) -> Levels:
    try:
        fields = parse_json(read_whole(file))
        levels = tuple(
            Level(str(row["name"]), str(row["player"]), float(row["rating"]), float(row["error"]))
            for row in fields["levels"]
        )
        found = Levels(str(fields["game"]), int(fields["games"]), int(fields["seed"]), levels)
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise BadSpec(f"{file} does not hold levels ({type(error).__name__}: {error})") from None
    foreign = [level.player for level in levels if not ships(level.player)]
    if foreign:
        raise BadSpec(f"{file} names {shortened(foreign[0])}, which is somebody's code; --against plays it")
    if shipped_name(found.game).rpartition("/")[2] != shipped_name(game.spec).rpartition("/")[2]:
        raise BadSpec(f"{file} holds levels of {found.game}, not of {game.spec}")
    return found
