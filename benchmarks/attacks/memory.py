"""Whether memory stays flat: a training and tournaments, in a process each.

    .venv/bin/python -m benchmarks.attacks.memory training --iterations 400   # tiny ones, by iteration
    .venv/bin/python -m benchmarks.attacks.memory tournaments --games 10000   # short ones, by game
    .venv/bin/python -m benchmarks.attacks.memory training --minutes 120      # real ones, a look a minute
    .venv/bin/python -m benchmarks.attacks.memory tournaments --minutes 120

Prints resident megabytes as it goes, and at the end how many they grow by in a thousand iterations, ten
thousand games or an hour, fitted to all looks after the first quarter, when caches and replay are full.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
LOOK = 60.0  # seconds
WARM_UP = 0.25  # of the time
TRAINING = """
import sys, zerosum
settings = {"budget.minutes": float(sys.argv[1]), "learning.window_first": 4, "learning.window_last": 4}
zerosum.train("connect4", settings=settings, run="run")
"""
TOURNAMENTS = """
import sys, time, zerosum
from pathlib import Path
from zerosum.arena.tournament import run_tournament
end = time.monotonic() + 60 * float(sys.argv[1])
seed = 0
while time.monotonic() < end:
    for spec, players in (
        ("connect4", ["mcts:500", "minimax:3", "alphazero:50", "random"]),
        ("brick:random", ["mcts:500", "minimax:2", "alphazero:50", "random"]),
        ("invisible-tictactoe", ["catchup:50", "determinised:50", "cfr"]),
    ):
        state = Path(f"state-{seed}.jsonl")
        run_tournament(zerosum.make_game(spec), players, games=4, seed=seed, state_file=state, workers=2)
        state.unlink()
        seed += 1
"""

# So short that hours of them pass in minutes; each line that is printed is how many, and megabytes.
ITERATIONS = """
import sys, zerosum
from benchmarks.attacks.memory import resident_megabytes
from tests.learn.tiny import ALPHAZERO, CHECKS
from zerosum.learn.events.listeners import Iterated

def tell(event):
    if isinstance(event, Iterated) and event.moment.iteration % 10 == 0:
        print(event.moment.iteration, resident_megabytes("self"), flush=True)

settings = ALPHAZERO | {
    "network": "pooled:channels=4,blocks=1",
    "learning.window_last": 4,
    "evaluation.every_iterations": 20,
    "evaluation.opponents": ["random", "mcts:20"],
    "budget.iterations": int(sys.argv[1]),
    "workers": 2,
}
zerosum.train("tictactoe", settings=settings, run="run", on_event=tell)
"""
GAMES = """
import sys, zerosum
from pathlib import Path
from benchmarks.attacks.memory import resident_megabytes
from zerosum.arena.tournament import run_tournament

played, seed = 0, 0
while played < int(sys.argv[1]):
    for spec, players in (
        ("tictactoe", ["mcts:20", "minimax:2", "alphazero:4", "random"]),
        ("invisible-tictactoe", ["determinised:10", "alphazero:4", "cfr", "random"]),
    ):
        state = Path(f"state-{seed}.jsonl")
        game = zerosum.make_game(spec)
        result = run_tournament(game, players, games=20, seed=seed, state_file=state, workers=2)
        state.unlink()
        played += len(result.records)
        seed += 1
    print(played, resident_megabytes("self"), flush=True)
"""


def resident_megabytes(process: int | str) -> float | None:
    """None once it is over."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def watch(program: str, minutes: float, folder: str) -> list[tuple[float, float]]:
    """Minutes and megabytes, a look a minute, until the program ends."""
    here = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    process = subprocess.Popen([sys.executable, "-c", program, str(minutes)], cwd=folder, env=here)
    looks: list[tuple[float, float]] = []
    began = time.monotonic()
    while process.poll() is None:
        try:
            process.wait(LOOK)
        except subprocess.TimeoutExpired:
            found = resident_megabytes(process.pid)
            if found is not None:
                looks.append(((time.monotonic() - began) / 60, found))
                print(f"{looks[-1][0]:6.1f} min {found:8.1f} MB", flush=True)
    if process.returncode:
        sys.exit(f"it ended with code {process.returncode}")
    return looks


def count(program: str, wanted: int, folder: str) -> list[tuple[float, float]]:
    """How many, and megabytes, as the program tells them."""
    here = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", program, str(wanted)]
    with subprocess.Popen(command, cwd=folder, env=here, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        looks: list[tuple[float, float]] = []
        for line in process.stdout:
            print(line, end="", flush=True)
            done, megabytes = map(float, line.split())
            looks.append((done, megabytes))
    if process.returncode:
        sys.exit(f"it ended with code {process.returncode}")
    return looks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("training", "tournaments"))
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--iterations", type=int, default=0, help="tiny ones of training, instead")
    parser.add_argument("--games", type=int, default=0, help="short ones of tournaments, instead")
    wanted = parser.parse_args()
    training = wanted.kind == "training"
    number = wanted.iterations if training else wanted.games
    with tempfile.TemporaryDirectory() as folder:
        if number:
            looks = count(ITERATIONS if training else GAMES, number, folder)
        else:
            looks = watch(TRAINING if training else TOURNAMENTS, wanted.minutes, folder)
    settled = [look for look in looks if look[0] > WARM_UP * looks[-1][0]]
    slope = float(np.polyfit([at for at, _ in settled], [mb for _, mb in settled], 1)[0])
    unit, many = ("an_hour", 60)
    if number:
        unit, many = ("in_1000_iterations", 1000) if training else ("in_10000_games", 10_000)
    figures = {"kind": wanted.kind, "until": round(looks[-1][0], 1), "looks": len(looks)}
    figures |= {"least_mb": min(mb for _, mb in settled), "most_mb": max(mb for _, mb in settled)}
    print(json.dumps(figures | {f"megabytes_{unit}": round(slope * many, 2)}))


if __name__ == "__main__":
    main()
