"""How rules become machine code: the signature of each rules function, and where the code is kept.

A game is a handful of plain Python functions on a position, a short vector of uint64 words that is
changed in place. Each function is compiled under one fixed signature, so that every search is
compiled once for all games and finds its code on disk the next time. A ``table`` of constants comes
with every call: what makes a 5x5 board differ from a 3x3 one is data in the table, not code.

The functions that rules are made of, and what must hold:

=========  ==========================================  ================================================
role       signature                                   promise
=========  ==========================================  ================================================
start      (table, position, rng)                      fills the whole position; same rng, same position
legal      (table, position, actions) -> count         ascending actions; 0 just when the game is over
play       (table, position, action)                   only legal actions are ever passed in
mover      (table, position) -> player                 0 or 1; the same player may move twice in a row
outcome    (table, position) -> outcome                UNFINISHED, FIRST_WINS, SECOND_WINS or DRAW
encode     (table, position, planes)                   fills [plane, cell], flat, seen by the mover
score      (table, position) -> points                 first player's lead in points (optional)
heuristic  (table, position) -> estimate               for the first player, within -2..2 (optional)
rollout    (table, position, actions, rng) -> outcome  plays at random to the end (optional, for speed)
view       (table, position, player, seen)             what the player may know (hidden games only)
missing    (table, seen, memory) -> left               how many of the other's moves the mover has not seen
past       (table, memory, left, actions) -> count     how the other may have made the next of them
lay        (table, memory, left, action) -> left       makes it; a try that fails leaves as many to make
=========  ==========================================  ================================================

A rollout makes the moves of the loop it replaces, from the same random numbers: until the game is over,
one ``random_below(rng, count)`` a move picks from the legal actions in ascending order. It leaves the
final position behind.

A view is a position too: the rules say of the mover's view what they say of the position, and it can be
played on, as if nothing lay there but what is seen.

The last three say how to draw a full position that fits what a player sees (hidden games only). ``missing``
is given a view of the player to move and fills ``memory``, the position in which the other is about to make
the moves that the player has not seen; with 0 left, memory is the view. It may return -1 where no game looks
like that. ``past`` lists, ascending, the actions by which the other may have made its next move, as it saw
the game then; those that would have failed, and only shown it something, are among them. It is 0 where this
past cannot be finished. ``lay`` makes one of them. With 0 left, memory is a full position that looks like the
view to the player, who is to move.

Two positions that play alike have equal words, and the other way round: the words are the position's
identity. What matters only for drawing (the last move, which piece lies where) is not part of it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.core.typeinfer import register_dispatcher

from zerosum.core.compiling.cache import cache_directory
from zerosum.core.compiling.function_pointer import Kernel, PythonRule, RuleFunction, RuleType
from zerosum.core.compiling.kept_code import KeptCode
from zerosum.core.compiling.one_piece import in_one_piece
from zerosum.core.errors import RulesError

# Inside kernels numba is the type checker, and a stricter one than the editor's.
Word: TypeAlias = Any
Words: TypeAlias = Any
Function = TypeVar("Function", bound=Callable[..., Any])

# Casts for kernels. Never mix the two: int64 with uint64 gives float64 in numpy and in many versions of
# numba. Python's int() keeps uint64 in numba.
INT: Callable[[Word], Any] = np.int64
UINT: Callable[[Word], Word] = np.uint64

int_type = types.int64
float_type = types.float64
words_type = types.uint64[::1]
actions_type = types.int64[::1]
planes_type = types.float32[::1]
boards_type = types.uint64[:, ::1]  # [row, word] of many positions
floats_type = types.float32[::1]

SIGNATURES = {
    "start": types.void(words_type, words_type, words_type),
    "legal": int_type(words_type, words_type, actions_type),
    "play": types.void(words_type, words_type, int_type),
    "mover": int_type(words_type, words_type),
    "outcome": int_type(words_type, words_type),
    "encode": types.void(words_type, words_type, planes_type),
    "score": int_type(words_type, words_type),
    "heuristic": float_type(words_type, words_type),
    "rollout": int_type(words_type, words_type, actions_type, words_type),
    "view": types.void(words_type, words_type, int_type, words_type),
    "missing": int_type(words_type, words_type, words_type),
    "past": int_type(words_type, words_type, int_type, actions_type),
    "lay": int_type(words_type, words_type, int_type, int_type),
}


def kernel(signature: Any, allocates: bool = True) -> Callable[[Function], Function]:
    """Compile at once under a fixed signature; the code is cached and runs without the GIL.

    From Python, arguments must be of exactly the types of the signature: nothing checks them. A kernel that
    allocates nothing may say so: it then counts no references to arrays, which would cost more than a node.
    """

    def compile_now(function: Function) -> Any:
        compiled = _compile(signature, _nrt=allocates)(function)
        return compiled if numba.config.DISABLE_JIT else Kernel(compiled)

    return compile_now


def _compile(*signature: Any, **options: bool) -> Callable[[Function], Function]:
    def compile_kept(function: Function) -> Function:
        compiled: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
        if numba.config.DISABLE_JIT:
            return compiled
        folder = cache_directory(Path(function.__code__.co_filename))
        compiled._cache = KeptCode(function, folder)
        for one in signature:
            # An exception in what LLVM calls back is lost on it, and it goes on with a null pointer.
            with in_one_piece(), register_dispatcher(compiled):  # it may call itself
                compiled.compile(one)
            compiled.disable_compile()
        return compiled

    return compile_kept


def helper(function: Function) -> Function:
    """A function for kernels to call: compiled into whoever calls it."""
    return _compile()(function)


def part(function: Function) -> Function:
    """A helper that is always written out in full where it is called.

    For parts of a kernel that allocates nothing and shares large tuples of arrays: handing one over would
    cost a hundred words, and counting a reference for each array in it.
    """
    return _compile(forceinline=True, _nrt=False)(function)


def fill_in(function: Function, name: str, **helpers: Any) -> Function:
    """A copy of a function, under a name of its own, in which global names stand for these helpers.

    That is how a kernel is written once for helpers of several kinds: given as arguments or held by a
    closure, helpers would keep the code from being found on disk again.
    """
    copy: Any = FunctionType(function.__code__, {**function.__globals__, **helpers}, name)
    copy.__qualname__ = name
    copy.__module__ = function.__module__
    return cast(Function, copy)


def first_class(signature: Any) -> Callable[[Function], Any]:
    """Compile under a fixed signature what kernels are given as an argument, of ``first_class_type``."""

    def compile_now(function: Function) -> Any:
        compiled: Any = _compile(signature)(function)
        return (
            compiled
            if numba.config.DISABLE_JIT
            else RuleFunction(compiled, compiled.overloads[signature.args])
        )

    return compile_now


def first_class_type(signature: Any) -> Any:
    return RuleType(signature)


def rule(function: Function) -> Function:
    """Compile one function of a game's rules; its name must end in its role, as in ``hex_legal``."""
    role = function.__name__.rsplit("_", 1)[-1]
    where = f"{Path(function.__code__.co_filename).name}: {function.__name__}"
    if role not in SIGNATURES:
        raise RulesError(f"{where}: a rule's name ends in its role: {', '.join(SIGNATURES)}")
    wanted = len(SIGNATURES[role].args)
    if len(inspect.signature(function).parameters) != wanted:
        raise RulesError(f"{where} must take {PARAMETERS[role]}")
    try:
        compiled = _compile(SIGNATURES[role])(function)
    except (NumbaError, UnsupportedBytecodeError) as error:
        raise RulesError(f"{where} {_first_complaint(error, function, role)}") from error
    if SIGNATURES[role].return_type == int_type and _returns_fraction(compiled):
        raise RulesError(f"{where} returns a float; it must return a whole number: use // or INT(...)")
    return compiled


