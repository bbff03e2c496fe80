"""What each technique of AlphaZero's training gains: train with and without it, and compare.

    python benchmarks/techniques.py connect4 --minutes 5

Every variant is trained for so many minutes from the same seed, one after another, and then asked for its
move in solved positions that none has seen, with its bare policy and with a short search. What is already
trained is not trained again, so an interrupted comparison goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from zerosum.arena.match import play_match
from zerosum.games.kit.game import Game
from zerosum.games.kit.registry import make_game
from zerosum.learn.kit.listeners import Contest, JsonLines, Listeners
from zerosum.learn.kit.method import find_method
from zerosum.learn.kit.run import Run
from zerosum.learn.kit.trainer import Trainer
from zerosum.players.kit.player import Player
from zerosum.players.kit.registry import make_player
from zerosum.search.solved import SolvedPosition, solved_positions

VARIANTS: dict[str, list[str]] = {
    "as it is": [],
    "PUCT instead of Gumbel search": ["search.kind=puct", "search.keep_tree=false"],
    "PUCT, tree kept between moves": ["search.kind=puct"],
    "values tilt the policy four times as far": ["search.value_scale=1.0"],
    "no random openings": ["selfplay.opening_plies=0"],
    "no deviations": ["selfplay.deviation_share=0.0"],
    "no average of the weights": ["learning.average=0.0"],
    "half of the value target from the search": ["learning.searched_value=0.5"],
    "playout cap: a quarter searched in full": ["search.full_share=0.25"],
    "no symmetries": ["learning.symmetries=none"],
    "policy loss over illegal moves too": ["learning.legal_moves_only=false"],
    "a gate of 55 % in 40 games": ["gate.share=0.55"],
}
SIMULATIONS = 50
POSITIONS = 400


def train(game: Game, name: str, changes: list[str], minutes: float, folder: Path) -> Run:
    """A finished run of a variant."""
    method = find_method("alphazero")
    quiet = ["evaluation.opponents=[]", "evaluation.solved_positions=0", f"budget.minutes={minutes}"]
    settings = method.settings_for(game.spec, "fast", [*changes, *quiet])
    path = folder / "".join(letter if letter.isalnum() else "-" for letter in name)
    run = Run.open(path) if path.exists() else Run.create(game.spec, "alphazero", 0, settings.as_json(), path)

    def match(learner: Callable[[Game], Player], opponent: str, games: int) -> Contest:
        result = play_match(game, learner, opponent, games).total
        return Contest(opponent, result.wins, result.draws, result.losses)

    if run.state() != "finished":
        with run.claim():
            learner = method.learner(game, settings, 0)
            listener = Listeners([JsonLines(run.metrics_path)])
            parts = (method.budget(settings), method.evaluation(settings))
            Trainer(run, learner, *parts, listener, match).train()
    return run


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
    for name, changes in VARIANTS.items():
        with console.status(f"{name}: {wishes.minutes:g} minutes"):
            run = train(game, name, changes, wishes.minutes, folder)
            lines = [line for line in run.metrics() if line["kind"] == "learning"]
            bare, searched = (share_of_best(game, run, n, positions) for n in (0, SIMULATIONS))
        games = sum(line["games"] for line in lines)
        table.add_row(name, str(len(lines)), f"{games:,.0f}", f"{bare:.1%}", f"{searched:.1%}")
    console.print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
