"""What all commands share: where they print, how they show that they are busy, and how they end.

Results go to standard output; progress, notes and errors go to standard error, so that
``--json`` leaves exactly one object on standard output.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from zerosum.core.errors import BadSpec, shortened

if TYPE_CHECKING:
    from zerosum.core.game import Game
    from zerosum.core.picture import Picture
    from zerosum.core.running.watch import Watch
    from zerosum.core.state import State

# Names of games, players and files go through here, and may hold brackets and colons: nothing in a text is
# read as markup. What is to be bold says so with rich's Text or with style=.
out = Console(highlight=False, markup=False, emoji=False)
err = Console(stderr=True, highlight=False, markup=False, emoji=False)

LONGEST_NAME = 255  # bytes; of every usual file system
PATIENCE = 1.0  # seconds before a wait is worth a word


def print_json(data: dict[str, Any]) -> None:
    """One object on standard output."""
    sys.stdout.write(json.dumps(data) + "\n")


@contextmanager
def patience(message: str) -> Iterator[None]:
    """Say what is going on if it takes longer than a moment."""
    status = err.status(Text(message))
    timer = Timer(PATIENCE, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


def plain(console: Console) -> bool:
    """Whether a console cannot show more than ASCII."""
    return not console.encoding.lower().startswith("utf")


def require_ending(file: Path | None, *endings: str) -> None:
    """Refuse a file whose ending does not say one of the forms that can be written, or that has no place.

    This comes before the work, for nobody wants to hear of it hours later.
    """
    if file is None:
        return
    name = shortened(str(file))
    if file.suffix.lower() not in endings:
        raise BadSpec(f"cannot tell what to write from '{name}': its name must end in {' or '.join(endings)}")
    if len(os.fsencode(file.name)) > LONGEST_NAME:
        raise BadSpec(f"cannot write '{name}': names of files have {LONGEST_NAME} characters at most")
    if file.is_dir():
        raise BadSpec(f"cannot write '{name}': it is a folder")
    if not file.parent.is_dir():
        raise BadSpec(f"cannot write '{name}': there is no folder {shortened(str(file.parent))}")


def write_picture(file: Path, svg: str) -> None:
    """An SVG as it is, or as the PNG that the file's name asks for."""
    from zerosum.core.running.files import write_whole

    if file.suffix.lower() == ".svg":
        write_whole(file, svg.encode())
        return
    from zerosum.adapters.pixels import png_of

    write_whole(file, png_of(svg))


def print_board(console: Console, state: State) -> None:
    """A board with its colours where the console has them; rich must not count escape codes as width."""
    print_picture(console, state.game.picture(state))


def print_picture(console: Console, picture: Picture, hints: Mapping[int, str] | None = None) -> None:
    """The same of any picture, such as what one player sees; hints stand on its empty cells."""
    from zerosum.draw.text import draw_text

    drawn = draw_text(picture, console.is_terminal, hints, plain(console), console.width)
    console.print(Text.from_ansi(drawn), soft_wrap=True)


def load_game(spec: str) -> Game:
    """The game a spec names; the first time its rules are compiled, which takes some seconds."""
    with patience(f"compiling the rules of {spec} (only the first time)"):
        from zerosum.games import make_game

        return make_game(spec)


def load_named_game(spec: str, origin: str, trust: bool) -> Game:
    """The game that a file names: one of the package, unless the user trusts the file."""
    from zerosum.core.errors import Untrusted
    from zerosum.games import ships

    if not trust and not ships(spec):
        raise Untrusted(origin, spec)
    return load_game(spec)


class Caption(ProgressColumn):
    """What is being done: as it is, whatever is in it; or what the task says where it is empty."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def render(self, task: Task) -> Text:
        return Text(self.what or task.description)


def counting(what: str) -> Progress:
    """A bar for work of known length: how much is done, how long it took, how long it will take."""
    return Progress(
        Caption(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=err,
        transient=True,
    )


@contextmanager
def stages() -> Iterator[Callable[[str, float, float], None]]:
    """A bar for work in several stages: tell it what is done now, how much of it, and of how much."""
    with counting("") as progress:
        tasks: dict[str, TaskID] = {}

        def tell(what: str, done: float, total: float) -> None:
            if what not in tasks:
                for task in tasks.values():
                    progress.remove_task(task)
                tasks.clear()
                tasks[what] = progress.add_task(what, total=None)
            progress.update(tasks[what], completed=round(done), total=total)

        yield tell


@contextmanager
def watching(what: str, seconds: float | None = None, nodes: int | None = None) -> Iterator[Watch]:
    """A watch for a search of unknown length: shows the positions looked at and the time taken.

    It stops the search after so many seconds or positions.
    """
    from zerosum.core.running.watch import Watch

    columns = (
        SpinnerColumn(),
        Caption(what),
        TextColumn("{task.fields[nodes]:,} positions"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task(what, total=None, nodes=0)
        yield Watch(lambda done: progress.update(task, nodes=done), seconds, nodes)
