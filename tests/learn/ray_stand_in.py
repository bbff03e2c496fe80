"""As much of Ray as the pool uses, in one process: actors that may die at any call.

What the pool does when workers are lost is tried with it in seconds; benchmarks/ray_cluster.py does the same
on a real cluster.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest


class RayActorError(Exception):
    pass


class RayTaskError(Exception):
    cause: BaseException | None = None


class ObjectLostError(Exception):
    pass


class Reference:
    """A call that is made when somebody waits for it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.result: list[Any] = []

    def get(self) -> Any:
        if not self.result:
            try:
                self.result.append(self.work())
            except (RayActorError, ObjectLostError) as error:
                self.result.append(error)
            except Exception as error:
                failed = RayTaskError(str(error))
                failed.cause = error
                self.result.append(failed)
        if isinstance(self.result[0], Exception):
            raise self.result[0]
        return self.result[0]


class Handle:
    """An actor; ``deaths`` says at which of all calls somebody dies, after the work and before the answer."""

    def __init__(self, stand_in: StandIn, made: Any) -> None:
        self._stand_in, self._made, self._dead = stand_in, made, False

    def __getattr__(self, name: str) -> Any:
        def remote(*arguments: Any) -> Reference:
            def work() -> Any:
                if self._dead:
                    raise RayActorError
                plain = [a.get() if isinstance(a, Reference) else a for a in arguments]
                result = getattr(self._made, name)(*plain)
                if name in ("self_play", "contest"):
                    self._stand_in.calls += 1
                    if self._stand_in.calls in self._stand_in.deaths:
                        self._dead = True
                        raise RayActorError
                return result

            reference = Reference(work)
            if name in ("restore", "stop"):
                reference.get()
            return reference

        return type("Method", (), {"remote": staticmethod(remote)})


class StandIn(ModuleType):
    def __init__(self, deaths: set[int]) -> None:
        super().__init__("ray")
        self.deaths = deaths
        self.calls = 0
        self.exceptions = ModuleType("ray.exceptions")
        for error in (RayActorError, RayTaskError, ObjectLostError):
            setattr(self.exceptions, error.__name__, error)

    def is_initialized(self) -> bool:
        return True

    def put(self, value: Any) -> Reference:
        return Reference(lambda: value)

    def get(self, reference: Reference) -> Any:
        return reference.get()

    def wait(self, references: list[Reference], num_returns: int = 1, timeout: float = 0) -> Any:
        return references[-1:], references[:-1]  # the last comes first: order must not matter

    def kill(self, handle: Handle) -> None:
        handle._dead = True

    def remote(self, actor: type) -> Any:
        def make(*arguments: Any) -> Handle:
            return Handle(self, actor(*arguments))

        def options(**_: Any) -> Any:
            return type("Remote", (), {"remote": staticmethod(make)})

        return type("Actor", (), {"options": staticmethod(options)})


def install(monkeypatch: pytest.MonkeyPatch, deaths: set[int]) -> StandIn:
    """Put it where Ray would be, for one test."""
    stand_in = StandIn(deaths)
    monkeypatch.setitem(sys.modules, "ray", stand_in)
    monkeypatch.setitem(sys.modules, "ray.exceptions", stand_in.exceptions)
    monkeypatch.delitem(sys.modules, "zerosum.learn.pool.kinds.ray", raising=False)
    return stand_in
