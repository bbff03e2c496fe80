"""Metrics as TensorBoard events: ``tensorboard --logdir runs`` shows every run side by side."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from zerosum.core.errors import ZerosumError
from zerosum.core.files import cannot
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
    from tensorboard.summary.writer.event_file_writer import EventFileWriter
except ImportError as error:
    raise ZerosumError("events need tensorboard; install it with: pip install 'zerosum[learn]'") from error


class TensorBoard:
    """Writes events into a folder, which is made when training begins."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: EventFileWriter | None = None

    def __call__(self, event: Event) -> None:
        match event:
            case Started(moment):
                try:
                    self._writer = EventFileWriter(str(self._folder))
                except OSError as error:
                    raise cannot(f"write {self._folder}", error) from error
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

    def _write_numbers(self, moment: Moment, numbers: Metrics) -> None:
        values = [Summary.Value(tag=tag, simple_value=number) for tag, number in numbers.items()]
        self._write(Record(step=moment.iteration, summary=Summary(value=values)))

    def _write(self, record: Record) -> None:
        if self._writer is None:
            raise RuntimeError("training has not started")
        record.wall_time = time.time()
        try:
            self._writer.add_event(record)
            self._writer.flush()  # a process that is killed has told what it knew
        except OSError as error:
            raise cannot(f"write {self._folder}", error) from error
