"""Blokus Duo against published counts, recorded games and slow rules of its own."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.slow_rules.blokus import Blokus, Move

from zerosum.errors import BadSpec, IllegalMove
from zerosum.games.blokus import BONUS, LEFT, MONOMINO, PASS, SIDE, Piece
