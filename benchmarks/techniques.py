"""What each technique of AlphaZero's training gains: train with and without it, and let the networks meet.

    python benchmarks/techniques.py othello:6x6 --minutes 10 --seeds 3
    python benchmarks/techniques.py connect4 --only "surprises more often" --only "the final board foretold"

Every variant is trained from every seed for so many minutes, one after another, and plays the network of the
same seed that was trained as it is, from random openings, each side once: with the bare policy and with a
short search. Where the game can be solved, its moves in positions that none has seen are judged as well, and
in hard ones where there are such. Minutes are those of all cores, so that other work meanwhile costs nothing.
What is trained and played is written down and not done again, so an interrupted comparison goes on where it
was.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Column, Table

from zerosum.app.training import train_once
from zerosum.arena.match import match_total
from zerosum.arena.records.record import GameRecord
from zerosum.arena.strength.table import HARDEST, MIDDLE, OPENING, Trial
from zerosum.arena.strength.trials import measure_strength
from zerosum.arena.workers import play_fixtures
from zerosum.core.game import Game
from zerosum.core.running.files import parse_json, read_whole, write_whole
from zerosum.core.statistics import wilson_interval
from zerosum.games import make_game
from zerosum.learn.alphazero.gate import gate_fixtures
from zerosum.learn.run.run import Run
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.players.common.registry import make_player
from zerosum.search.enumerate.solved import SolvedPosition, solved_positions


@dataclass(frozen=True)
class Variant:
    name: str
    changes: tuple[str, ...] = ()  # to the preset `fast`


AS_IT_IS = Variant("as it is")
DRAWN_AT_FIRST = "search.temperature.kind=step"
VARIANTS = (
    Variant("nothing of KataGo's", ("auxiliary.surprise=0", "auxiliary.final_board=0", "auxiliary.reply=0")),
    Variant("surprises more often", ("auxiliary.surprise=0.5",)),
    Variant("the final board foretold", ("auxiliary.final_board=0.5",)),
    Variant("the reply foretold", ("auxiliary.reply=0.15",)),
    Variant("the best move after ten plies", (DRAWN_AT_FIRST,)),
    Variant("PUCT instead of Gumbel search", ("search.kind=puct", "search.keep_tree=false", DRAWN_AT_FIRST)),
    Variant("PUCT, tree kept between moves", ("search.kind=puct", DRAWN_AT_FIRST)),
    Variant("8 moves considered", ("search.considered=8",)),
    Variant("values tilt the policy four times as far", ("search.value_scale=1.0",)),
    Variant("64 simulations from the beginning", ("search.simulation_schedule=[]",)),
    Variant("rising to 128 simulations", ("search.simulations=128",)),
    Variant("no random openings", ("selfplay.opening_plies=0",)),
    Variant("no deviations", ("selfplay.deviation_share=0.0",)),
    Variant("no average of the weights", ("learning.average=0.0",)),
    Variant("positions learnt from half as often", ("learning.replay_ratio=1.0",)),
    Variant("positions learnt from twice as often", ("learning.replay_ratio=4.0",)),
    Variant("positions learnt from four times as often", ("learning.replay_ratio=8.0",)),
    Variant("values of searches some ten plies on", ("learning.searched_value=0.1",)),
    Variant("values of searches some four plies on", ("learning.searched_value=0.25",)),
    Variant("values of results alone", ("learning.searched_value=0",)),
    Variant(
        "playout cap: a quarter searched in full",
        ("search.full_search_probability=0.25", "auxiliary.reply=0"),
    ),
    Variant("no symmetries", ("learning.symmetries=none",)),
    Variant("policy loss over illegal moves too", ("learning.legal_moves_only=false",)),
    Variant("a gate of 55 % in 40 games", ("gate.share=0.55",)),
)
HARD = {"connect4": (OPENING, MIDDLE, HARDEST)}  # positions in which one or two moves are right
SIMULATIONS = (0, 100)
GAMES = 200  # a seed and number of simulations
POSITIONS = 400


def train(game: Game, variant: Variant, seed: int, minutes: float, folder: Path) -> Run:
    """A finished run of a variant."""
    path = folder / f"{''.join(letter if letter.isalnum() else '-' for letter in variant.name)}-{seed}"
    checks = ["evaluation.solved_positions=0", "evaluation.opponents=[]"]
    budget = [f"budget.minutes={minutes}", "budget.clock=work"]
    return train_once(game, "alphazero", [*variant.changes, *checks, *budget], path, seed)


def measure(game: Game, run: Run, other: Run, positions: list[SolvedPosition]) -> dict[str, Any]:
    """What the run learnt in its minutes, and how it fares against another one."""
    lines = [line for line in run.metrics() if line["kind"] == "learning"]
    found: dict[str, Any] = {"iterations": len(lines), "games": sum(line["games"] for line in lines)}
    for simulations in SIMULATIONS:
        if run.path != other.path:
            records: list[GameRecord] = []
            entrants = tuple(f"alphazero:{simulations}@{one.path}" for one in (run, other))
            play_fixtures(game, entrants, gate_fixtures(game, GAMES, seed=1), records.append)
            total = match_total(records)
            found[f"match {simulations}"] = [total.wins, total.draws, total.losses]
        if positions:
            player = make_player(f"alphazero:{simulations}@{run.path}", game)
            right = sum(player.choose(solved.view).action in solved.best for solved in positions)
            found[f"right {simulations}"] = right
        trials = [Trial(game.spec, simulations, positions=kind) for kind in HARD.get(game.spec, ())]
        for strength in measure_strength(trials, run.path / NETWORK_FILE):
            found[f"{strength.trial.positions}, {simulations}"] = strength.right / strength.of
    return found


def row(variant: Variant, found: list[dict[str, Any]], positions: int) -> list[str]:
    """Of all seeds together."""
    cells = [variant.name, *(f"{sum(one[name] for one in found):,.0f}" for name in ("iterations", "games"))]
    for simulations in SIMULATIONS:
        matches = [one[f"match {simulations}"] for one in found if f"match {simulations}" in one]
        wins, draws, losses = (sum(match[i] for match in matches) for i in range(3))
        played = wins + draws + losses
        low, high = wilson_interval(round(wins + draws / 2), played) if played else (0.0, 0.0)
        cells.append(f"{wins}-{draws}-{losses} ({low:.0%} to {high:.0%})" if played else "")
    if positions:
        shares = (sum(one[f"right {n}"] for one in found) / (positions * len(found)) for n in SIMULATIONS)
        cells += [f"{share:.1%}" for share in shares]
    hard = [name for name in found[0] if ", " in name]
    return cells + [f"{sum(one[name] for one in found) / len(found):.1%}" for name in hard]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", action="append", choices=[variant.name for variant in VARIANTS])
    parser.add_argument("--folder", type=Path, default=Path("runs/techniques"))
    wishes = parser.parse_args()
    game = make_game(wishes.game)
    positions = solved_positions(game, POSITIONS, seed=1)
    folder = wishes.folder / f"{game.spec.replace(':', '-')}-{wishes.minutes:g}"
    folder.mkdir(parents=True, exist_ok=True)
    console = Console()
    titles = [f"against as it is, {n} simulations" for n in SIMULATIONS]
    titles += [f"right moves, {n} simulations" for n in SIMULATIONS if positions]
    titles += [f"{kind}, {n} simulations" for n in SIMULATIONS for kind in HARD.get(game.spec, ())]
    headings = ("variant", "iterations", "games", *titles)
    table = Table(*(Column(heading, overflow="fold") for heading in headings))
    wanted = [variant for variant in VARIANTS if not wishes.only or variant.name in wishes.only]
    for variant in (AS_IT_IS, *wanted):
        found = []
        for seed in range(wishes.seeds):
            with console.status(f"{variant.name}, seed {seed}: {wishes.minutes:g} minutes"):
                plain = train(game, AS_IT_IS, seed, wishes.minutes, folder)
                run = train(game, variant, seed, wishes.minutes, folder)
                file = folder / f"{run.path.name}.json"
                if not file.exists():
                    measured = measure(game, run, plain, positions)
                    write_whole(file, json.dumps(measured).encode())
                found.append(parse_json(read_whole(file)))
        table.add_row(*row(variant, found, len(positions)))
    console.print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
