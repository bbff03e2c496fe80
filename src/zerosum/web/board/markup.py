"""HTML built from parts, so that text is never taken for markup: what is not Markup is escaped."""

from __future__ import annotations

import re
from html import escape
from typing import TypeAlias


class Markup(str):
    """Text that is HTML or SVG already."""


Part: TypeAlias = str | int | float | None
FIGURES = re.compile(r"[-+]?[\d.,±+ –%-]*")  # a number, an interval, wins-draws-losses; or nothing
ICONS = {
    "back": "M9 14 4 9l5-5M4 9h11a5 5 0 0 1 0 10h-4",
    "hint": "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.5 1 2.5h6c0-1 .2-1.700 1-2.500A6 6 0 0 0 12 3Z",
    "flag": "M5 21V4h13l-3 4 3 4H5",
    "new": "M12 5v14M5 12h14",
    "swap": "M7 4 3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7",
    "first": "M18 5 9 12l9 7M6 5v14",
    "previous": "m15 5-8 7 8 7",
    "next": "m9 5 8 7-8 7",
    "last": "m6 5 9 7-9 7M18 5v14",
    "play": "M7 4v16l13-8Z",
    "pause": "M8 5v14M16 5v14",
    "stop": "M6 6h12v12H6Z",
    "link": "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
    "copy": "M9 9h11v11H9ZM5 15V4h11",
    "save": "M12 4v11M7 11l5 5 5-5M5 20h14",
    "theme": "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9Z",
    "turn": "M20 12a8 8 0 1 1-3-6.200M20 3v5h-5",
    "flip": "M12 3v18M9 7 4 17h5ZM15 7l5 10h-5Z",
    "eye": "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12ZM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z",
}


def tag(name: str, /, *parts: Part, **attributes: str | float | bool | None) -> Markup:
    """An element; attributes are spelt with underscores for hyphens, ``class_`` and ``for_`` for those words.

    True stands for an attribute without a value; None and False leave it out.
    """
    written = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        spelt = key.rstrip("_").replace("_", "-")
        written.append(f" {spelt}" if value is True else f' {spelt}="{escape(str(value))}"')
    head = f"<{name}{''.join(written)}>"
    return Markup(head) if name in ("input", "br", "hr") else Markup(f"{head}{joined(*parts)}</{name}>")


def joined(*parts: Part) -> Markup:
    """Parts side by side."""
    return Markup("".join(part if isinstance(part, Markup) else _text(part) for part in parts))


def _text(part: Part) -> str:
    return "" if part is None else escape(str(part))


def icon(name: str) -> Markup:
    """A line drawing in the colour of the text around it."""
    return Markup(
        '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" '
        f'stroke-linejoin="round" aria-hidden="true"><path d="{ICONS[name]}"/></svg>'
    )


def button(
    text: str,
    deed: str,
    value: str | None = None,
    picture: str = "",
    kind: str = "",
    pressed: bool | None = None,
    disabled: bool = False,
    title: str = "",
    key: str = "",
) -> Markup:
    """Something to press; ``deed`` and ``value`` are what the page is told. Without text it is an icon."""
    says = title or text
    return tag(
        "button",
        icon(picture) if picture else None,
        text if not (picture and "icon" in kind) else None,
        type="button",
        class_=kind or None,
        data_do=deed,
        data_value=value,
        data_focus=f"{deed}-{value or ''}",
        disabled=disabled,
        aria_pressed=None if pressed is None else str(pressed).lower(),
        aria_label=says if picture and "icon" in kind else None,
        title=f"{says} ({key})" if key else title or None,
    )


def segments(deed: str, options: dict[str, str], chosen: str, label: str) -> Markup:
    """One of several, side by side; options are texts by value."""
    parts = [button(text, deed, value, pressed=value == chosen) for value, text in options.items()]
    return tag("div", *parts, class_="segments", role="group", aria_label=label)


def field(label: str, name: str, value: str = "", **more: str | float | bool | None) -> Markup:
    """A line to type into, in a form."""
    return tag("label", label, tag("input", name=name, value=value, **more))


def select(
    label: str, name: str, options: dict[str, str], chosen: str = "", deed: str | None = None
) -> Markup:
    """One of many; options are texts by value."""
    items = [tag("option", text, value=value, selected=value == chosen) for value, text in options.items()]
    return tag("label", label, tag("select", *items, name=name, data_do=deed))


def table(rows: list[list[Part]], kind: str = "") -> Markup:
    """A table, the header first; columns of figures alone stand to the right."""
    looks = [
        "number" if all(FIGURES.fullmatch(str(row[at])) for row in rows[1:]) else None
        for at in range(len(rows[0]))
    ]
    head = tag("tr", *(tag("th", cell, class_=look) for cell, look in zip(rows[0], looks, strict=True)))
    body = [
        tag("tr", *(tag("td", cell, class_=look) for cell, look in zip(row, looks, strict=True)))
        for row in rows[1:]
    ]
    return tag(
        "div", tag("table", tag("thead", head), tag("tbody", *body), class_=kind or None), class_="scroll"
    )
