"""Metrics as TensorBoard events: ``tensorboard --logdir runs`` shows every run side by side."""

from __future__ import annotations

import time
from pathlib import Path

from zerosum.core.errors import ZerosumError
from zerosum.learn.events.listeners import Contest, Measure, Metrics, Moment

try:
    from tensorboard.compat.proto.event_pb2 import Event, SessionLog
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.event_file_writer import EventFileWriter
except ImportError as error:
    raise ZerosumError("events need tensorboard; install it with: pip install 'zerosum[learn]'") from error


class TensorBoard:
    """Writes events into a folder, which is made when training begins."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: EventFileWriter | None = None

    def on_start(self, moment: Moment) -> None:
        self._writer = EventFileWriter(str(self._folder))
        # TensorBoard forgets what came later than a start: that iteration is done again.
        again = SessionLog(status=SessionLog.START)
        self._write(Event(step=moment.iteration + 1, session_log=again))

    def on_progress(self, stage: str, done: int, total: int) -> None:
        """Nothing to write before the iteration is over."""

    def on_metrics(self, moment: Moment, metrics: Metrics) -> None:
        self._write_numbers(moment, {f"learning/{name}": value for name, value in metrics.items()})

    def on_strength(self, moment: Moment, strength: Contest | Measure) -> None:
        if isinstance(strength, Measure):
            self._write_numbers(moment, {f"strength/{strength.measure}": strength.share})
        else:
            games = strength.wins + strength.draws + strength.losses
            score = (strength.wins + strength.draws / 2) / games
            self._write_numbers(moment, {f"strength/against {strength.opponent}": score})

    def on_warning(self, moment: Moment, text: str) -> None:
        """Nothing to write: events hold numbers."""

    def on_end(self, moment: Moment, reason: str) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _write_numbers(self, moment: Moment, numbers: Metrics) -> None:
        values = [Summary.Value(tag=tag, simple_value=number) for tag, number in numbers.items()]
        self._write(Event(step=moment.iteration, summary=Summary(value=values)))

    def _write(self, event: Event) -> None:
        if self._writer is None:
            raise RuntimeError("on_start comes first")
        event.wall_time = time.time()
        self._writer.add_event(event)
        self._writer.flush()  # a process that is killed has told what it knew
