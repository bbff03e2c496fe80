"""How many sweeps and seconds exact methods need until a sweep changes nothing, and how they come closer.

Options: ``on`` (games), ``methods`` (names in ``learn/methods``).
"""

from __future__ import annotations

from time import thread_time

import numpy as np

from zerosum.games import make_game
from zerosum.learn.training.method import find_method
from zerosum.learn.value_iteration.loop import ValueIteration
from zerosum.learn.value_iteration.sweeps import Values
from zerosum.papers.figures import Figure, Row
from zerosum.papers.lab import Lab
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    for spec in option(entry, "on")[: 1 if lab.quick else None]:
        game = make_game(spec)
        by_sweep, by_second = [], []
        for method in option(entry, "methods"):
            way = find_method(method)
            learner = way.learner(game, way.settings_for(spec, "fast", ()), 0)
            if not isinstance(learner, ValueIteration):
                raise TypeError(f"{method} makes no sweeps")
            states = len(learner.graph)  # listing them is the same for all, and not counted
            estimates: list[Values] = []
            seconds = [0.0]
            while not learner.settled():
                began = thread_time()
                learner.iterate(len(estimates) + 1, lambda *_: None)
                seconds.append(seconds[-1] + thread_time() - began)
                estimates.append(learner.values)
                lab.tell(f"{method} on {spec}: sweeps", len(estimates), 20)
            wrong = [float(np.mean(estimate != estimates[-1])) for estimate in estimates]
            by_sweep.append({"name": method, "xs": list(range(1, len(wrong) + 1)), "ys": wrong})
            by_second.append({"name": method, "xs": seconds[1:], "ys": wrong})
            figure = Figure(f"{len(estimates)} sweeps, {seconds[-1]:.3g} s")
            outcome.add(Row(f"{method}, {spec}", best=figure, more=f"{states:,} states"))
        outcome.curves(f"States that are not exact yet, {spec}, by sweeps", "sweep", "share", by_sweep)
        outcome.curves(f"States that are not exact yet, {spec}, by seconds", "seconds", "share", by_second)
    return outcome
