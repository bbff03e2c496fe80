"""Calls without detours: from Python into kernels, and from kernels into the rules they are given.

Numba has first-class functions, but a call through them costs 12 ns, because it goes by way of a C
wrapper; RuleType carries the address of the compiled function itself, 4 to 6 ns a call. And a call from
Python first works out the types of all arguments, which for a tuple of rules takes 60 to 130 us; Kernel
has only one signature and goes straight to its entry point, 4 us.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import cgutils, types
from numba.experimental.function_type import FunctionModel
from numba.extending import NativeValue, register_model, typeof_impl, unbox


class Kernel:
    """A compiled function with one signature: called directly from Python, or by name from other kernels."""

    def __init__(self, dispatcher: Any) -> None:
        self.__wrapped__ = dispatcher
        (compiled,) = dispatcher.overloads.values()
        self.entry_point = compiled.entry_point
        self._numba_type_ = types.Dispatcher(dispatcher)  # what other kernels see

    def __call__(self, *args: Any) -> Any:
        return self.entry_point(*args)


class RuleFunction:
    """A function of rules or of a tree policy: callable from Python, and by address from kernels."""

    def __init__(self, function: Callable[..., Any], compiled: Any) -> None:
        self.__wrapped__ = function
        self.entry_point = compiled.entry_point
        self.signature = compiled.signature
        self.address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)

    def __call__(self, *args: Any) -> Any:
        return self.entry_point(*args)


class PythonRule:
    """A rule that stays Python, for rules that ask somebody else's program.

    Kernels call it by the address of a C function that ctypes makes of it, which takes the GIL. That function
    has the form of what numba compiles: it returns 0 when all went well, and takes where to put the result,
    where to put an error, and then each argument, an array as seven words: two owners, length, size of an
    item, address, shape, stride.
    """

    ARRAY_WORDS, LENGTH, ADDRESS = 7, 2, 4

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        self.__wrapped__ = function
        self.signature = signature
        words = sum(self.ARRAY_WORDS if isinstance(a, types.Array) else 1 for a in signature.args)
        form = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * words)
        self.callback = form(self._answer)  # kept, for kernels know its address only
        self.address = ctypes.cast(self.callback, ctypes.c_void_p).value

    def __call__(self, *args: Any) -> Any:
        return self.__wrapped__(*args)

    def _answer(self, result: int, _error: int, *words: int) -> int:
        arguments: list[Any] = []
        left = list(words)
        for kind in self.signature.args:
            if isinstance(kind, types.Array):
                length, address = left[self.LENGTH], left[self.ADDRESS]
                item = np.ctypeslib.as_ctypes_type(np.dtype(str(kind.dtype)))
                arguments.append(np.ctypeslib.as_array((item * length).from_address(address)))
                del left[: self.ARRAY_WORDS]
            else:
                arguments.append(left.pop(0))
        answer = self.__wrapped__(*arguments)
        if self.signature.return_type != types.void:
            ctypes.c_int64.from_address(result).value = answer
        return 0


class RuleType(types.FunctionType):
    """Like numba's FunctionType, but unboxed from the address alone."""


register_model(RuleType)(FunctionModel)


@typeof_impl.register(RuleFunction)
def _typeof_rule(value: RuleFunction, context: Any) -> RuleType:
    return RuleType(value.signature)


@unbox(RuleType)
def _unbox_rule(rule_type: RuleType, value: Any, c: Any) -> NativeValue:
    struct = cgutils.create_struct_proxy(rule_type)(c.context, c.builder)
    address = c.pyapi.object_getattr_string(value, "address")
    struct.jit_addr = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    pointer = c.context.get_value_type(types.voidptr)
    struct.c_addr = cgutils.get_null_value(pointer)
    struct.py_addr = c.builder.bitcast(value, pointer)
    return NativeValue(struct._getvalue())
