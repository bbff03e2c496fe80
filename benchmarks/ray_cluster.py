"""Training on Ray against training on threads: the same run, whatever dies.

pip install 'zerosum[ray]', then: python benchmarks/ray_cluster.py equal | killed | node | driver

- equal: metrics, checkpoint and network are the same byte for byte (the pool's name in the settings apart);
- killed: the same while workers are killed -9, twenty times in all;
- node: the same in a cluster of two nodes, one of which is removed in mid-iteration;
- driver: the same when the process that learns is killed -9 and the run is resumed.

benchmarks/scaling.py measures what it costs.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import zerosum
from zerosum.learn.run.metrics import without_times

SMALL = {
    "workers": 2,
    "selfplay.positions": 400,
    "selfplay.games_at_once": 64,
    "search.simulations": 8,
    "budget.minutes": None,
    "budget.iterations": 3,
    "evaluation.opponents": ["random"],
    "evaluation.games": 4,
    "evaluation.every_iterations": 2,
    "evaluation.solved_positions": 0,
    "gate.share": 0.5,
    "gate.games": 4,
}


def trained(pool: str, folder: Path, game: str = "tictactoe", **more: Any) -> zerosum.Run:
    settings = SMALL | {"pool": pool} | more
    return zerosum.train(game, settings=settings, run=folder, seed=3)


def same(first: zerosum.Run, second: zerosum.Run) -> bool:
    """Whether two runs measured and saved the same, times and the pool's name apart."""
    lines = [[without_times(line) for line in run.metrics()] for run in (first, second)]
    saved = [run.load() for run in (first, second)]
    if lines[0] != lines[1] or saved[0] is None or saved[1] is None:
        return False
    ours, theirs = saved[0].arrays, saved[1].arrays
    return ours.keys() == theirs.keys() and all(
        np.array_equal(ours[name], theirs[name]) for name in ours if name != "playing"
    )


def ray_workers() -> list[int]:
    """Processes of this user's that run an actor of the pool."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:  # it has ended
            continue
        if command.startswith(b"ray::Actor"):
            found.append(int(folder.name))
    return found


def killing(kills: int, seconds: float, stop: threading.Event) -> list[int]:
    """Kill a worker every so often, until so many are dead; returns whom."""
    killed: list[int] = []
    while len(killed) < kills and not stop.wait(seconds):
        alive = [pid for pid in ray_workers() if pid not in killed]
        if alive:
            os.kill(alive[len(killed) % len(alive)], signal.SIGKILL)
            killed.append(alive[len(killed) % len(alive)])
    return killed


def with_trouble(
    folder: Path, trouble: Callable[[threading.Event], Any], **more: Any
) -> tuple[zerosum.Run, Any]:
    """A run on Ray while something happens in another thread, and what that says of itself."""
    stop, told = threading.Event(), []
    thread = threading.Thread(target=lambda: told.append(trouble(stop)))
    thread.start()
    try:
        run = trained("ray", folder, **more)
    finally:
        stop.set()
        thread.join()
    return run, told[0]


def equal(folder: Path) -> dict[str, Any]:
    return {"same": same(trained("threads", folder / "threads"), trained("ray", folder / "ray"))}


def killed(folder: Path) -> dict[str, Any]:
    more: dict[str, Any] = {"budget.iterations": 8, "selfplay.positions": 4000}
    quiet = trained("threads", folder / "threads", **more)
    run, dead = with_trouble(folder / "ray", lambda stop: killing(20, 3.0, stop), **more)
    return {"same": same(quiet, run), "killed": len(dead)}


def node(folder: Path) -> dict[str, Any]:
    import ray
    from ray.cluster_utils import Cluster

    more: dict[str, Any] = {"selfplay.positions": 8000}
    quiet = trained("threads", folder / "threads", **more)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    second = cluster.add_node(num_cpus=2)
    os.environ["RAY_ADDRESS"] = cluster.address

    def remove(stop: threading.Event) -> str:
        while not ray_workers() and not stop.wait(0.5):
            pass
        stop.wait(8.0)
        cluster.remove_node(second)
        return "removed"

    run, told = with_trouble(folder / "ray", remove, **more)
    ray.shutdown()
    cluster.shutdown()
    return {"same": same(quiet, run), "node": told}


def driver(folder: Path) -> dict[str, Any]:
    """The process that learns is killed -9 after its first checkpoint, and another goes on with the run."""
    more: dict[str, Any] = {"budget.iterations": 4, "selfplay.positions": 2000}
    quiet = trained("threads", folder / "threads", **more)
    program = (
        f"import sys; sys.path[:0] = [{str(Path(__file__).parent)!r}];"
        "from pathlib import Path; import ray_cluster;"
        f"ray_cluster.trained('ray', Path({str(folder / 'ray')!r}), **{more!r})"
    )
    first = subprocess.Popen([sys.executable, "-c", program])
    while first.poll() is None and not list((folder / "ray").glob("checkpoint-*/manifest.json")):
        time.sleep(0.2)
    first.kill()
    first.wait()
    killed_at = len(list((folder / "ray").glob("checkpoint-*/manifest.json")))
    run = zerosum.resume(folder / "ray")
    return {"same": same(quiet, run), "killed after checkpoints": killed_at}


def main(trial: str) -> None:
    trials = {"equal": equal, "killed": killed, "node": node, "driver": driver}
    folder = Path(tempfile.mkdtemp())
    try:
        print(json.dumps({trial: trials[trial](folder)}, indent=2))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "equal")
