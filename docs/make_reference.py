"""All that is public: docs/reference.md names it; the site has the whole, from the docstrings.

``docs/make_reference.py`` writes the list of names; the site's builder calls ``reference``.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import zerosum

PAGE = Path(__file__).parent / "reference.md"
HEAD = """# Python reference

All that is public. `help(zerosum.train)` shows a name's arguments and an example, which the tests run; the
site has them all on this page. These names stay, and what changes in them is told in the changelog. Whatever
is imported from deeper inside the package may move without notice, apart from what
[add-a-game.md](add-a-game.md) imports. [python.md](python.md) shows how these names go together.
"""


@dataclass(frozen=True)
class Public:
    """Names of one kind, each with what it names."""

    functions: dict[str, Any]
    objects: dict[str, Any]
    errors: dict[str, Any]
    constants: dict[str, Any]


def public() -> Public:
    """All that is public, by kind."""
    kinds = Public({}, {}, {}, {})
    for name in zerosum.__all__:
        it = getattr(zerosum, name)
        if inspect.isfunction(it):
            kinds.functions[name] = it
        elif inspect.isclass(it):
            (kinds.errors if issubclass(it, BaseException) else kinds.objects)[name] = it
        else:
            kinds.constants[name] = it
    return kinds


def names() -> str:
    """The list: a line a name."""
    parts = [HEAD]
    for title, kind in vars(public()).items():
        lines = [f"- `{name}`" + _said(it) for name, it in kind.items()]
        parts += [f"## {title.capitalize()}", "\n".join(lines)]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def reference() -> str:
    """The whole page: functions, then what they give and take, then errors and constants."""
    kinds = public()
    parts = [HEAD, "## Functions"]
    parts += [_function(name, it) for name, it in kinds.functions.items()]
    parts += ["## Objects", *(_class(name, it) for name, it in kinds.objects.items())]
    parts += ["## Errors", *(f"- `{name}`: {_first_line(it)}" for name, it in kinds.errors.items())]
    parts += ["## Constants", "\n".join(f"- `{name}`" for name in kinds.constants)]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _function(name: str, function: Any) -> str:
    text, example = _docstring(function)
    return _joined(f"### {name}", f"```python\n{_signature(name, function)}\n```", text, example)


def _class(name: str, it: Any) -> str:
    text, example = _docstring(it)
    return _joined(f"### {name}", text, example, "\n".join(_members(it)))


def _members(it: Any) -> Iterator[str]:
    """What a class holds and can do, a line each."""
    if is_dataclass(it):
        yield from (f"- `{field.name}: {field.type}`" for field in fields(it))
    for name, member in vars(it).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            returned = inspect.signature(member.fget).return_annotation if member.fget else ""
            yield _line(f"{name}: {returned}", member)
        elif inspect.isfunction(member) or isinstance(member, classmethod):
            yield _line(_signature(name, getattr(it, name)), member)


def _line(shown: str, member: Any) -> str:
    said = _first_line(member)
    return f"- `{' '.join(shown.split())}`" + (f": {said}" if said else "")


def _signature(name: str, function: Any) -> str:
    signature = inspect.signature(function)
    kept = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
    arguments = [_argument(parameter) for parameter in kept]
    line = f"{name}({', '.join(arguments)}) -> {signature.return_annotation}"
    if len(line) <= 100:
        return line
    return (
        "\n    ".join([f"{name}(", *(f"{a}," for a in arguments)]) + f"\n) -> {signature.return_annotation}"
    )


def _argument(parameter: inspect.Parameter) -> str:
    stars = {int(inspect.Parameter.VAR_POSITIONAL): "*", int(inspect.Parameter.VAR_KEYWORD): "**"}
    default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
    return f"{stars.get(int(parameter.kind), '')}{parameter.name}: {parameter.annotation}{default}"


def _docstring(it: Any) -> tuple[str, str]:
    """What it says, and its example as code."""
    text, prompt, example = (inspect.getdoc(it) or "").partition(">>> ")
    code = f"```pycon\n{prompt}{example}\n```" if prompt else ""
    return text.strip().replace("``", "`"), code


def _first_line(it: Any) -> str:
    return (inspect.getdoc(it) or "").partition("\n\n")[0].replace("\n", " ").replace("``", "`")


def _said(it: Any) -> str:
    """What a function or a class says of itself; constants say what all numbers and texts do."""
    return f": {_first_line(it)}" if callable(it) else ""


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


if __name__ == "__main__":
    PAGE.write_text(names())
