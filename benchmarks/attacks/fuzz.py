"""Fuzz everything that is typed or read from files: each input is taken or refused in a word.

    .venv/bin/python -m benchmarks.attacks.fuzz --inputs 1000000 --files 10000 --seed 1
    .venv/bin/python -m benchmarks.attacks.fuzz --only levels --files 100000   # one, as long as one likes

What ends otherwise is kept in the folder ``fuzz-failures``, so that it can be tried again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzz import Mutator, Target, attack, file_targets, text_targets

FAILURES = Path("fuzz-failures").resolve()
TURN = 0.2  # seconds of the processor's time for one target
SLOW = 5.0  # seconds; what takes longer is told
TOLD = 15.0  # seconds between words about how far it is


class Fuzzing:
    """Attacks targets in turn, and counts."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.inputs = self.taken = self.failed = 0
        self.slowest = 0.0
        self.told = time.monotonic()
        self.thread = ThreadPoolExecutor(max_workers=1)  # gives back whatever was raised

    def attack_all(self, targets: dict[str, Target], inputs: int) -> None:
        """So many inputs, the same time for every target; the n-th of each is the same for the same seed."""
        mutators = {name: Mutator(f"{self.seed} {name}") for name in targets}
        for name, target in targets.items():
            for whole in target.wholes:
                self.attack_once(name, target, whole)
        while inputs > 0:
            for name, target in targets.items():
                began = time.process_time()
                while inputs > 0 and time.process_time() - began < TURN:
                    self.attack_once(name, target, mutators[name].spoil(target.wholes))
                    inputs -= 1

    def attack_once(self, name: str, target: Target, data: bytes) -> None:
        began = time.monotonic()
        self.inputs += 1
        ended = self.thread.submit(attack, target, data)
        error = ended.exception()
        if error is None:
            self.taken += ended.result()
        else:
            self.failed += 1
            self._keep(name, data, error)
        took = time.monotonic() - began
        self.slowest = max(self.slowest, took)
        if took > SLOW:
            print(f"{name}: {took:.1f} s for {data[:200]!r}", flush=True)
        if time.monotonic() - self.told > TOLD:
            self.told = time.monotonic()
            print(
                f"{self.inputs:,} inputs, {self.taken:,} taken, {self.failed} failed; at {name}", flush=True
            )

    def _keep(self, name: str, data: bytes, error: BaseException) -> None:
        FAILURES.mkdir(exist_ok=True)
        file = FAILURES / f"{name.replace(' ', '-')}-{self.failed}"
        file.write_bytes(data)
        print(f"{name}: {type(error).__name__}: {str(error)[:200]} ({file})", flush=True)
        if self.failed <= 20:
            traceback.print_exception(error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=0, help="texts as people type them")
    parser.add_argument("--files", type=int, default=0, help="files of every format")
    parser.add_argument("--only", help="one target by its name")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    sys.path.insert(0, str(Path.cwd()))
    os.chdir(tempfile.mkdtemp(prefix="fuzz-here-"))
    result = {}
    for kind, inputs, make in (
        ("inputs", wanted.inputs, text_targets),
        ("files", wanted.files, file_targets),
    ):
        if not inputs:
            continue
        targets = {name: target for name, target in make().items() if wanted.only in (None, name)}
        fuzzing = Fuzzing(wanted.seed)
        fuzzing.attack_all(targets, inputs)
        figures = {"tried": fuzzing.inputs, "taken": fuzzing.taken, "failed": fuzzing.failed}
        result[kind] = figures | {"targets": len(targets), "slowest_seconds": round(fuzzing.slowest, 2)}
    print(json.dumps(result))
    sys.exit(any(part["failed"] for part in result.values()))


if __name__ == "__main__":
    main()
