"""Settings as nested frozen records: nothing is unknown, out of range or guessed.

A record is a subclass of ``Settings``; the string below a field is the reason for its default.
``read_settings(kind, settings.as_json()) == settings``, through a JSON file as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, NamedTuple, Self, TypeVar

from zerosum.core.errors import BadSpec, ZerosumError, shortened, suggestion
from zerosum.core.running.files import parse_json

try:
    from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
    from pydantic_core import ErrorDetails
except ImportError as error:
    raise ZerosumError("learning needs pydantic; install it with: pip install 'zerosum[learn]'") from error

Count = Annotated[int, Field(ge=1)]
CountOrZero = Annotated[int, Field(ge=0)]
Positive = Annotated[float, Field(gt=0)]
PositiveOrZero = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Names = Annotated[dict[str, str], Field(default_factory=dict)]
Data = Annotated[dict[str, Any], Field(default_factory=dict)]


class Settings(BaseModel, frozen=True):
    """A section of settings. Change one with ``settings.model_copy`` or, checked, with ``override``."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,  # "100" is no number and 1 is not true: a typing mistake must not pass for a value
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )
    one_of: ClassVar[tuple[str, ...]] = ()  # fields of which one is set and the others are null
    lifts: ClassVar[dict[str, str]] = {}  # fields that, set by hand, make another null that was not
    formerly: ClassVar[dict[str, str]] = {}  # old names of fields, which runs of earlier versions still have

    @model_validator(mode="after")
    def _check(self) -> Self:
        chosen = [name for name in self.one_of if getattr(self, name) is not None]
        if self.one_of and len(chosen) != 1:
            raise ValueError(f"set one of {', '.join(self.one_of)}, not {len(chosen)}")
        complaint = self.complaint()
        if complaint:
            raise ValueError(complaint)
        return self

    @classmethod
    def of_new_run(cls) -> Self:
        """What holds where nothing is set; what depends on the machine is written down with the run."""
        return cls()

    def complaint(self) -> str:
        """What does not fit together, or nothing; a section with such rules says its own."""
        return ""

    def as_json(self) -> dict[str, Any]:
        """Plain numbers, strings, lists and dictionaries, with every setting written out."""
        return self.model_dump(mode="json")


SomeSettings = TypeVar("SomeSettings", bound=Settings)


class SettingLine(NamedTuple):
    path: str  # as --set takes it
    default: Any
    reason: str


def read_settings(kind: type[SomeSettings], data: Mapping[str, Any]) -> SomeSettings:
    """The settings that plain data describe; what is missing has its default.

    Raises BadSpec on the first key that is unknown and value that cannot be, with the way out.
    """
    try:
        return kind.model_validate_json(json.dumps(_present_names(kind, data)))
    except ValidationError as error:
        raise BadSpec(_explained(kind, error.errors()[0])) from None


def override(settings: SomeSettings, changes: Sequence[str]) -> SomeSettings:
    """Settings with changes written as ``search.simulations=100``; values are JSON, or plain text.

    Of fields that exclude each other, the one that is set replaces the others; what a field lifts is null
    unless it is set as well.
    """
    data = settings.as_json()
    known = [line.path for line in describe(type(settings))]
    by_hand = [change.partition("=") for change in changes]
    set_now = [
        _present_path(type(settings), path.strip()) for path, _, text in by_hand if text.strip() != "null"
    ]
    lifted = _lifted(type(settings), set_now)
    for change in (*(f"{path}=null" for path in lifted), *changes):
        path, equals, text = (part.strip() for part in change.partition("="))
        if not equals or not path:
            raise BadSpec(f"'{shortened(change)}' sets nothing; write it like {known[0]}=VALUE")
        path = _present_path(type(settings), path)
        if path not in known:
            inside = ", ".join(name for name in known if name.startswith(f"{path}."))
            if inside:
                raise BadSpec(f"'{path}' is a section; it has {inside}")
            raise BadSpec(f"unknown setting '{path}'{suggestion(path, known)}")
        addition: Any = _value(text)
        for name in reversed(path.split(".")):
            addition = {name: addition}
        data = merge(type(settings), data, addition)
    return read_settings(type(settings), data)


def _lifted(kind: type[Settings], changed: Sequence[str], prefix: str = "") -> list[str]:
    """Paths of the settings that become null because of those that are changed by hand."""
    found = [f"{prefix}{other}" for name, other in kind.lifts.items() if f"{prefix}{name}" in changed]
    for name in kind.model_fields:
        section = _section(kind, name)
        if section:
            found += _lifted(section, changed, f"{prefix}{name}.")
    return found


def merge(kind: type[Settings], base: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Plain data of settings with those of ``change`` in their place, section by section."""
    result = dict(base)
    for name, value in change.items():
        section = _section(kind, name)
        if section and isinstance(value, Mapping):
            result[name] = merge(section, base.get(name, {}), value)
            continue
        result[name] = value
        if name in kind.one_of and value is not None:
            result.update({other: None for other in kind.one_of if other not in change})
    return result


def flat(data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Every setting of plain data by its path, as in search.simulations."""
    found: dict[str, Any] = {}
    for name, value in data.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {prefix + name: value}
    return found


def describe(kind: type[Settings], prefix: str = "") -> list[SettingLine]:
    """Every setting with its default and the reason for it, in order."""
    lines = []
    for name, field in kind.model_fields.items():
        section = _section(kind, name)
        if section:
            lines += describe(section, f"{prefix}{name}.")
        else:
            lines.append(
                SettingLine(prefix + name, field.default, " ".join((field.description or "").split()))
            )
    return lines


def _present_names(kind: type[Settings], data: Any) -> Any:
    """Plain data of settings as they are spelt now, from data that may be of an earlier version.

    This comes before pydantic reads them, which takes a list for a tuple in JSON but not from a validator.
    """
    if not isinstance(data, Mapping):
        return data  # which pydantic will refuse
    found = {}
    for old, value in data.items():
        name = str(kind.formerly.get(old, old))
        section = _section(kind, name)
        found[name] = _present_names(section, value) if section else value
    return found


def _present_path(kind: type[Settings], path: str) -> str:
    """A setting's path as it is spelt now, from one that may be of an earlier version."""
    name, dot, rest = path.partition(".")
    name = kind.formerly.get(name, name)
    section = _section(kind, name)
    return f"{name}.{_present_path(section, rest)}" if section and dot else f"{name}{dot}{rest}"


def _section(kind: type[Settings], name: str) -> type[Settings] | None:
    annotation = kind.model_fields[name].annotation if name in kind.model_fields else None
    return annotation if isinstance(annotation, type) and issubclass(annotation, Settings) else None


def _value(text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError:
        return text


def _explained(kind: type[Settings], problem: ErrorDetails) -> str:
    path = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "json_invalid":  # pydantic reads less deeply than json writes
        return "a setting is nested too deeply: none is more than a list of lists"
    if problem["type"] == "extra_forbidden":
        return (
            f"unknown setting '{shortened(path)}'{suggestion(path, [line.path for line in describe(kind)])}"
        )
    text = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "value_error":
        return f"{path}: {text}" if path else text
    hint = '; a list is written ["this", "that"] or [1, 2]' if problem["type"] == "tuple_type" else ""
    given = shortened(json.dumps(problem["input"]))
    return f"{path} cannot be {given}: {text.replace('Input', 'it', 1)}{hint}"
