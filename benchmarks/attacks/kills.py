"""Kill trainings, tournaments, matches and compilations; all must end as if nothing had happened.

    .venv/bin/python -m benchmarks.attacks.kills injected            # every step of everything, three ways
    .venv/bin/python -m benchmarks.attacks.kills injected --only muzero
    .venv/bin/python -m benchmarks.attacks.kills random --kills 200 --seed 1

``injected`` lets each work die at each of its writes, syncs and renamings in turn, once as a process and
twice with the power: all unsynced writes are lost then, or half of them. ``random`` kills real processes,
up to three times in a row, at moments drawn over all of their lives.
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

import torch

from benchmarks.attacks.works import GAME, WORKS, Work
from tests.faults import Died, Disk
from tests.learn.tiny import TINY
from zerosum.learn.training.method import find_method
from zerosum.nets.building.registry import make_network

ROOT = Path(__file__).resolve().parents[2]
COMPILING = "compiling"
COMPILER = (
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


def injected(names: list[str], seed: int) -> int:
    """Die at every step of works; returns how many deaths there were."""
    luck = random.Random(seed)
    deaths = 0
    for name in names:
        work = WORKS[name]
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            with Disk(folder) as disk:
                work.do(folder)
            disk.close()
            expected = work.left(folder)
        for step, what in enumerate(disk.steps):
            for survives in (None, bool, lambda: luck.random() < 0.5):
                with tempfile.TemporaryDirectory() as made:
                    folder = Path(made)
                    dies(work, folder, step, survives)
                    work.do(folder)
                    assert work.left(folder) == expected, (name, step, what, survives)
                    deaths += 1
        print(f"{name}: {len(disk.steps)} steps, each died at three times; {deaths} deaths", flush=True)
    return deaths


def dies(work: Work, folder: Path, step: int, survives: Callable[[], bool] | None) -> None:
    try:
        with Disk(folder, dies_at=step) as disk:
            work.do(folder)
    except Died:
        pass
    else:
        raise AssertionError(f"step {step} was not reached")
    if survives is None:
        disk.close()
    else:
        disk.lose_power(survives)


def random_kills(names: list[str], seed: int, kills: int) -> int:
    """Kill processes at random moments, so many of them at work; returns how many it were.

    All that is done is done in children of this process, which has loaded everything and done nothing: so
    children are at work at once, and have threads of their own.
    """
    torch.set_num_threads(1)
    make_network("pooled", GAME)  # loads what torch puts off until it is asked for something
    for name in set(names) & set(TINY):
        find_method(name)
    luck = random.Random(seed)
    lives: dict[str, tuple[float, Any]] = {}  # seconds of an undisturbed one, and what it leaves
    for name in names:
        if name != COMPILING:
            with tempfile.TemporaryDirectory() as made:
                began = time.monotonic()
                finish(WORKS[name], Path(made))
                lives[name] = (time.monotonic() - began, WORKS[name].left(Path(made)))
    cache = Path(tempfile.mkdtemp(prefix="attack-cache-"))
    killed = dict.fromkeys(names, 0)
    while sum(killed.values()) < kills:
        name = luck.choice(names)
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            if name == COMPILING:
                killed[name] += kill_compiler(luck, folder, cache)
                continue
            seconds, expected = lives[name]
            for _ in range(luck.randrange(1, 4)):
                killed[name] += kill(begin(WORKS[name], folder), luck.uniform(0.0, seconds))
            finish(WORKS[name], folder)
            assert WORKS[name].left(folder) == expected, (name, folder)
        print(f"{sum(killed.values())} killed: {killed}", flush=True)
    return sum(killed.values())


def begin(work: Work, folder: Path) -> int:
    """A process that does a work, by its number."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work.do(folder)
        code = 0
    finally:
        os._exit(code)  # without cleaning up what is the parent's


def finish(work: Work, folder: Path) -> None:
    assert os.waitstatus_to_exitcode(os.waitpid(begin(work, folder), 0)[1]) == 0


def kill(process: int, seconds: float) -> int:
    """Kill a process after a time; 1 where it was at work yet."""
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    return int(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL)


def kill_compiler(luck: random.Random, folder: Path, cache: Path) -> int:
    """Kill a process that compiles, and see that the next one gets by; 1 where it was at work yet."""
    (folder / "rules.py").write_text(RULES.format(number=luck.randrange(1, 1 << 30)))
    command = [sys.executable, "-c", COMPILER, str(folder)]
    here = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "ZEROSUM_CACHE": str(cache)}
    process = subprocess.Popen(command, env=here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(luck.uniform(0.0, 4.0))
    process.kill()
    done = subprocess.run(command, env=here, capture_output=True, text=True)
    assert done.stdout.strip() == "some_score", done.stderr
    return int(process.wait() == -signal.SIGKILL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("injected", "random"))
    parser.add_argument("--only", choices=[*WORKS, COMPILING], help="one work; all if not given")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kills", type=int, default=100, help="of random ones")
    wanted = parser.parse_args()
    if wanted.kind == "injected":
        deaths = injected([wanted.only] if wanted.only else [*WORKS], wanted.seed)
    else:
        names = [wanted.only] if wanted.only else [*WORKS, COMPILING]
        deaths = random_kills(names, wanted.seed, wanted.kills)
    print(json.dumps({"kind": wanted.kind, "kills": deaths, "lost": 0, "different": 0}))


if __name__ == "__main__":
    main()
