"""Listeners: everything that training tells is written down, once."""

from __future__ import annotations

import struct
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import pytest
from matplotlib.figure import Figure
from PIL import Image
from tensorboard.summary.writer.record_writer import RecordWriter

from zerosum.core.errors import ZerosumError
from zerosum.learn.events import tensorboard_events
from zerosum.learn.events.listeners import (
    Checked,
    Contest,
    Ended,
    Iterated,
    JsonLines,
    Listeners,
    Measure,
    Moment,
    OnEvent,
    Progressed,
    Started,
    Warned,
)
from zerosum.learn.events.plot import MEASURES, _panels, _usual_axis, plot_runs
from zerosum.learn.events.tensorboard_events import TensorBoard
from zerosum.learn.run.metrics import read_lines
from zerosum.learn.run.run import Run


def tell(listener: OnEvent, iterations: range) -> None:
    listener(Started(Moment(iterations.start - 1, 0.0)))
    for iteration in iterations:
        listener(Progressed("self-play", 5, 10))
        moment = Moment(iteration, iteration / 2)
        listener(Iterated(moment, {"policy_loss": 2.0 / iteration, "value_loss": 1.0 / iteration}))
        listener(Checked(moment, Contest("mcts:100", iteration, 1, 2, (iteration, 0, 1), (0, 1, 1))))
        listener(Checked(moment, Measure("optimal_moves", iteration / 10, positions=200)))
    listener(Ended(Moment(iterations.stop - 1, 1.0), "the budget is used"))
    if isinstance(listener, TensorBoard):
        listener.close()


def test_lines_say_what_was_told(tmp_path: Path) -> None:
    tell(JsonLines(tmp_path / "m"), range(1, 3))
    lines = read_lines(tmp_path / "m")
    assert [line["kind"] for line in lines] == ["learning", "strength", "strength"] * 2
    when = {"iteration": 2, "minutes": 1.0}
    seats = {"as_first": [2, 0, 1], "as_second": [0, 1, 1]}
    assert lines[3:] == [
        {"kind": "learning", **when, "policy_loss": 1.0, "value_loss": 0.5},
        {"kind": "strength", **when, "opponent": "mcts:100", "wins": 2, "draws": 1, "losses": 2, **seats},
        {"kind": "strength", **when, "measure": "optimal_moves", "share": 0.2, "positions": 200},
    ]


def test_what_is_no_number_becomes_null_and_warnings_are_lines(tmp_path: Path) -> None:
    lines = JsonLines(tmp_path / "m")
    lines(Iterated(Moment(1, 0.5), {"policy_loss": float("nan")}))
    lines(Warned(Moment(1, 0.5), "something is wrong"))
    metrics, warning = read_lines(tmp_path / "m")
    assert metrics["policy_loss"] is None
    assert warning == {"kind": "warning", "iteration": 1, "minutes": 0.5, "text": "something is wrong"}


def test_many_listeners_are_one(tmp_path: Path) -> None:
    tell(JsonLines(tmp_path / "alone"), range(1, 4))
    both = Listeners([JsonLines(tmp_path / "a"), Listeners([JsonLines(tmp_path / "b")])])
    tell(both, range(1, 4))
    assert read_lines(tmp_path / "a") == read_lines(tmp_path / "b") == read_lines(tmp_path / "alone")


def events_in(folder: Path) -> list[tuple[int, str, float]]:
    """Step, tag and number of each event, read record by record as TFRecord files are laid out."""
    from tensorboard.compat.proto.event_pb2 import Event

    found = []
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        while data:
            (length,) = struct.unpack("<Q", data[:8])
            event = Event.FromString(data[12 : 12 + length])
            found += [(event.step, value.tag, value.simple_value) for value in event.summary.value]
            data = data[16 + length :]
    return found


def test_events_hold_the_same_numbers(tmp_path: Path) -> None:
    tell(TensorBoard(tmp_path / "events"), range(1, 3))
    events = events_in(tmp_path / "events")
    assert [(step, tag) for step, tag, _ in events] == [
        (step, tag)
        for step in (1, 2)
        for tag in (
            "learning/policy_loss",
            "learning/value_loss",
            "strength/against mcts:100",
            "strength/optimal_moves",
        )
    ]
    assert [value for _, tag, value in events if tag == "strength/against mcts:100"] == [0.375, 0.5]


