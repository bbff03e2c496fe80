"""Whether memory stays flat: a training and tournaments for hours, in a process each, looked at every minute.

    .venv/bin/python -m benchmarks.attacks.memory training --minutes 120
    .venv/bin/python -m benchmarks.attacks.memory tournaments --minutes 120

Prints resident megabytes as it goes, and at the end how many they grow by in an hour, fitted to all looks
after the first quarter, when caches and the replay have filled.
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
        ("brick:random", ["mcts:500", "minimax:2", "alphazero:50", "solver"]),
        ("invisible-tictactoe", ["catchup:50", "determinised:50", "cfr"]),
    ):
        state = Path(f"state-{seed}.jsonl")
        run_tournament(zerosum.make_game(spec), players, games=4, seed=seed, state_file=state, workers=2)
        state.unlink()
        seed += 1
"""


def resident_megabytes(process: int) -> float | None:
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("training", "tournaments"))
    parser.add_argument("--minutes", type=float, default=120.0)
    wanted = parser.parse_args()
    program = TRAINING if wanted.kind == "training" else TOURNAMENTS
    with tempfile.TemporaryDirectory() as folder:
        looks = watch(program, wanted.minutes, folder)
    settled = [look for look in looks if look[0] > WARM_UP * wanted.minutes]
    slope = float(np.polyfit([m for m, _ in settled], [mb for _, mb in settled], 1)[0]) * 60
    figures = {"kind": wanted.kind, "minutes": round(looks[-1][0], 1), "looks": len(looks)}
    figures |= {"least_mb": min(mb for _, mb in settled), "most_mb": max(mb for _, mb in settled)}
    print(json.dumps(figures | {"megabytes_an_hour": round(slope, 2)}))


if __name__ == "__main__":
    main()
