"""A run: a directory with everything that one training was, is and needs to go on.

``settings.json`` (what is trained, how, from which seed), ``metrics.jsonl``, ``events`` (TensorBoard),
``checkpoint-*`` (see checkpoint.py), what players load, such as a network, ``snapshots`` of that over its
life, ``finished`` once training came to its end, and ``lock``, which the process that trains holds.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from zerosum.core.errors import Untrusted
from zerosum.core.game import Game
from zerosum.core.naming.loading import split_path
from zerosum.core.running.files import (
    DRAFT,
    cannot,
    has_content,
    json_bytes,
    read_text,
    replace_file,
    sync_file,
)
from zerosum.games import make_game, ships
from zerosum.learn.run.checkpoint import (
    Arrays,
    Checkpoint,
    Facts,
    folder_of,
    iterations_in,
    read_checkpoint,
    write_checkpoint,
)
from zerosum.learn.run.metrics import Line, cut_back, read_lines
from zerosum.learn.run.record import (
    FORMAT,
    LOCK,
    Record,
    Stage,
    make_folder,
    read_record,
    refuse_used,
)
from zerosum.learn.run.snapshots import keep_snapshot
from zerosum.learn.run.surroundings import commit, differences, surroundings, version
from zerosum.learn.settings.base import flat
from zerosum.players.common.player import Player
from zerosum.players.common.registry import make_player
from zerosum.players.common.registry import ships as player_ships
from zerosum.players.common.runs import RUNS, SETTINGS, BadRun, find_run

PATIENCE = 0.3  # seconds; someone who only looks holds the lock for a moment


class Run:
    """An open run. Reading needs nothing more; what changes the run is done inside ``claim``.

    >>> import zerosum
    >>> run = zerosum.train("tictactoe", method="value-iteration")
    >>> run
    Run('tictactoe-value-iteration-1': tictactoe by value-iteration, finished)
    >>> zerosum.play_match("tictactoe", run.player(), "solver", games=2).total.draws
    2
    >>> sorted({line["kind"] for line in run.metrics()})  # pandas.DataFrame(run.metrics()) reads it
    ['learning', 'strength']
    """

    def __init__(self, path: Path, record: Record) -> None:
        self.path = path
        self.record = record
        self._claimed = False
        self.trusted = False  # whether Python files that it names, such as its game, may be run
        self.named: tuple[str, ...] = ()  # those of them that may be, because somebody named them otherwise

    @classmethod
    def create(
        cls,
        game: str,
        method: str,
        seed: int,
        settings: Mapping[str, Any],
        path: Path | None = None,
        preset: str = "",
        started_from: str = "",
    ) -> Run:
        """A new run, in an empty folder: the one given, or ``runs/game-method-number``."""
        record = Record(
            format=FORMAT,
            game=game,
            method=method,
            seed=seed,
            created=datetime.now(UTC).isoformat(),
            version=version("zerosum"),
            commit=commit(),
            made_with=surroundings(),
            settings=dict(settings),
            preset=preset,
            started_from=started_from,
        )
        try:
            run = cls(make_folder(path, game, method), record)
            run.trusted = True  # what it names was named to us
            with run.claim():  # of several processes that are given one folder, one gets it
                refuse_used(run.path)
                run._sweep()
                run._replace(SETTINGS, json_bytes(record.as_json()))
        except OSError as error:
            raise cannot(f"make the run {path or RUNS}", error) from error
        return run

    @classmethod
    def open(cls, name: str | Path) -> Run:
        """The run of a path, or of a name in ``runs``."""
        path = find_run(name)
        return cls(path, read_record(path))

    @property
    def name(self) -> str:
        """What ``open`` finds it by: the folder's name alone in ``runs``, its path elsewhere."""
        return self.path.name if self.path.parent == RUNS else str(self.path)

    @property
    def metrics_path(self) -> Path:
        return self.path / "metrics.jsonl"

    @property
    def events_path(self) -> Path:
        return self.path / "events"

    def __repr__(self) -> str:
        return f"Run({self.name!r}: {self.record.game} by {self.record.method}, {self.state()})"

    def player(self, value: int | float | str = "", **options: object) -> Player:
        """What was learnt, as a player: ``run.player(400, t=0.5)`` is 'alphazero:400,t=0.5@RUN'."""
        parts = [str(value), *(f"{key}={option}" for key, option in options.items())]
        said = ",".join(filter(None, parts))
        spec = f"{self.record.method}{':' * bool(said)}{said}@{self.path}"
        return make_player(spec, self.game([self.record.method]))

    def game(self, players: Sequence[str] = (), learns: bool = False) -> Game:
        """The game that the run is about; raises Untrusted as ``refuse_code`` does."""
        self.refuse_code(players, learns)
        return make_game(self.record.game)

    def refuse_code(self, players: Sequence[str], learns: bool = False) -> None:
        """Refuse Python files that the record names, as its game or as players, unless it is trusted.

        Who learns on makes the network again, which may be a file too.
        """
        foreign = [] if ships(self.record.game) else [self.record.game]
        network = str(self.record.settings.get("network", ""))
        foreign += [network] if learns and split_path(network)[0] is not None else []
        foreign += [player for player in players if not player_ships(player)]
        unknown = [name for name in foreign if name not in self.named]
        if unknown and not self.trusted:
            raise Untrusted(str(self.path / SETTINGS), unknown[0])

    def metrics(self) -> list[Line]:
        """Every line of metrics so far, in order: a table, a dictionary a row."""
        return read_lines(self.metrics_path)

    def require(self, method: str) -> None:
        """Refuse a run that another method trained."""
        if self.record.method != method:
            raise BadRun(f"{self.path} was trained by {self.record.method}, not by {method}")

    @contextmanager
    def claim(self) -> Iterator[None]:
        """Be the one process that trains this run; the claim ends with the block, or with the process."""
        try:
            descriptor = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise cannot(f"train {self.path}", error) from error
        try:
            deadline = time.monotonic() + PATIENCE
            while not _lock(descriptor):
                if time.monotonic() > deadline:
                    raise BadRun(f"{self.path} is being trained by another process; wait, or stop it")
                time.sleep(PATIENCE / 10)
            self._claimed = True
            os.truncate(descriptor, 0)
            os.write(descriptor, str(os.getpid()).encode())  # for whoever wants it to stop
            yield
        finally:
            self._claimed = False
            os.close(descriptor)

    def save(self, iteration: int, arrays: Arrays, facts: Facts) -> None:
        """Add the checkpoint of an iteration, later than those before; afterwards it is what ``load`` gives.

        Tell the listeners about the iteration first: on resuming, metrics are cut back to the checkpoint.
        """
        self._require_claim()
        saved = iterations_in(self.path)
        if saved and iteration <= saved[-1]:
            raise ValueError(f"iteration {iteration} is not after {saved[-1]}, which is saved already")
        try:
            if self.metrics_path.exists():
                sync_file(self.metrics_path)
            write_checkpoint(self.path, self.record.owner(), iteration, arrays, facts)
        except OSError as error:
            self._sweep()
            there = f"iteration {saved[-1]} is safe" if saved else "nothing was saved before"
            raise cannot(f"save iteration {iteration} of {self.path} ({there})", error) from error

    def publish(self, file: str, data: bytes) -> None:
        """Put a file for players, such as a network, into the run, unless it is there just so.

        It is replaced whole or not at all.
        """
        self._require_claim()
        if not has_content(self.path / file, data):
            self._replace(file, data)

    def keep_snapshot(self, iteration: int, minutes: float, files: Mapping[str, bytes]) -> None:
        """Keep what players load, for the time machine, as often as snapshots.py says."""
        self._require_claim()
        keep_snapshot(self.path, iteration, minutes, files)

    def load(self, parts: Collection[str] | None = None) -> Checkpoint | None:
        """The latest checkpoint, or None before the first.

        With ``parts``, only arrays whose names begin with these, as 'weights' of 'weights/dense'. Raises
        BadRun on one that is damaged or of another run, and says whether the one before is whole.
        """
        saved = iterations_in(self.path)
        if not saved:
            return None
        try:
            return read_checkpoint(folder_of(self.path, saved[-1]), self.record.owner(), parts)
        except BadRun as error:
            raise BadRun(f"{error}; {self._way_out(saved)}") from None

    def resume(self) -> Checkpoint | None:
        """What ``load`` gives, with all that came after it forgotten: where learning goes on."""
        self._require_claim()
        checkpoint = self.load()
        try:
            (self.path / "finished").unlink(missing_ok=True)
            cut_back(self.metrics_path, checkpoint.iteration if checkpoint else -1)
        except OSError as error:
            raise cannot(f"resume {self.path}", error) from error
        self._sweep()
        return checkpoint

    def finish(self, reason: str) -> None:
        """Note that training came to its end, and why."""
        self._require_claim()
        self._replace("finished", f"{reason}\n".encode())

    def change_settings(self, settings: Mapping[str, Any]) -> None:
        """Write other settings, such as a larger budget, for the rest of the run; the old are noted."""
        self._require_claim()
        now = flat(settings)
        old = {path: value for path, value in flat(self.record.settings).items() if now.get(path) != value}
        if not old:
            return
        stage = Stage(until_iteration=max(iterations_in(self.path), default=0), settings=old)
        stages = (*self.record.earlier, stage)
        record = self.record.model_copy(update={"settings": dict(settings), "earlier": stages})
        self._replace(SETTINGS, json_bytes(record.as_json()))
        self.record = record

    def warnings(self) -> Iterator[str]:
        """What the user should know who goes on with the run here."""
        changed = differences(self.record.made_with)
        if changed:
            yield (
                f"the run was begun with other things ({'; '.join(changed)}): it goes on, but not number for "
                "number as it would have gone on there"
            )

    def state(self) -> str:
        """'running', 'finished' or 'stopped'."""
        if self._claimed or self._is_locked():
            return "running"
        return "finished" if (self.path / "finished").exists() else "stopped"

    def trainer(self) -> int | None:
        """The process that trains this run; None where none does, or it did not say."""
        if not self._is_locked():
            return None
        text = read_text(self.path / LOCK).strip()
        return int(text) if re.fullmatch(r"[1-9][0-9]{0,9}", text) and text != "1" else None

    def _is_locked(self) -> bool:
        try:
            descriptor = os.open(self.path / LOCK, os.O_RDONLY)
        except OSError:  # never trained
            return False
        try:
            return not _lock(descriptor)
        finally:
            os.close(descriptor)

    def _replace(self, name: str, data: bytes) -> None:
        try:
            replace_file(self.path / name, data)
        except OSError as error:
            raise cannot(f"write {self.path / name}", error) from error

    def _require_claim(self) -> None:
        if not self._claimed:
            raise RuntimeError("a run is changed inside `with run.claim():` only")

    def _sweep(self) -> None:
        """Take away what a process that was killed left half written."""
        for draft in self.path.glob(f"*{DRAFT}"):
            if draft.is_dir():
                shutil.rmtree(draft, ignore_errors=True)
            else:
                with suppress(OSError):
                    draft.unlink()

    def _way_out(self, saved: list[int]) -> str:
        latest = folder_of(self.path, saved[-1])
        if len(saved) > 1:
            with suppress(BadRun):
                read_checkpoint(folder_of(self.path, saved[-2]), self.record.owner())
                return f"iteration {saved[-2]} before it is whole: to go on from there, delete {latest}"
        return "there is no whole checkpoint before it"


def _lock(descriptor: int) -> bool:
    """Lock an open file for this process, unless another holds it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
