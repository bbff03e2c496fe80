"""Ship the network of a run with the package: ``python scripts/ship.py RUN`` writes the network and its card.

The network goes to ``src/zerosum/networks/GAME.onnx``, DQN's to the folder ``dqn`` there, with its weights in
half precision so that the package stays small. The card beside it
says how it was trained (a command that gives the same settings, what was set otherwise earlier in the run,
seed, commit, minutes, games) and how strong it is: the trials of ``zerosum strength`` for AlphaZero, contests
with simple players for DQN, played now.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from zerosum.arena.match import play_match
from zerosum.arena.strength.trials import DIGITS, measure_strength, trials_of
from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.running.files import read_whole, write_whole
from zerosum.core.statistics import wilson_interval
from zerosum.games import make_game
from zerosum.learn.run.run import Run
from zerosum.learn.settings.base import Settings, flat, read_settings
from zerosum.learn.training.method import find_method
from zerosum.nets.artifact.container import ENDING
from zerosum.nets.artifact.half import halved
from zerosum.nets.artifact.store import EVERY_START, NETWORK_FILE, SHIPPED, card_file, shipped_name
from zerosum.nets.building.registry import make_network, network_spec
from zerosum.players.common.runs import SETTINGS, BadRun, find_in_run

LARGEST = 2_500_000  # bytes: the package stays small
DQN_PLAYERS = ("dqn:2", "dqn:1")  # with and without a look at the opponent's wins
DQN_OPPONENTS = ("random", "greedy", "mcts:100")
DQN_GAMES = 400


def training_command(game: str, method: str, seed: int, settings: Settings) -> tuple[str, str]:
    """A preset, and the command that gives these settings: the preset with the fewest changes to it."""
    way = find_method(method)
    wanted = flat(settings.as_json())
    changes = {}
    for preset in ("fast", *sorted(path.stem for path in way.presets.glob("*.json"))):
        try:
            given = flat(way.settings_for(game, preset, []).as_json())
        except BadSpec:  # a paper's preset that does not know the game
            continue
        changes[preset] = {name: value for name, value in wanted.items() if given[name] != value}
    preset = min(changes, key=lambda name: len(changes[name]))
    words = ["zerosum", "train", game]
    words += [] if method == "alphazero" else ["--method", method]
    words += [] if preset == "fast" else ["--preset", preset]
    words += ["--seed", str(seed)] if seed else []
    for name, value in changes[preset].items():
        # Of settings that exclude each other the one that is set says that the others are null.
        if name == "budget.minutes" and value is not None:
            words += ["--minutes", f"{value:g}"]
        elif name == "budget.episodes":
            words += ["--episodes", str(value)]
        elif value is not None:
            words += ["--set", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    return preset, " ".join(f"'{word}'" if " " in word else word for word in words)


def card_of(run: Run, file: Path, games: int | None = None) -> dict[str, Any]:
    """What the card says of the network in a file; ``games`` shortens the trials."""
    record = run.record
    settings: Any = read_settings(find_method(record.method).settings, record.settings)
    preset, command = training_command(record.game, record.method, record.seed, settings)
    metrics = run.metrics()
    learnt = [line for line in metrics if line["kind"] == "learning"]
    network = make_network(settings.network, make_game(record.game))
    return {
        "game": record.game,
        "command": command,
        "preset": preset,
        "earlier": [stage.as_json() for stage in record.earlier],
        "seed": record.seed,
        "commit": (record.commit or "unknown").replace("-dirty", " and changes"),
        "minutes": round(max((line["minutes"] for line in metrics), default=0.0), 2),
        "iterations": max((line["iteration"] for line in learnt), default=0),
        "games": _total(learnt, "games"),
        "positions": _total(learnt, "new_positions"),
        "evaluations": _total(learnt, "evaluations"),
        "network": network_spec(settings.network),
        "settings": settings.as_json(),
        "parameters": sum(weights.numel() for weights in network.parameters()),
        "results": _contests(run, file, games) if record.method == "dqn" else _trials(run, file, games),
    }


def _total(lines: list[dict[str, Any]], name: str) -> int | None:
    """The sum over all iterations; None where it was not measured."""
    values = [line[name] for line in lines if line.get(name) is not None]
    return round(sum(values)) if values else None


def _contests(run: Run, file: Path, games: int | None) -> list[dict[str, Any]]:
    """Matches with simple players, a row for each seat."""
    rows = []
    game = make_game(run.record.game)
    for player, opponent in product(DQN_PLAYERS, DQN_OPPONENTS):
        result = play_match(game, f"{player}@{file.parent}", opponent, games or DQN_GAMES)
        for seat, counts in (("first", result.as_first), ("second", result.as_second)):
            low, high = wilson_interval(counts.wins, counts.games)
            row: dict[str, Any] = {"game": game.spec, "opponent": opponent, "player": player, "seat": seat}
            row |= {"wins": counts.wins, "draws": counts.draws, "losses": counts.losses}
            row |= {"interval": [round(low, DIGITS), round(high, DIGITS)], "interval_of": "wins"}
            rows.append(row)
            print(json.dumps(row), file=sys.stderr, flush=True)
    return rows


def _trials(run: Run, file: Path, games: int | None) -> list[dict[str, Any]]:
    """The game's lines of the table of strengths."""
    game = run.record.game.removesuffix(EVERY_START)
    try:
        trials = trials_of(game)
    except BadSpec:
        print(f"no trials are known for {game}: the card will have no results", file=sys.stderr)
        return []
    rows = []
    for result in measure_strength(trials, file, games):
        print(json.dumps(result.fields()), file=sys.stderr, flush=True)
        rows.append(result.fields())
    return rows


def ship(run: Run, folder: Path | None = None, games: int | None = None) -> Path:
    """Write network and card, where players look for them unless told; returns the network's file."""
    if run.record.method not in SHIPPED:
        raise BadRun(f"{run.path} was trained by {run.record.method}; what ships is of {', '.join(SHIPPED)}")
    folder = folder or SHIPPED[run.record.method]
    file = find_in_run(run.path, NETWORK_FILE)
    data = halved(read_whole(file), str(file))
    if len(data) > LARGEST:
        raise ZerosumError(
            f"the network of {run.path} has {len(data):,} bytes; what ships may have {LARGEST:,}"
        )
    with TemporaryDirectory() as place:  # what ships is what is measured, in a run of its own
        file = Path(place) / NETWORK_FILE
        write_whole(file, data)
        shutil.copy(run.path / SETTINGS, place)
        card = card_of(run, file, games)
    folder.mkdir(exist_ok=True)
    target = folder / (shipped_name(run.record.game) + ENDING)
    write_whole(target, data)
    write_whole(card_file(target), (json.dumps(card, indent=2) + "\n").encode())
    return target


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("run", help="a run, by its name or path")
    parser.add_argument("--games", type=int, help="games a trial, for a quick look")
    arguments = parser.parse_args()
    try:
        print(ship(Run.open(arguments.run), games=arguments.games))
    except ZerosumError as error:
        print(f"ship: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