def test_tensorboard_forgets_what_a_resumed_run_does_again(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    tell(TensorBoard(tmp_path), range(1, 5))
    tell(TensorBoard(tmp_path), range(3, 4))
    shown = EventAccumulator(str(tmp_path))
    shown.Reload()
    assert [event.step for event in shown.Scalars("learning/policy_loss")] == [1, 2, 3]


def test_events_that_find_no_room_are_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def full(file: BinaryIO) -> RecordWriter:
        file.close()
        return RecordWriter(open("/dev/full", "wb"))

    monkeypatch.setattr(tensorboard_events, "RecordWriter", full)
    with closing(TensorBoard(tmp_path)) as board, pytest.raises(ZerosumError, match="the disk is full"):
        board(Started(Moment(0, 0.0)))
    assert capfd.readouterr() == ("", "")


def test_events_before_the_start_are_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="training has not started"):
        TensorBoard(tmp_path)(Iterated(Moment(1, 0.0), {"policy_loss": 1.0}))


def run_in(folder: Path, iterations: int) -> Run:
    run = Run.create("connect4", "alphazero", 1, {}, folder)
    tell(JsonLines(run.metrics_path), range(1, iterations + 1))
    return run


def test_curves_become_a_picture(tmp_path: Path) -> None:
    runs = [run_in(tmp_path / "one", 10), run_in(tmp_path / "two", 5)]
    for chosen, by in ((runs[:1], "minutes"), (runs, "iteration")):
        plot_runs(chosen, tmp_path / "curves.png", by)
        with Image.open(tmp_path / "curves.png") as picture:
            assert picture.format == "PNG"
            assert len(picture.convert("RGB").getcolors(1 << 24) or []) > 100


def test_runs_that_count_episodes_are_drawn_by_them(tmp_path: Path) -> None:
    run = Run.create("qubic", "dqn", 1, {}, tmp_path / "run")
    lines = JsonLines(run.metrics_path)
    metrics = {"td_gap": 0.2, "wins_against_random_first": 0.7, "episodes": 250.0}
    lines(Iterated(Moment(1, 0.5), metrics))
    lines(Checked(Moment(1, 0.6), Contest("random", wins=3, draws=1, losses=2)))
    assert _usual_axis([run]) == "episodes"
    assert _usual_axis([run, run_in(tmp_path / "other", 3)]) == "minutes"
    panels = [panel for panel in _panels([run], "episodes", MEASURES) if panel.curves]
    assert [panel.is_share for panel in panels] == [False, True, True]
    assert all(curve.when.tolist() == [250.0] for panel in panels for curve in panel.curves)


@pytest.mark.parametrize(("last", "scale"), [(0.01, "log"), (0.0, "linear")])
def test_nash_conv_falls_on_a_log_axis_unless_it_is_zero(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: float, scale: str
) -> None:
    run = Run.create("invisible-tictactoe", "cfr", 1, {}, tmp_path / "run")
    for iteration, nash_conv in enumerate((1.5, 0.1, last), start=1):
        JsonLines(run.metrics_path)(Iterated(Moment(iteration, 1.0), {"nash_conv": nash_conv}))
    drawn: list[Figure] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: drawn.append(figure))
    plot_runs([run], tmp_path / "curves.png", "iteration")
    assert {axes.get_title(loc="left"): axes.get_yscale() for axes in drawn[0].axes} == {"NashConv": scale}


def test_a_run_without_metrics_cannot_be_plotted(tmp_path: Path) -> None:
    with pytest.raises(ZerosumError, match=r"nothing to plot yet in .*empty"):
        plot_runs([run_in(tmp_path / "empty", 0)], tmp_path / "curves.png")
    with pytest.raises(ZerosumError, match=r"cannot write .*curves\.png: No such file"):
        plot_runs([run_in(tmp_path / "one", 3)], tmp_path / "nowhere" / "curves.png")
