"""How strong the networks that ship with the package must be: one line a trial, data for trials.py."""

from __future__ import annotations

from dataclasses import dataclass

BOTH, FIRST, SECOND = "both", "first", "second"
ALL_STATES = "all unfinished states"
SOLVED_POSITIONS = "solved positions"
MIDDLE, OPENING, HARDEST = "hard middle games", "hard openings", "hardest openings"
KIND = {SOLVED_POSITIONS: "", MIDDLE: "middle", OPENING: "opening", HARDEST: "hardest"}  # in positions.py


@dataclass(frozen=True)
class Trial:
    """Games against an opponent, or moves in known positions, and what is to be reached.

    At most one of ``wins``, ``losses`` and ``right`` is given; without any the result is only reported.
    """

    game: str  # whose network is tried
    simulations: int
    opponent: str = ""  # a player; or empty, and then ``positions`` says where moves are judged
    positions: str = ""  # ALL_STATES, or one of KIND
    seat: str = BOTH  # of the network; both: every other game
    games: int = 0  # in all; on several boards the same number on each
    boards: tuple[str, ...] = ()  # games to play; none: the one game above
    wins: int | None = None  # at least so many of the games
    losses: int | None = None  # at most so many
    right: float | None = None  # at least this share of the moves


BRICKS = tuple(f"brick:{row}{column}" for row in "ABCDEFG" for column in range(1, 8))

TABLE = (
    Trial("tictactoe", 0, positions=ALL_STATES, right=1.0),
    Trial("tictactoe", 50, positions=ALL_STATES, right=1.0),
    Trial("tictactoe", 50, "mcts:100", seat=FIRST, games=1000, losses=0),
    Trial("tictactoe", 50, "mcts:100", seat=SECOND, games=1000, losses=0),
    Trial("tictactoe:4x4", 50, "solver", seat=FIRST, games=200, losses=0),
    Trial("tictactoe:4x4", 50, "solver", seat=SECOND, games=200, losses=0),
    Trial("brick", 100, "minimax:2", seat=FIRST, games=490, boards=BRICKS, wins=490),
    Trial("brick", 0, "minimax:2", seat=FIRST, games=490, boards=BRICKS, wins=440),
    Trial("connect4", 400, positions=SOLVED_POSITIONS, right=0.98),
    Trial("connect4", 400, positions=MIDDLE, right=0.98),
    Trial("connect4", 400, positions=OPENING, right=0.985),
    Trial("connect4", 400, positions=HARDEST, right=0.94),
    Trial("connect4", 800, "solver", seat=FIRST, games=10, wins=8),
    Trial("othello:6x6", 100, "random", games=100, wins=100),
    Trial("othello:6x6", 100, "greedy", games=100, wins=100),
    Trial("othello:6x6", 100, "mcts:100", games=100, wins=97),
    Trial("othello:6x6", 100, "mcts:5000", games=100, wins=98),
    Trial("othello:6x6", 100, "mcts:50000", seat=SECOND, games=20, wins=15),
    Trial("qubic", 100, "random", games=100, wins=100),
    Trial("qubic", 100, "mcts:1000", games=100, wins=95),
    Trial("othello", 100, "random", games=100, wins=100),
    Trial("othello", 100, "greedy", games=100, wins=80),
    Trial("othello", 100, "mcts:1000", games=100),
    Trial("othello", 400, "mcts:5000", games=100, wins=95),
    Trial("blokus", 100, "random", games=100),
    Trial("blokus", 400, "random", games=100, wins=100),
    Trial("blokus", 100, "greedy", games=100, wins=80),
    Trial("blokus", 100, "mcts:1000", games=100),
    Trial("blokus", 400, "mcts:1000", games=100, wins=95),
    Trial("invisible-tictactoe", 50, "random", seat=FIRST, games=1000),
    Trial("invisible-tictactoe", 50, "random", seat=SECOND, games=1000),
    Trial("invisible-tictactoe:4x4", 50, "random", games=200),
    Trial("invisible-tictactoe:5x5", 50, "random", games=200),
    Trial("invisible-connect4", 100, "random", games=200),
)
