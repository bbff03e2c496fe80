"""torch's optimisers, without its compiler.

To tell its compiler to leave an optimiser alone, torch imports all of it: a second or more and 65 MB at the
beginning of every training, though nothing here is compiled by it. These are the same optimisers, whose
methods are called as they are, without what torch wraps them in.
"""

from __future__ import annotations

from inspect import unwrap

from torch import no_grad, optim


class _Uncompiled(optim.Optimizer):
    add_param_group = unwrap(optim.Optimizer.add_param_group)
    load_state_dict = unwrap(optim.Optimizer.load_state_dict)
    state_dict = unwrap(optim.Optimizer.state_dict)
    zero_grad = unwrap(optim.Optimizer.zero_grad)


class Adam(_Uncompiled, optim.Adam):
    """Adaptive steps, weight by weight."""

    step = no_grad()(unwrap(optim.Adam.step))


class AdamW(_Uncompiled, optim.AdamW):
    """Adam with weights that decay by themselves and not through the gradient."""

    step = no_grad()(unwrap(optim.AdamW.step))


class SGD(_Uncompiled, optim.SGD):
    """Plain steps with momentum."""

    step = no_grad()(unwrap(optim.SGD.step))
