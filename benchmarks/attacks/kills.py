"""Kill trainings, tournaments, matches and compilations; all must end as if nothing had happened.

    .venv/bin/python -m benchmarks.attacks.kills injected            # every step of every method, both ways
    .venv/bin/python -m benchmarks.attacks.kills random --minutes 10 --seed 1

``injected`` lets trainings, a tournament and a match die at each of their writes, syncs and renamings in
turn, once as a process and twice with the power. ``random`` kills real processes at random moments.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.faults import Died, Disk
from tests.learn.tiny import TINY, Outcome, outcome, train_tiny
from zerosum.arena.match import play_match
from zerosum.arena.record_file import append_record, read_records
from zerosum.arena.tournament import run_tournament
from zerosum.games import make_game

GAME = make_game("tictactoe")
NETWORKED = ("alphazero", "dqn")  # methods whose trainings take longest come last
PLAYERS = ("random", "greedy", "mcts:10")


def tournament(folder: Path) -> Any:
    """The games of a small tournament that goes on where it was."""
    result = run_tournament(GAME, PLAYERS, games=4, state_file=folder / "state.jsonl", workers=1)
    return result.records


def match(folder: Path) -> Any:
    """How many games a match keeps; every line that is there must be a game."""
    path = folder / "games.jsonl"
    before = len(read_records(path).records) if path.exists() else 0
    play_match(GAME, "random", "random", 6, workers=1, on_result=lambda r, *_: append_record(path, r))
    found = read_records(path)
    assert len(found.records) == before + 6
    assert len(found.damaged) <= 1
    return 6


def training(method: str) -> Callable[[Path], Outcome]:
    return lambda folder: outcome(train_tiny(method, folder / "run"))


def injected(seed: int) -> int:
    """Die at every step of everything; returns how many deaths there were."""
    works: dict[str, Callable[[Path], Any]] = {"tournament": tournament, "match": match}
    works |= {method: training(method) for method in sorted(TINY, key=NETWORKED.__contains__)}
    luck = random.Random(seed)
    deaths = 0
    for name, work in works.items():
        with tempfile.TemporaryDirectory() as folder, Disk(Path(folder)) as disk:
            expected = work(Path(folder))
        disk.close()
        for step, what in enumerate(disk.steps):
            for survives in (None, bool, lambda: luck.random() < 0.5):
                with tempfile.TemporaryDirectory() as folder:
                    dies(work, Path(folder), step, survives)
                    assert work(Path(folder)) == expected, (name, step, what, survives)
                    deaths += 1
        print(
            f"{name}: {len(disk.steps)} steps, each died at three times; {deaths} deaths so far", flush=True
        )
    return deaths


def dies(work: Callable[[Path], Any], folder: Path, step: int, survives: Callable[[], bool] | None) -> None:
    try:
        with Disk(folder, dies_at=step) as disk:
            work(folder)
    except Died:
        pass
    else:
        raise AssertionError(f"step {step} was not reached")
    if survives is None:
        disk.close()
    else:
        disk.lose_power(survives)


CHILD = """
import sys
from pathlib import Path
from benchmarks.attacks.kills import tournament
from tests.learn.tiny import train_tiny
print("begun", flush=True)
folder, what = Path(sys.argv[1]), sys.argv[2]
tournament(folder) if what == "tournament" else train_tiny(what, folder / "run")
"""
COMPILING = (
    "import sys; sys.path.insert(0, sys.argv[1]); import rules; print(rules.some_score.py_func.__name__)"
)
RULES = """
from zerosum.core.compiling.compile import rule

@rule
def some_score(table, position):
    total = 0
    for word in position:
        total += int(word) % {number}
    return total
"""


def random_kills(seed: int, minutes: float) -> int:
    """Kill processes at random moments until the time is up; returns how many were killed at work."""
    luck = random.Random(seed)
    end = time.monotonic() + 60 * minutes
    names = ["q-learning", "value-iteration", "value-set-iteration", "cfr", "tournament", "compiling"]
    expected: dict[str, Any] = {}
    for name in names[:-1]:
        with tempfile.TemporaryDirectory() as folder:
            work = tournament if name == "tournament" else training(name)
            expected[name] = work(Path(folder))
    killed = 0
    cache = Path(tempfile.mkdtemp(prefix="attack-cache-"))
    while time.monotonic() < end:
        name = luck.choice(names)
        with tempfile.TemporaryDirectory() as folder:
            if name == "compiling":
                killed += _kill_compiler(luck, Path(folder), cache)
                continue
            for _ in range(luck.randrange(1, 4)):
                killed += _kill([sys.executable, "-c", CHILD, folder, name], luck.uniform(0.0, 1.5), {})
            work = tournament if name == "tournament" else training(name)
            assert work(Path(folder)) == expected[name], name
    return killed


def _kill_compiler(luck: random.Random, folder: Path, cache: Path) -> int:
    """Kill a process that compiles, and see that the next one gets by."""
    (folder / "rules.py").write_text(RULES.format(number=luck.randrange(1, 1 << 30)))
    command = [sys.executable, "-c", COMPILING, str(folder)]
    surroundings = {"ZEROSUM_CACHE": str(cache)}
    killed = _kill(command, luck.uniform(0.0, 2.0), surroundings, begun="")
    done = subprocess.run(command, env=_environment(surroundings), capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.strip() == "some_score", done.stderr
    return killed


ROOT = Path(__file__).resolve().parents[2]


def _environment(more: dict[str, str]) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", **more}


def _kill(command: list[str], seconds: float, more: dict[str, str], begun: str = "begun") -> int:
    """Start a process, wait until it is at work and then so long, and kill it; 1 where it was at work yet."""
    process = subprocess.Popen(
        command,
        env=_environment(more),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    if begun:
        process.stdout.readline()
    time.sleep(seconds)
    alive = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return int(alive)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("injected", "random"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=5.0)
    wanted = parser.parse_args()
    deaths = injected(wanted.seed) if wanted.kind == "injected" else random_kills(wanted.seed, wanted.minutes)
    print(json.dumps({"kind": wanted.kind, "kills": deaths, "lost": 0, "different": 0}))


if __name__ == "__main__":
    main()
