"""Metrics as TensorBoard events: ``tensorboard --logdir runs`` shows every run side by side."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from zerosum.core.errors import ZerosumError
from zerosum.core.running.files import cannot
from zerosum.learn.events.listeners import (
    Checked,
    Contest,
    Event,
    Iterated,
    Measure,
    Metrics,
    Moment,
    Started,
)

try:
    from tensorboard.compat.proto.event_pb2 import Event as Record
    from tensorboard.compat.proto.event_pb2 import SessionLog
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.record_writer import RecordWriter
except ImportError as error:
    raise ZerosumError("events need tensorboard; install it with: pip install 'zerosum[learn]'") from error

FILE = "events.out.tfevents"  # how the names of files begin that TensorBoard reads
VERSION = "brain.Event:2"  # of their format, which is what the first record says


class TensorBoard:
    """Writes events into a folder, which is made when training begins."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: RecordWriter | None = None

    def __call__(self, event: Event) -> None:
        match event:
            case Started(moment):
                self._begin()
                # TensorBoard forgets what came later than a start: that iteration is done again.
                again = SessionLog(status=SessionLog.START)
                self._write(Record(step=moment.iteration + 1, session_log=again))
            case Iterated(moment, metrics):
                self._write_numbers(moment, {f"learning/{name}": value for name, value in metrics.items()})
            case Checked(moment, Measure(measure, share)):
                self._write_numbers(moment, {f"strength/{measure}": share})
            case Checked(moment, Contest(opponent, wins, draws, losses)):
                score = (wins + draws / 2) / (wins + draws + losses)
                self._write_numbers(moment, {f"strength/against {opponent}": score})

    def close(self) -> None:
        """Let go of the file, however training ended."""
        if self._writer is not None:
            with suppress(OSError):  # of a full disk whoever writes has told already
                self._writer.close()
            self._writer = None

    def _begin(self) -> None:
        """Open a file of its own, for a run that begins or goes on: files are read in the order of names.

        TensorBoard's own writer has a thread, which on a full disk dies with a stack trace.
        """
        seconds, rest = divmod(time.time_ns(), 10**9)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file = (self._folder / f"{FILE}.{seconds:010d}.{rest:09d}.{os.getpid()}").open("xb")
        except OSError as error:
            raise cannot(f"write {self._folder}", error) from error
        self._writer = RecordWriter(file)
        self._write(Record(file_version=VERSION))

    def _write_numbers(self, moment: Moment, numbers: Metrics) -> None:
        values = [Summary.Value(tag=tag, simple_value=number) for tag, number in numbers.items()]
        self._write(Record(step=moment.iteration, summary=Summary(value=values)))

    def _write(self, record: Record) -> None:
        if self._writer is None:
            raise RuntimeError("training has not started")
        record.wall_time = time.time()
        try:
            self._writer.write(record.SerializeToString())
            self._writer.flush()  # a process that is killed has told what it knew
        except OSError as error:
            raise cannot(f"write {self._folder}", error) from error
