"""Commands that get a signal at a place of one's choice: at the n-th time that a line of Python is run.

A process in which all is loaded makes a copy of itself for each try, which is at work at once. It is asked in
JSON, a line a try, and answers in JSON. Without a place it tells which lines are run, and how often.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, Self

from tests.learn.made_runs import environment
from zerosum.arena.records.files import read_records
from zerosum.arena.records.record import GameRecord

ROOT = Path(__file__).parents[2]
# Where most of the time is spent, reading the command line; what is called from there is looked at.
PASSED_OVER = ("typing.py", "typing_extensions.py", "inspect.py", "copy.py", "_emoji_codes.py", "/typer/")


TOURNAMENT = (
    "tournament",
    "tictactoe",
    "random",
    "greedy",
    "--games=4",
    "--workers=1",
    "--state=state.jsonl",
)


class Place(NamedTuple):
    file: str
    line: int
    time: int  # from 1


NOWHERE = Place("", 0, 0)


class Ended(NamedTuple):
    code: int  # as a shell sees it; negative where a signal ended it that nobody caught
    out: str
    err: str


class Places:
    """The process that makes the copies, inside ``with``."""

    def __enter__(self) -> Self:
        here = environment()
        here["PYTHONPATH"] += f"{os.pathsep}{ROOT}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.places"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=here,
        )
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.communicate()

    def passed(self, words: Sequence[str], folder: Path) -> list[Place]:
        """Each line that the command runs in its main thread, with the number of times."""
        ended = self._ask(words, folder)
        assert ended.code == 0, ended.err
        counts = json.loads((folder / "places.json").read_text())
        return [Place(*place) for place in counts]

    def interrupt(self, words: Sequence[str], folder: Path, place: Place, number: int) -> Ended:
        """How a command ends that gets a signal at a place."""
        return self._ask(words, folder, place=place, number=number)

    def _ask(self, words: Sequence[str], folder: Path, **more: object) -> Ended:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(
            json.dumps({"words": words, "folder": str(folder), **more}), file=self.process.stdin, flush=True
        )
        code = int(self.process.stdout.readline())
        return Ended(code, (folder / "out").read_text(), (folder / "err").read_text())


def assert_stopped(ended: Ended, number: int, place: Place) -> None:
    """By the signal, in a word; before anybody listens, only Ctrl-C comes to Python at all, and once all is
    done nothing is there to be stopped."""
    unheard = number != signal.SIGINT and ended.code == -number and not ended.err
    done = ended.code == 0 and Path(place.file).name == "__main__.py"
    assert unheard or done or ended.code == 128 + number, (place, ended)
    assert unheard or done or ended.err.splitlines()[-1] == "stopped", (place, ended)
    assert "Traceback" not in ended.err, (place, ended)


def kept_games(folder: Path) -> list[GameRecord]:
    records = read_records(folder / "state.jsonl").records
    return sorted(records, key=lambda record: (record.players, record.number))


def copy_itself(asked: dict[str, Any]) -> int:
    """Do what is asked in a copy of this process; its exit code."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.chdir(asked["folder"])
    for descriptor, path in enumerate((os.devnull, "out", "err")):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC), descriptor)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    sys.argv = ["zerosum", *asked["words"]]
    from zerosum.__main__ import main

    counts: Counter[tuple[str, int]] = Counter()
    wanted = Place(*asked["place"]) if "place" in asked else None

    def look(frame: FrameType, event: str, argument: object) -> Any:
        return None if any(part in frame.f_code.co_filename for part in PASSED_OVER) else count

    def count(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            place = (frame.f_code.co_filename, frame.f_lineno)
            counts[place] += 1
            if wanted and place == wanted[:2] and counts[place] == wanted.time:
                sys.settrace(None)
                os.kill(os.getpid(), asked["number"])  # what comes of it is raised here, as if there
        return count

    sys.settrace(look)
    try:
        main()
    finally:
        sys.settrace(None)
        if wanted is None:
            Path("places.json").write_text(json.dumps([[*place, times] for place, times in counts.items()]))
    return 0


def serve() -> None:
    from zerosum.games import make_game
    from zerosum.players.common.registry import make_player

    game = make_game("tictactoe")
    for player in ("random", "greedy", "mcts:10"):
        make_player(player, game)
    while line := sys.stdin.readline():
        print(copy_itself(json.loads(line)), flush=True)


if __name__ == "__main__":
    serve()
