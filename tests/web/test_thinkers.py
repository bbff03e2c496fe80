"""What waits in which line, and what is sent away."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from zerosum.web.desk.thinkers import Busy, Line, Thinkers


def test_whoever_comes_when_too_many_wait_is_sent_away_and_may_come_again() -> None:
    async def scenario() -> None:
        line, free = Line(at_once=1, most=2), Event()
        waiting = [asyncio.create_task(line.do(free.wait)) for _ in range(2)]
        await asyncio.sleep(0.01)
        with pytest.raises(Busy, match="try again"):
            await line.do(lambda: None)
        free.set()
        assert await asyncio.gather(*waiting) == [True, True]
        assert await line.do(lambda: 7) == 7

    asyncio.run(scenario())


def test_a_study_that_takes_long_holds_up_nobodys_move() -> None:
    async def scenario() -> None:
        thinkers, free = Thinkers(at_once=1), Event()
        study = asyncio.create_task(thinkers.studies.do(free.wait))
        await asyncio.sleep(0.01)
        assert await thinkers.moves.do(lambda: "moved") == "moved"
        assert not study.done()
        free.set()
        await study

    asyncio.run(scenario())
