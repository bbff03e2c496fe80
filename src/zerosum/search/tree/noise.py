"""Noise at the root, so that self-play does not always walk the same way."""

from __future__ import annotations

import math

import numpy as np

from zerosum.core.compiling.compile import INT, Words, helper
from zerosum.core.random import random_unit
from zerosum.search.tree.nodes import ROOT, Nodes

TINY = 1e-12


@helper
def draw_gumbel(rng: Words) -> float:
    """A draw from the standard Gumbel distribution."""
    return -math.log(-math.log(random_unit(rng) + TINY) + TINY)


@helper
def draw_normal(rng: Words) -> float:
    """A draw from the standard normal distribution (Box and Muller, 1958)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - random_unit(rng)))
    return radius * math.cos(2.0 * math.pi * random_unit(rng))


@helper
def draw_gamma(shape: float, rng: Words) -> float:
    """A draw from the gamma distribution of scale 1 (Marsaglia and Tsang, 2000)."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - random_unit(rng)) ** (1.0 / shape)
        shape += 1.0
    centre = shape - 1.0 / 3.0
    spread = 1.0 / math.sqrt(9.0 * centre)
    while True:
        normal = draw_normal(rng)
        cube = (1.0 + spread * normal) ** 3
        if cube > 0.0:
            bound = 0.5 * normal * normal + centre * (1.0 - cube + math.log(cube))
            if math.log(1.0 - random_unit(rng)) < bound:
                return boost * centre * cube


@helper
def add_dirichlet(nodes: Nodes, share: float, alpha: float, rng: Words) -> None:
    """Mix Dirichlet noise into the priors of the root's children."""
    first = INT(nodes[ROOT].first_child)
    count = INT(nodes[ROOT].num_children)
    concentration = alpha if alpha > 0.0 else 10.0 / count
    noise = np.empty(count)
    total = 0.0
    for i in range(count):
        noise[i] = draw_gamma(concentration, rng)
        total += noise[i]
    for i in range(count):
        mixed = (1.0 - share) * nodes[first + i].prior + share * noise[i] / max(total, 1e-30)
        nodes[first + i].prior = np.float32(mixed)
