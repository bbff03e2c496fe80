"""What Python programs call: the use cases, given specs or objects, whichever is at hand.

A game is a spec or a Game; a player is a spec, an object, or a class that is called with the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from zerosum.app.explain import Thoughts, think
from zerosum.app.hidden.exploit import SAMPLES, ExactExploit, LearnedExploit, Progress
from zerosum.app.hidden.exploit import exploit as exploit_player
from zerosum.app.report.measure import GAMES, GameReport, measure_game
from zerosum.app.report.measure import Progress as GamesPlayed
from zerosum.app.review import SECONDS, Review, review_game
from zerosum.app.review import Progress as MovesJudged
from zerosum.arena.match import MatchResult
from zerosum.arena.match import play_match as match_players
from zerosum.arena.records.files import read_records
from zerosum.arena.records.record import GameRecord
from zerosum.arena.tournament import TournamentResult
from zerosum.arena.tournament import run_tournament as tournament_of
from zerosum.arena.workers import Entrant, OnResult, enter
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.learn.pool.contests import THREADS, contest_pool
from zerosum.search.exact.solution import Solution
from zerosum.search.exact.solve import solve_fully

GameLike: TypeAlias = str | Game


def play_match(
    game: GameLike,
    first: Entrant,
    second: Entrant,
    games: int = 10,
    seed: int = 0,
    workers: int | None = None,
    on_result: OnResult | None = None,
    explain: bool = False,
    pool: str = THREADS,
) -> MatchResult:
    """Play ``games`` games; the first-named player starts games 0, 2, 4... and the second the others.

    The result depends on the seed and not on the number of workers (all cores unless it is given). A player
    that is an object, and not a spec or a class, sits at one board at a time. ``on_result`` hears of each
    game as it ends. With ``explain`` the records keep the players' reasons. ``pool="ray"`` lets the workers
    of a cluster play. Ctrl-C raises MatchInterrupted, which holds what was played.

    >>> import zerosum
    >>> zerosum.play_match("connect4", "mcts:100", "random", games=4)
    MatchResult('connect4': mcts:100 against random, 4-0-0 in 4 of 4 games)
    """
    played = _game(game)
    elsewhere = contest_pool(pool, played.spec, workers)
    return match_players(played, first, second, games, seed, workers, on_result, explain, elsewhere)


def run_tournament(
    game: GameLike,
    players: Sequence[Entrant],
    games: int = 10,
    seed: int = 0,
    workers: int | None = None,
    state_file: str | Path | None = None,
    on_result: OnResult | None = None,
    ordered: bool = False,
    pool: str = THREADS,
) -> TournamentResult:
    """Play everybody against everybody: ``games`` games a pair, half of them started by either.

    With ``ordered`` each ordered pair plays that many, which is twice as much. Finished games are added
    to the state file at once, and those that it already holds are not played again. ``on_result`` hears of
    each game that is played now. ``pool="ray"`` lets the workers of a cluster play. Ctrl-C raises
    TournamentInterrupted, which holds what was played.

    >>> import zerosum
    >>> result = zerosum.run_tournament("tictactoe", ["random", "mcts:100"], games=10)
    >>> [row.name for row in result.standings()]
    ['mcts:100', 'random']
    """
    file = None if state_file is None else Path(state_file)
    played = _game(game)
    elsewhere = contest_pool(pool, played.spec, workers)
    return tournament_of(played, players, games, seed, workers, file, on_result, ordered, elsewhere=elsewhere)


def solve(state: State, watch: Watch | None = None) -> Solution:
    """The exact result of a position and its best moves; raises Unsolvable where that is out of reach.

    >>> import zerosum
    >>> state = zerosum.make_game("tictactoe").new()
    >>> state.play_moves("b2 b1")
    >>> zerosum.solve(state).outcome == zerosum.FIRST_WINS
    True
    """
    return solve_fully(state.game, state.position, watch or Watch())


def explain(state: State, player: Entrant = "mcts:1000", seed: int = 0) -> Thoughts:
    """What a player thinks of every move of a position; raises BadSpec where it gives no reasons.

    >>> import zerosum
    >>> state = zerosum.make_game("tictactoe").new()
    >>> state.play_moves("b2 a1 b1 a2")
    >>> zerosum.explain(state, "alphazero:50")
    Thoughts(alphazero:50 plays b3 of 5 moves)
    """
    return think(state, player, seed)


def exploit(
    game: GameLike,
    player: Entrant,
    samples: int = SAMPLES,
    minutes: float | None = None,
    seed: int = 0,
    on_progress: Progress | None = None,
) -> ExactExploit | LearnedExploit:
    """What a perfect opponent gains against a player of a hidden game.

    Exactly where the board is small enough, with so many ``samples`` of a player that draws its moves;
    elsewhere at least, by a response learnt in some ``minutes``.

    >>> import zerosum
    >>> found = zerosum.exploit("invisible-mnk:5x1x3", "random")
    >>> round(found.nash_conv, 6)
    0.625
    """
    played = _game(game)
    return exploit_player(played, enter(player, played), samples, minutes, seed, on_progress)


def report(
    game: GameLike,
    players: Sequence[str] = (),
    games: int = GAMES,
    seed: int = 0,
    workers: int | None = None,
    on_progress: GamesPlayed | None = None,
) -> GameReport:
    """Who wins, how long games are and how they branch, and whether the better player wins.

    ``players`` go from weak to strong, those that suit the game unless named; each plays ``games`` games
    against itself and as many against the next.

    >>> import zerosum
    >>> zerosum.report("connect4", ["random", "mcts:100"], games=4).steps[0].results.wins
    4
    """
    return measure_game(_game(game), games, players, seed, workers, on_progress)


def review(
    record: GameRecord | str | Path,
    number: int = 1,
    reviewer: str | None = None,
    seconds: float = SECONDS,
    seed: int = 0,
    on_progress: MovesJudged | None = None,
) -> Review:
    """Which moves of a recorded game were mistakes; of a file of records, game ``number`` from 1.

    The solver judges as long as it answers within ``seconds`` a position, and before that the reviewer.

    >>> import zerosum
    >>> match = zerosum.play_match("tictactoe", "random", "random", games=1)
    >>> zerosum.review(match.records[0]).mistakes(seat=0) > 0
    True
    """
    if isinstance(record, GameRecord):
        return review_game(record, reviewer, seconds, None, seed, on_progress)
    records = read_records(Path(record)).records
    if not 1 <= number <= len(records):
        raise BadSpec(f"{record} has {len(records)} games; there is no game {number}")
    return review_game(records[number - 1], reviewer, seconds, None, seed, on_progress)


def _game(game: GameLike) -> Game:
    return make_game(game) if isinstance(game, str) else game