def python_rule(function: Function) -> Any:
    """A rule that stays Python and returns nothing or a whole number: slow, but it may ask anybody."""
    return PythonRule(function, SIGNATURES[function.__name__.rsplit("_", 1)[-1]])


PARAMETERS = {
    "start": "(table, position, rng)",
    "legal": "(table, position, actions) and return how many",
    "play": "(table, position, action)",
    "mover": "(table, position) and return 0 or 1",
    "outcome": "(table, position) and return an outcome",
    "encode": "(table, position, planes)",
    "score": "(table, position) and return the first player's lead",
    "heuristic": "(table, position) and return an estimate for the first player",
    "rollout": "(table, position, actions, rng) and return the outcome",
    "view": "(table, position, player, seen)",
    "missing": "(table, seen, memory) and return how many moves are missing",
    "past": "(table, memory, left, actions) and return how many actions",
    "lay": "(table, memory, left, action) and return how many moves are left",
}


def _first_complaint(error: Exception, function: Callable[..., Any], role: str) -> str:
    """The line of numba's report that a person can act on, and the line of code it is about."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    noise = ("Failed in", "During:", "[", "Rejected", "There are", "-", "File ", "No implementation")
    complaint = next((line for line in lines if not line.startswith(noise)), lines[0])
    if re.match(r"No conversion from none to \w+ for '\$\w*return_value", complaint):
        return f"returns nothing on some path; it must take {PARAMETERS[role]}"
    if re.match(r"No conversion from .* to none for '\$\w*return_value", complaint):
        return f"returns something; it must take {PARAMETERS[role]} and return nothing"
    complaint = complaint.replace(">>>", "no such operation:")
    found = re.findall(r'File "([^"]+)", line (\d+)', str(error))
    own_file = Path(function.__code__.co_filename).name
    places = [int(line) for file, line in found if Path(file).name == own_file]
    return f"does not compile: {complaint}" + (f" (line {places[-1]})" if places else "")


def _returns_fraction(compiled: Any) -> bool:
    """Whether a rule returns a float where an integer is wanted: numba would cut it off in silence."""
    for result in getattr(compiled, "overloads", {}).values():
        notes = str(result.type_annotation)  # kept in the cache too
        for value in re.findall(r"return_value\S* = cast\(value=(\S+)\)", notes):
            if re.search(rf"#\s+{re.escape(value)} = .*:: float\d+$", notes, re.MULTILINE):
                return True
    return False


class Rules(NamedTuple):
    """The compiled functions of one game, passed to every search as first-class functions."""

    start: Any
    legal: Any
    play: Any
    mover: Any
    outcome: Any
    encode: Any
    score: Any
    heuristic: Any
    rollout: Any
    view: Any
    missing: Any
    past: Any
    lay: Any


rules_type = types.NamedTuple([RuleType(SIGNATURES[role]) for role in Rules._fields], Rules)


@rule
def absent_score(table: Words, position: Words) -> int:
    return 0


@rule
def absent_heuristic(table: Words, position: Words) -> float:
    return 0.0


@rule
def absent_rollout(table: Words, position: Words, actions: Words, rng: Words) -> int:
    return 0  # unfinished: the search plays on by itself


@rule
def open_view(table: Words, position: Words, player: int, seen: Words) -> None:
    seen[:] = position


@rule
def absent_missing(table: Words, seen: Words, memory: Words) -> int:
    memory[:] = seen
    return 0


@rule
def absent_past(table: Words, memory: Words, left: int, actions: Words) -> int:
    return 0


@rule
def absent_lay(table: Words, memory: Words, left: int, action: int) -> int:
    return left


def gather_rules(
    start: Any,
    legal: Any,
    play: Any,
    mover: Any,
    outcome: Any,
    encode: Any,
    score: Any = None,
    heuristic: Any = None,
    rollout: Any = None,
    view: Any = None,
    missing: Any = None,
    past: Any = None,
    lay: Any = None,
) -> Rules:
    """The rules of a game from its functions, each decorated with ``@rule``.

    Games without points, without an estimate or without secrets leave out what they lack; without a
    rollout of its own a game is rolled out by its legal and play. ``missing``, ``past`` and ``lay`` come
    together, or a hidden game can be played but not searched.
    """
    functions = {
        "start": start,
        "legal": legal,
        "play": play,
        "mover": mover,
        "outcome": outcome,
        "encode": encode,
        "score": score or absent_score,
        "heuristic": heuristic or absent_heuristic,
        "rollout": rollout or absent_rollout,
        "view": view or open_view,
        "missing": missing or absent_missing,
        "past": past or absent_past,
        "lay": lay or absent_lay,
    }
    return Rules(**{role: _callable(role, function) for role, function in functions.items()})


def is_absent(function: Any) -> bool:
    """Whether a function of a game's rules only stands for one that the game lacks."""
    stand_ins = (
        absent_score, absent_heuristic, absent_rollout, open_view, absent_missing, absent_past, absent_lay,
    )  # fmt: skip
    return any(getattr(function, "__wrapped__", function) is absent for absent in stand_ins)


def _callable(role: str, function: Any) -> Any:
    if numba.config.DISABLE_JIT or isinstance(function, PythonRule):
        return function
    overloads = getattr(function, "overloads", {})
    result = overloads.get(SIGNATURES[role].args)
    if result is None:
        name = getattr(function, "__name__", repr(function))
        raise RulesError(f"{name} cannot serve as '{role}': decorate a function named ..._{role} with @rule")
    return RuleFunction(function, result)
