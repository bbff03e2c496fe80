"""Ctrl-C: seconds from it to the end of commands that think for long, each in a process of its own; and how a
tournament ends that gets it, or SIGTERM or SIGHUP, at any line that it runs.

    .venv/bin/python -m benchmarks.attacks.signals --times 3
    .venv/bin/python -m benchmarks.attacks.signals --places 1000 --seed 1
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.cli.places import NOWHERE, TOURNAMENT, Places, assert_stopped, kept_games

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = (
    "match blokus mcts:3000000 random",
    "match connect4 solver random",
    "explain qubic --player solver",
    "play qubic --against solver --second",
    "solve connect4",
    "train connect4",
    "tournament connect4 mcts:100000 alphazero:5000 --games 4",
)
AT_WORK = 8.0  # seconds of the processor's time: code is loaded and the command thinks


def worked(process: int) -> float:
    """Seconds of the processor's time that a process has had."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds_to_end(command: str, number: signal.Signals) -> tuple[float, int]:
    """How long the command goes on after the signal, and its exit code."""
    here = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "zerosum", *command.split()],
            stdin=subprocess.DEVNULL if not command.startswith("play") else subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=here,
        )
        while worked(process.pid) < AT_WORK:
            time.sleep(0.1)
        began = time.monotonic()
        process.send_signal(number)
        process.wait()
        return time.monotonic() - began, process.returncode


def everywhere(tries: int, seed: int) -> None:
    """Signals at random lines of a tournament; what it has played by then must be there, and it goes on."""
    luck = random.Random(seed)
    with tempfile.TemporaryDirectory() as made, Places() as places:
        folder = Path(made)
        passed = places.passed(TOURNAMENT, folder)
        whole = kept_games(folder)
        for tried in range(1, tries + 1):
            place = luck.choice(passed)
            at = place._replace(time=luck.randint(1, place.time))
            number = luck.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
            (folder / "state.jsonl").unlink()
            assert_stopped(places.interrupt(TOURNAMENT, folder, at, number), number, at)
            assert places.interrupt(TOURNAMENT, folder, NOWHERE, number).code == 0
            assert kept_games(folder) == whole, at
            if tried % 20 == 0:
                print(json.dumps({"lines": len(passed), "signals": tried, "otherwise": 0}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--places", type=int, default=0, help="so many signals at random lines instead")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    if wanted.places:
        everywhere(wanted.places, wanted.seed)
        return
    for command in COMMANDS:
        ended = [seconds_to_end(command, signal.SIGINT) for _ in range(wanted.times)]
        seconds = [took for took, _ in ended]
        figures = {"median": round(statistics.median(seconds), 2), "most": round(max(seconds), 2)}
        codes = sorted({code for _, code in ended})
        load = os.getloadavg()[0] / (os.cpu_count() or 1)
        print(
            json.dumps({"command": command, **figures, "codes": codes, "load_a_core": round(load, 1)}),
            flush=True,
        )


if __name__ == "__main__":
    main()
