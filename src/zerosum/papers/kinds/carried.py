"""What a model that learnt one board brings to another: all ways to carry it over, and starting from nothing.

Options: ``source`` and ``target`` (agents; each arm is trained as the target is), ``against``, ``games`` and
``simulations`` of the checks while they learn, ``threshold`` (the share of the points to count minutes to),
``arms`` (all if not given).
"""

from __future__ import annotations

import numpy as np

from zerosum.learn.muzero.transfer import ARMS, NOTHING, Measure, Result, arm_folder, headings, summary
from zerosum.learn.run.run import Run
from zerosum.papers.figures import Figure, Row
from zerosum.papers.lab import Lab, NotTrained
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome

PARTS_OF_A_ROW = ("paper", "method", "best", "verdict", "more")
POINTS = 21  # along the bottom of the picture, where runs that were measured at other times are compared


def run(entry: Entry, lab: Lab) -> Outcome:
    measure = Measure(
        option(entry, "against"),
        lab.games(option(entry, "games")),
        option(entry, "simulations"),
        option(entry, "threshold"),
    )
    outcome = Outcome(dict(zip(PARTS_OF_A_ROW, headings(measure)[1:], strict=True)))
    arms = option(entry, "arms", list(ARMS))[: 2 if lab.quick else None]
    series = []
    for arm in arms:
        try:
            found = [_arm(entry, lab, measure, arm, seed) for seed in range(lab.seeds)]
        except NotTrained as missing:
            outcome.notes.append(f"{missing}; reproduce without --no-train.")
            continue
        at_once, final, mean, reached, with_source = summary(found)
        outcome.add(Row(arm, Figure(at_once), Figure(final), Figure(mean), reached, with_source))
        series.append(_line(arm, found))
    source, target = (lab.agent(option(entry, whose)).game for whose in ("source", "target"))
    title = f"From {source} to {target}, by what is carried"
    outcome.curves(title, "minutes", f"share of the points against {measure.opponent}", series)
    return outcome


def _arm(entry: Entry, lab: Lab, measure: Measure, arm: str, seed: int) -> Result:
    """One arm, trained with a seed and measured."""
    name, source = option(entry, "target"), option(entry, "source")
    target = lab.agent(name)
    changes = (*target.changes, *measure.settings(arm, target.minutes))
    origin = "" if arm == NOTHING else source
    agent = target.model_copy(update={"changes": changes, "start_from": origin})
    path = lab.run_as("-".join(filter(None, (name, origin, arm_folder(arm)))), agent, seed)
    return measure.result(arm, seed, Run.open(path), lab.agent(source).minutes)


def _line(arm: str, seeds: list[Result]) -> dict[str, object]:
    """The mean of the seeds, as long as all of them were trained."""
    end = min(result.curve[-1][0] for result in seeds)
    when = np.linspace(0.0, end, POINTS)
    curves = [np.array(result.curve).T for result in seeds]
    shares = np.mean([np.interp(when, minutes, share) for minutes, share in curves], axis=0)
    return {"name": arm, "xs": when.round(3).tolist(), "ys": shares.round(4).tolist()}
