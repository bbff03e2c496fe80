"""Train every network that ships anew, one after another, and say how strong each became.

    python benchmarks/records.py --folder runs/records            # hours; stop it and call it again
    python benchmarks/records.py --only connect4 --ship
    python benchmarks/records.py --minutes 0.2 --games 4          # a rehearsal of all of it

Each row is a run in the folder, trained with its preset for its minutes, counted as the work of all cores, so
that other work meanwhile costs it nothing; a run that was stopped goes on, and one that is done is not
trained again. Then the trials are played, and a match with the network that ships
today from random openings. With --ship, one that does not lose that match takes its place (scripts/ship.py).
What was measured stands in the folder as JSON, and is not measured again; the table comes last.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from zerosum.app.training import train_once
from zerosum.arena.match import match_total
from zerosum.arena.records.record import GameRecord
from zerosum.arena.strength.table import (
    BRICKS,
    FIRST,
    HARDEST,
    MIDDLE,
    OPENING,
    SECOND,
    SOLVED_POSITIONS,
    Trial,
)
from zerosum.arena.strength.trials import measure_strength
from zerosum.arena.workers import play_fixtures
from zerosum.core.errors import ZerosumError
from zerosum.core.running.files import parse_json, read_whole, write_whole
from zerosum.games import make_game
from zerosum.learn.alphazero.gate import gate_fixtures
from zerosum.learn.run.run import Run
from zerosum.nets.artifact.store import NETWORK_FILE, find_shipped, shipped_name

SHIP = Path(__file__).parents[1] / "scripts" / "ship.py"
MATCH_GAMES = 100
MATCH_SIMULATIONS = 100
LARGER = "network=pooled:channels=64,blocks=5"  # for long trainings: in eight bits it is affordable

LATER = "search.simulation_schedule=[[10, 16], [30, 32], [400, 64]]"  # deep search pays once values are good


def falling(iterations: int) -> tuple[str, ...]:
    """A learning rate that falls to a tenth over so many iterations, which is about all there will be."""
    return ("learning.rate.kind=linear", f"learning.rate.iterations={iterations}")


@dataclass(frozen=True)
class Record:
    """A network to train, and what it is to reach."""

    game: str
    minutes: float
    trials: tuple[Trial, ...]
    changes: tuple[str, ...] = ()  # to the preset
    seeds: tuple[int, ...] = field(default=(0,))

    def folder(self, seed: int) -> str:
        return f"{shipped_name(self.game)}-{seed}"


RECORDS = (
    Record("tictactoe", 0.5, (Trial("tictactoe", 0, positions="all unfinished states", right=1.0),)),
    Record(
        "brick:random",
        15,
        (
            Trial("brick", 0, "minimax:2", seat=FIRST, games=490, boards=BRICKS, wins=490),
            Trial("brick", 100, "minimax:2", seat=FIRST, games=490, boards=BRICKS, wins=490),
        ),
        seeds=(0, 1, 2),
    ),
    Record(
        "connect4",
        100,
        (
            Trial("connect4", 50, positions=SOLVED_POSITIONS, right=0.99),
            Trial("connect4", 400, positions=SOLVED_POSITIONS, right=0.998),
            Trial("connect4", 400, positions=MIDDLE, right=0.98),
            Trial("connect4", 400, positions=OPENING, right=0.985),
            Trial("connect4", 400, positions=HARDEST, right=0.94),
            Trial("connect4", 800, "solver", seat=FIRST, games=10, wins=10),
            Trial("connect4", 200, "solver", seat=FIRST, games=20, wins=18),
        ),
        (LARGER, "search.simulations=128", LATER, *falling(600)),
    ),
    Record(
        "othello:6x6",
        60,
        (
            Trial("othello:6x6", 100, "mcts:5000", games=100, wins=98),
            Trial("othello:6x6", 100, "mcts:50000", seat=SECOND, games=20, wins=15),
        ),
    ),
    Record(
        "othello",
        60,
        (Trial("othello", 400, "mcts:5000", games=100, wins=95),),
        (LARGER, "budget.iterations=420", *falling(420)),
    ),
    Record(
        "blokus",
        60,
        (Trial("blokus", 400, "mcts:1000", games=100, wins=95),),
        (
            "network=pooled:channels=48,blocks=4",
            "search.simulation_schedule=[[10, 16], [80, 32]]",
            "auxiliary.final_board=0.5",
            "auxiliary.surprise=0.5",
            "budget.iterations=110",
            *falling(110),
        ),
    ),
    Record("qubic", 30, (Trial("qubic", 100, "mcts:100000", seat=FIRST, games=100, wins=100),)),
    *(
        Record(
            game,
            60,
            (
                Trial(game, 100, "mcts:10000", games=100, wins=95),
                Trial(game, 100, "minimax:4", games=100, wins=90),
            ),
        )
        for game in ("gomoku:9x9", "gomoku")
    ),
    Record("invisible-tictactoe", 10, (Trial("invisible-tictactoe", 50, "random", games=1000),)),
    Record("invisible-tictactoe:4x4", 30, (Trial("invisible-tictactoe:4x4", 50, "random", games=400),)),
    Record("invisible-connect4", 30, (Trial("invisible-connect4", 100, "random", games=400),)),
)


def train(record: Record, seed: int, minutes: float, folder: Path) -> Run:
    """The finished run of a row."""
    changes = [*record.changes, f"budget.minutes={minutes}", "budget.clock=work"]
    return train_once(record.game, "alphazero", changes, folder / record.folder(seed), seed)


def measure(record: Record, run: Run, games: int | None, file: Path) -> dict[str, Any]:
    """Trials and the match with what ships, from the file or played now."""
    if file.exists():
        known: dict[str, Any] = parse_json(read_whole(file))
        return known
    network = run.path / NETWORK_FILE
    trials = [trial.fields() for trial in measure_strength(record.trials, network, games)]
    found = {"trials": trials, "match": match_with_shipped(run, games)}
    write_whole(file, json.dumps(found, indent=1).encode())
    return found


def match_with_shipped(run: Run, games: int | None) -> dict[str, float] | None:
    """Won, drawn and lost against the network that ships for this very game; None where none does."""
    game = make_game(run.record.game)
    shipped = find_shipped(game, "alphazero")
    if shipped is None or shipped.stem != shipped_name(run.record.game):
        return None
    records: list[GameRecord] = []
    player = f"alphazero:{MATCH_SIMULATIONS}"
    fixtures = gate_fixtures(game, games or MATCH_GAMES, seed=0)
    play_fixtures(game, (f"{player}@{run.path}", player), fixtures, records.append)
    total = match_total(records)
    return {"wins": total.wins, "draws": total.draws, "losses": total.losses, "share": total.score_share}


def table(rows: list[tuple[str, Run, dict[str, Any]]]) -> Table:
    shown = Table("run", "minutes", "trial", "result", "wanted", "against what ships")
    for name, run, found in rows:
        minutes = max((line["minutes"] for line in run.metrics()), default=0.0)
        match = found["match"]
        against = f"{match['wins']}-{match['draws']}-{match['losses']}" if match else "nothing ships"
        for trial in found["trials"]:
            what = trial.get("opponent") or trial.get("measure")
            result = f"{trial['right']} of {trial['of']}" if "right" in trial else f"{trial['wins']} won"
            said = f"{trial['player']}, {what}"
            shown.add_row(name, f"{minutes:.1f}", said, result, trial["target"] or "", against)
            name = against = ""
    return shown


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("runs/records"))
    parser.add_argument("--only", default="", help="a game of the table")
    parser.add_argument("--minutes", type=float, help="of every training, for a rehearsal")
    parser.add_argument("--games", type=int, help="of every trial, for a quick look")
    parser.add_argument(
        "--ship", action="store_true", help="put what does not lose to it in the place of what ships"
    )
    arguments = parser.parse_args()
    rows = []
    try:
        for record in RECORDS:
            if arguments.only not in ("", record.game):
                continue
            for seed in record.seeds:
                print(f"{record.game}, seed {seed}", file=sys.stderr, flush=True)
                run = train(record, seed, arguments.minutes or record.minutes, arguments.folder)
                file = arguments.folder / f"{record.folder(seed)}.json"
                found = measure(record, run, arguments.games, file)
                rows.append((record.folder(seed), run, found))
                stronger = found["match"] is None or found["match"]["share"] >= 0.5
                if arguments.ship and stronger and seed == record.seeds[0]:
                    subprocess.run([sys.executable, str(SHIP), str(run.path)], check=True)
    except ZerosumError as error:
        print(f"records: {error}", file=sys.stderr)
        return 2
    Console().print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
