"""Who may talk to the server: pages that it served itself, and nobody from another site.

A page of another site may send requests to this machine, or give its own name this machine's address. Both
show in two headers: the host that was asked for, and the origin of the page that asks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias
from urllib.parse import urlsplit

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

LOCAL = frozenset({"127.0.0.1", "localhost", "[::1]", "testserver", "test"})
ANY = frozenset({"0.0.0.0", "::", "[::]"})  # hosts that stand for every name of this machine
HEADERS = (
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"content-security-policy", b"frame-ancestors 'none'; object-src 'none'; base-uri 'self'"),
)


def is_own(host: str, origin: str, allowed: frozenset[str] | None) -> bool:
    """Whether a request comes from a page of this server; ``allowed`` are its names, None for any."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    if allowed is not None and name.lower() not in allowed:
        return False
    return not origin or urlsplit(origin).netloc.lower() == host.lower()


def allowed_hosts(host: str) -> frozenset[str] | None:
    """The names under which a server that binds to a host may be asked; None where nobody can know them."""
    if host in ANY:
        return None
    return LOCAL | {host.lower(), f"[{host.lower()}]"}


class Guard:
    """Refuses what comes from elsewhere, and lets no other site frame the page."""

    def __init__(self, app: Application, allowed: frozenset[str] | None) -> None:
        self._app = app
        self._allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if not is_own(headers.get(b"host", ""), headers.get(b"origin", ""), self._allowed):
            await _refuse(scope, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        await self._app(scope, receive, send_guarded)


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    body = b"this server answers its own pages only"
    plain = [(b"content-type", b"text/plain"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": plain})
    await send({"type": "http.response.body", "body": body})
