"""What each technique of AlphaZero's training gains: train with and without it, and compare.

    python benchmarks/techniques.py connect4 --minutes 5

Every variant is trained for so many minutes from the same seed, one after another, and then asked for its
move in solved positions that none has seen, with its bare policy and with a short search. How far apart two
seeds are tells what a difference is worth. What is already trained is not trained again, so an interrupted
comparison goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from zerosum.app.training import train_once
from zerosum.core.game import Game
from zerosum.games import make_game
from zerosum.learn.run.run import Run
from zerosum.players.common.registry import make_player
from zerosum.search.enumerate.solved import SolvedPosition, solved_positions


@dataclass(frozen=True)
class Variant:
    name: str
    changes: tuple[str, ...] = ()  # to the preset `fast`
    seed: int = 0


VARIANTS = (
    Variant("as it is"),
    Variant("as it is, another seed", seed=1),
    Variant("PUCT instead of Gumbel search", ("search.kind=puct", "search.keep_tree=false")),
    Variant("PUCT, tree kept between moves", ("search.kind=puct",)),
    Variant("values tilt the policy four times as far", ("search.value_scale=1.0",)),
    Variant("64 simulations from the beginning", ("search.simulation_schedule=[]",)),
    Variant("no random openings", ("selfplay.opening_plies=0",)),
    Variant("no deviations", ("selfplay.deviation_share=0.0",)),
    Variant("no average of the weights", ("learning.average=0.0",)),
    Variant("half of the value target from the search", ("learning.searched_value=0.5",)),
    Variant("playout cap: a quarter searched in full", ("search.full_search_probability=0.25",)),
    Variant("no symmetries", ("learning.symmetries=none",)),
    Variant("policy loss over illegal moves too", ("learning.legal_moves_only=false",)),
    Variant("a gate of 55 % in 40 games", ("gate.share=0.55",)),
)
SIMULATIONS = 50
POSITIONS = 400


def train(game: Game, variant: Variant, minutes: float, folder: Path) -> Run:
    """A finished run of a variant."""
    path = folder / "".join(letter if letter.isalnum() else "-" for letter in variant.name)
    changes = [*variant.changes, "evaluation.solved_positions=0", f"budget.minutes={minutes}"]
    return train_once(game, "alphazero", changes, path, variant.seed)


def share_of_best(game: Game, run: Run, simulations: int, positions: list[SolvedPosition]) -> float:
    player = make_player(f"alphazero:{simulations}@{run.path}", game)
    return sum(player.choose(solved.view).action in solved.best for solved in positions) / len(positions)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--folder", type=Path, default=Path("runs/techniques"))
    wishes = parser.parse_args()
    game = make_game(wishes.game)
    positions = solved_positions(game, POSITIONS, seed=1)
    if not positions:
        print(f"{game.spec} has no solver that could tell right moves from wrong", file=sys.stderr)
        return 2
    folder = wishes.folder / game.spec.replace(":", "-")
    folder.mkdir(parents=True, exist_ok=True)
    console = Console()
    table = Table(
        "variant", "iterations", "games", "best moves, bare policy", f"with {SIMULATIONS} simulations"
    )
    for variant in VARIANTS:
        with console.status(f"{variant.name}: {wishes.minutes:g} minutes"):
            run = train(game, variant, wishes.minutes, folder)
            lines = [line for line in run.metrics() if line["kind"] == "learning"]
            bare, searched = (share_of_best(game, run, n, positions) for n in (0, SIMULATIONS))
        games = sum(line["games"] for line in lines)
        table.add_row(variant.name, str(len(lines)), f"{games:,.0f}", f"{bare:.1%}", f"{searched:.1%}")
    console.print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
