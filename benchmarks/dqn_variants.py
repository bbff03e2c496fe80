"""DQN on Qubic, variant by variant, against fixed opponents: the table of docs/dqn.md.

    python benchmarks/dqn_variants.py --folder runs/dqn   # some twenty minutes; stop it and call it again

What is trained stands in the folder as ordinary runs and is not trained again; games are played anew.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from zerosum.app.training import train_once
from zerosum.arena.match import MatchResult, play_match
from zerosum.games import make_game

GAME = "qubic"
OPPONENTS = ("random", "greedy", "mcts:100")
FROZEN = ("opponent.random_episodes=5000", "opponent.then=frozen")
EPISODES = "budget.episodes=20000"


class Variant(NamedTuple):
    """How a network is trained, and with how many plies of foresight it plays."""

    name: str
    changes: tuple[str, ...]  # to the default preset
    foresight: tuple[int, ...]
    preset: str = "fast"


VARIANTS = (
    Variant("ours", (EPISODES,), (2, 1)),
    Variant("ours with frozen weights after 5,000 episodes", (EPISODES, *FROZEN), (2,)),
    Variant("ours trained with foresight 1", (EPISODES, "play.foresight=1"), (1, 2)),
    Variant("the paper's preset, 10,000 episodes", ("budget.episodes=10000",), (1, 2), preset="paper"),
    Variant("hardly trained: 10 episodes", ("budget.episodes=10", "budget.iteration=10"), (1, 2)),
)


def players(variant: Variant, folder: Path, seed: int) -> Iterator[tuple[int, str]]:
    """Foresight and player of each row of a variant, trained if it is not yet."""
    run = folder / f"{VARIANTS.index(variant)}-{seed}"
    train_once(GAME, "dqn", variant.changes, run, seed, preset=variant.preset)
    for foresight in variant.foresight:
        yield foresight, f"dqn:{foresight}@{run}"


def shown(result: MatchResult) -> str:
    """Points in percent, and the results by seat."""
    total = result.total
    seats = (f"{part.wins}-{part.draws}-{part.losses}" for part in (result.as_first, result.as_second))
    return f"{100 * total.score_share:.1f} ({', '.join(seats)})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("runs/dqn"))
    parser.add_argument("--games", type=int, default=200, help="of each row against each opponent")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    game = make_game(GAME)
    table = Table("network", "foresight in play", *OPPONENTS)
    for variant in VARIANTS:
        for foresight, player in players(variant, arguments.folder, arguments.seed):
            results = (play_match(game, player, other, arguments.games) for other in OPPONENTS)
            row = (variant.name, str(foresight), *map(shown, results))
            print(*row, sep=" | ", flush=True)
            table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
