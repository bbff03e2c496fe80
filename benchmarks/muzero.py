"""MuZero beside AlphaZero: what each reaches in the same minutes, and AlphaZero in as many games as well.

    python -m benchmarks.muzero --only connect4 --seeds 2      # hours; stop it and call it again
    python -m benchmarks.muzero --minutes 0.2 --games 4        # a rehearsal of all of it

Every game is trained by MuZero for its minutes; by AlphaZero for the same minutes; and by AlphaZero for as
many iterations, of as many positions each, as MuZero made. Then each has its trials, and MuZero meets the
two others from random openings, each side once. With --work minutes are those of all cores' work, so that
other work meanwhile costs nothing. What is trained and played is written down and not done again.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.invisible import measure as measure_exactly
from zerosum.app.training import train_once
from zerosum.arena.match import match_total
from zerosum.arena.records.record import GameRecord
from zerosum.arena.strength.table import ALL_STATES, FIRST, SECOND, SOLVED_POSITIONS, Trial
from zerosum.arena.strength.trials import measure_strength
from zerosum.arena.workers import play_fixtures
from zerosum.core.running.files import parse_json, read_whole, write_whole
from zerosum.games import make_game
from zerosum.learn.alphazero.gate import gate_fixtures
from zerosum.learn.run.run import Run
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.papers.lab import iterations_made
from zerosum.search.imperfect.measurable import is_measurable

EXACT_SIMULATIONS = 50  # where a player is measured exactly
MATCH_SIMULATIONS = 100
MATCH_GAMES = 100


@dataclass(frozen=True)
class Race:
    """A game, the minutes of each training, and what MuZero is to reach in them."""

    game: str
    minutes: float
    trials: tuple[Trial, ...] = ()
    changes: tuple[str, ...] = ()  # to MuZero's preset


RACES = (
    Race("tictactoe", 3, (Trial("tictactoe", 50, positions=ALL_STATES, right=1.0),)),
    Race(
        "tictactoe:4x4",
        15,
        tuple(
            Trial("tictactoe:4x4", 100, "solver", seat=seat, games=200, losses=0) for seat in (FIRST, SECOND)
        ),
    ),
    Race(
        "connect4",
        15,
        (
            *(Trial("connect4", simulations, positions=SOLVED_POSITIONS) for simulations in (0, 25, 100)),
            Trial("connect4", 400, positions=SOLVED_POSITIONS, right=0.97),
        ),
    ),
    Race("othello:6x6", 60, (Trial("othello:6x6", 100, "mcts:100", games=100, wins=90),)),
    Race("invisible-tictactoe", 10),
)


@dataclass(frozen=True)
class Contestant:
    """One of the three trainings of a race."""

    name: str
    method: str
    run: Run


def contestants(race: Race, seed: int, wishes: argparse.Namespace) -> list[Contestant]:
    """All three, trained."""
    minutes = wishes.minutes or race.minutes
    budget = [f"budget.minutes={minutes}", f"budget.clock={'work' if wishes.work else 'wall'}"]

    def trained(name: str, method: str, changes: list[str]) -> Contestant:
        path = wishes.folder / f"{race.game.replace(':', '-')}-{name}-{seed}"
        return Contestant(name, method, train_once(race.game, method, changes, path, seed))

    model = trained("muzero", "muzero", [*race.changes, *budget])
    as_many = ["budget.minutes=null", f"budget.iterations={iterations_made(model.run.path)}"]
    positions = model.run.record.settings["selfplay"]["positions"]
    as_many.append(f"selfplay.positions={positions}")
    return [
        model,
        trained("alphazero-minutes", "alphazero", budget),
        trained("alphazero-games", "alphazero", as_many),
    ]


def measure(race: Race, one: Contestant, model: Contestant, games: int | None) -> dict[str, Any]:
    """Its trials, and how MuZero fares against it."""
    game = make_game(race.game)
    lines = [line for line in one.run.metrics() if line["kind"] == "learning"]
    network = one.run.path / NETWORK_FILE
    found: dict[str, Any] = {
        "minutes": lines[-1]["minutes"],
        "iterations": len(lines),
        "games": sum(line["games"] for line in lines),
        "trials": [trial.fields() for trial in measure_strength(race.trials, network, games)],
    }
    if is_measurable(game):
        found["exact"] = measure_exactly(f"{one.method}:{EXACT_SIMULATIONS}@{one.run.path}", game)
    if one is not model:
        records: list[GameRecord] = []
        players = [f"{side.method}:{MATCH_SIMULATIONS}@{side.run.path}" for side in (model, one)]
        play_fixtures(game, players, gate_fixtures(game, games or MATCH_GAMES, seed=0), records.append)
        total = match_total(records)
        found["match"] = f"{total.wins}-{total.draws}-{total.losses}"
    return found


def shown(found: dict[str, Any]) -> str:
    """What the trials gave, in a few words."""
    words = []
    for trial in found["trials"]:
        what = trial.get("opponent") or "positions"
        result = f"{trial['right']} of {trial['of']}" if trial.get("right") is not None else _games(trial)
        words.append(f"{trial['player']}, {what}: {result}")
    if "exact" in found:
        exact = found["exact"]
        words.append(f"{exact['share_of_the_most']:.1%} of the most, NashConv {exact['nash_conv']:.3f}")
    return "; ".join(words)


def _games(trial: dict[str, Any]) -> str:
    return f"{trial['wins']}-{trial['draws']}-{trial['losses']}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("runs/muzero"))
    parser.add_argument("--only", action="append", choices=[race.game for race in RACES])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--minutes", type=float, help="of every training, for a rehearsal")
    parser.add_argument("--games", type=int, help="of every trial, for a quick look")
    parser.add_argument("--work", action="store_true", help="count the work of all cores, not the clock")
    wishes = parser.parse_args()
    wishes.folder.mkdir(parents=True, exist_ok=True)
    console = Console()
    table = Table("game, seed", "trained by", "minutes", "iterations", "games", "trials", "MuZero against it")
    for race in (race for race in RACES if not wishes.only or race.game in wishes.only):
        for seed in range(wishes.seeds):
            with console.status(f"{race.game}, seed {seed}"):
                field = contestants(race, seed, wishes)
                for one in field:
                    file = wishes.folder / f"{one.run.path.name}.json"
                    if not file.exists():
                        write_whole(file, json.dumps(measure(race, one, field[0], wishes.games)).encode())
                    found = parse_json(read_whole(file))
                    made = (f"{found['minutes']:.1f}", f"{found['iterations']}", f"{found['games']:,.0f}")
                    table.add_row(
                        f"{race.game}, {seed}", one.name, *made, shown(found), found.get("match", "")
                    )
    console.print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
