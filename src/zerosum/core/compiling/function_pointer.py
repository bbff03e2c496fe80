"""Calls without detours: from Python into kernels, and from kernels into the rules they are given.

Numba has first-class functions, but a call through them costs 12 ns, because it goes by way of a C
wrapper; RuleType carries the address of the compiled function itself, 4 to 6 ns a call. And a call from
Python first works out the types of all arguments, which for a tuple of rules takes 60 to 130 us; Kernel
has only one signature and goes straight to its entry point, 4 us.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
