"""The shape of the package: who imports whom, how long files are, what is kept out."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import zerosum

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "zerosum"
SOURCES = sorted(PACKAGE.rglob("*.py"))
OURS = [
    path
    for folder in ("src", "tests", "scripts", "examples", "benchmarks", "docs")
    for path in (ROOT / folder).rglob("*.py")
]

# A room imports from itself and from those before it.
ROOMS = (
    "core",
    "games",
    "draw",
    "search",
    "nets",
    "players",
    "arena",
    "learn",
    "papers",
    "app",
    "adapters",
    "web",
    "cli",
    "door",
)
# The same inside a room, and inside a folder of it: folders, modules that stand by themselves, and "." for
# all other modules in it.
PARTS = {
    "core": ("errors", "compiling", "naming", "running", "."),
    "games": ("families", ".", "invisible"),
    "search": ("lookahead", "exact", "enumerate", "tree", "imperfect"),
    "search.exact": ("solution", "connect4", "lines", "othello", "."),
    "search.tree": (".", "models", "pasts"),
    "nets": ("building", "artifact", "."),
    "players": ("common", "engines", "tables", "."),
    "arena": ("records", ".", "strength"),
    "learn": (
        "settings",
        "run",
        "events",
        "pool",
        "training",
        "alphazero",
        "muzero",
        "cfr",
        "dqn",
        "q_learning",
        "value_iteration",
        "methods",
    ),
    "learn.alphazero": ("settings", "selfplay", "lessons", "."),
    "learn.pool": (".", "kinds"),
    "papers": (".", "kinds"),
    "papers.kinds": ("playing", "exact", "."),
    "app": ("conformance", "bench", "hidden", ".", "model", "studies", "report", "pages", "public"),
    "adapters": ("peers", "."),
    "cli": ("common", "studying", "playing", "training", "."),
    "web": ("guard", "kit", "board", "desk", "parts", "pages", "."),
}
MOST_MODULES = 12  # in a folder
MOST_PARAMETERS = 6  # of what is compiled; what belongs together comes as a NamedTuple
RULES_MAY_USE = {"llvmlite", "numba", "numpy", "zerosum"}
FOR_ADAPTERS_ONLY = {"gymnasium", "jax", "mctx", "open_spiel", "pettingzoo", "pgx", "pyspiel"}


def room_of(module: str) -> str:
    """The room of a module such as 'zerosum.core.bits'; the package's own front is the door."""
    names = module.split(".")
    if len(names) == 1 or names[1] == "__main__":
        return "door"
    return names[1] if (PACKAGE / names[1]).is_dir() else "door"


def part_of(module: str, folder: str) -> str:
    """Where in a folder of PARTS a module is: one of the folder's parts."""
    name = module.removeprefix(f"zerosum.{folder}").removeprefix(".").partition(".")[0]
    return name if name in PARTS[folder] else "."


def points_up(module: str, imported: str) -> bool:
    """Whether an import goes to a later room, or to a later part of a folder that both are in."""
    here, there = room_of(module), room_of(imported)
    if here != there:
        return ROOMS.index(there) > ROOMS.index(here)
    return any(
        parts.index(part_of(imported, folder)) > parts.index(part_of(module, folder))
        for folder, parts in PARTS.items()
        if all(f"{name}.".startswith(f"zerosum.{folder}.") for name in (module, imported))
    )


def module_of(path: Path) -> str:
    names = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


def imports_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each imported module with its line; 'from a import b' counts as a.b, which b may be."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are written out in full"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def wrong_imports(path: Path, source: str) -> list[str]:
    """Imports that point the wrong way, as 'file:line: complaint'."""
    room = room_of(module_of(path))
    complaints = []
    for line, module in imports_of(ast.parse(source)):
        top = module.split(".")[0]
        where = f"{path.relative_to(ROOT)}:{line}: {room} imports {module}"
        if top == "zerosum" and points_up(module_of(path), module):
            complaints.append(where)
        if room in ("core", "games") and top not in RULES_MAY_USE | sys.stdlib_module_names:
            complaints.append(where)
        if room != "adapters" and top in FOR_ADAPTERS_ONLY:
            complaints.append(where)
    return complaints


def unrepeatable(path: Path, source: str) -> list[str]:
    """Uses of pickle and of randomness without an explicit seed, as 'file:line: complaint'."""
    tree = ast.parse(source)
    found = [
        (line, module)
        for line, module in imports_of(tree)
        if module.split(".")[0] in {"dill", "joblib", "pickle", "random", "secrets", "shelve"}
    ]
    seeded = {
        id(node.func)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("default_rng") and node.args
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in seeded:
            name = ast.unparse(node)
            random = name.startswith(("np.random.", "numpy.random.")) and not name.endswith(".Generator")
            if random or name in {"torch.load", "torch.save"}:
                found.append((node.lineno, name))
        elif isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            found.append((node.value.lineno, "allow_pickle"))
    return [f"{path.relative_to(ROOT)}:{line}: {name}" for line, name in found]


def test_imports_point_one_way() -> None:
    assert [complaint for path in SOURCES for complaint in wrong_imports(path, path.read_text())] == []


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("games/new.py", "from zerosum.search.tree.uct import simulate"),
        ("games/new.py", "from zerosum import make_player"),
        ("games/families/new.py", "def late():\n    import scipy.ndimage"),
        ("search/new.py", "from zerosum import players"),
        ("core/new.py", "import zerosum.games.connect4"),
        ("arena/new.py", "import pyspiel"),
        ("arena/new.py", "from zerosum.learn.run.run import Run"),
        ("core/compiling/new.py", "from zerosum.core.bits import lowest_bit"),
        ("games/families/new.py", "from zerosum.games.connect4 import make"),
        ("search/exact/new.py", "from zerosum.search.enumerate.graph import Graph"),
        ("search/exact/lines/new.py", "from zerosum.search.exact.solve import solve"),
        ("search/tree/new.py", "from zerosum.search.tree.models.positions import Positions"),
        ("players/common/new.py", "import zerosum.players.random"),
        ("learn/settings/new.py", "from zerosum.learn.events.listeners import Listener"),
        ("learn/training/new.py", "from zerosum.learn.alphazero.loop import AlphaZero"),
    ],
)
def test_an_import_that_points_the_wrong_way_is_found(file: str, source: str) -> None:
    assert len(wrong_imports(PACKAGE / file, source)) == 1


def test_every_room_and_every_folder_in_it_is_known() -> None:
    rooms = {room_of(module_of(path)) for path in SOURCES}
    assert rooms <= set(ROOMS)
    folders = {path.parent.relative_to(PACKAGE).parts for path in SOURCES}
    inside = [(".".join(names[:-1]), names[-1]) for names in folders if len(names) > 1]
    assert [(folder, part) for folder, part in inside if part not in PARTS.get(folder, ())] == []


def test_the_page_for_contributors_names_the_rooms_that_there_are() -> None:
    there = [room for room in ROOMS if (PACKAGE / room).is_dir()]
    assert f"`{' < '.join(there)}`" in (ROOT / "CONTRIBUTING.md").read_text()


def test_every_part_that_is_ordered_is_there() -> None:
    parts = [PACKAGE / folder.replace(".", "/") / part for folder, order in PARTS.items() for part in order]
    assert [part for part in parts if not part.is_dir() and not part.with_suffix(".py").is_file()] == []


def test_no_folder_has_more_files_than_one_takes_in_at_a_glance() -> None:
    counts = Counter(str(path.parent.relative_to(PACKAGE)) for path in SOURCES if path.stem != "__init__")
    assert not {folder: modules for folder, modules in counts.items() if modules > MOST_MODULES}


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in OURS}
    assert {path: lines for path, lines in lengths.items() if lines > 400} == {}


def crowded(source: str) -> set[str]:
    """The compiled functions of a file that take more parameters than one can keep apart."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            marks = {ast.unparse(mark).partition("(")[0] for mark in node.decorator_list}
            compiled = marks & {"kernel", "helper", "part", "first_class"}
            if compiled and len(node.args.args) > MOST_PARAMETERS:
                found.add(node.name)
    return found


def test_what_is_compiled_takes_few_parameters() -> None:
    found = {path.relative_to(PACKAGE).as_posix(): crowded(path.read_text("utf-8")) for path in SOURCES}
    assert {file: names for file, names in found.items() if names} == {}


def test_a_crowded_kernel_is_found() -> None:
    assert crowded("@kernel(x)\ndef far(a, b, c, d, e, f, g): pass\n@part\ndef near(a): pass") == {"far"}


def test_nothing_is_pickled_or_drawn_without_a_seed() -> None:
    assert [complaint for path in SOURCES for complaint in unrepeatable(path, path.read_text())] == []


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from random import choice",
        "import numpy as np\nnp.random.choice(3)",
        "import numpy as np\nnp.random.default_rng()",
        "import torch\ntorch.load('net')",
        "import numpy as np\nnp.load('games.npy', allow_pickle=True)",
    ],
)
def test_pickle_and_unseeded_randomness_are_found(source: str) -> None:
    assert len(unrepeatable(PACKAGE / "games" / "new.py", source)) == 1


def test_a_seeded_generator_is_welcome() -> None:
    source = "import numpy as np\nrng: np.random.Generator = np.random.default_rng(7)"
    assert unrepeatable(PACKAGE / "games" / "new.py", source) == []


def test_importing_the_package_loads_nothing_heavy() -> None:
    """Numba alone takes half a second."""
    program = "import sys, zerosum; print(*sys.modules)"
    command = [sys.executable, "-c", program]
    here = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    loaded = subprocess.run(command, capture_output=True, text=True, check=True, env=here)
    heavy = {"llvmlite", "numba", "numpy", "onnxruntime", "rich", "torch", "typer"}
    assert heavy & set(loaded.stdout.split()) == set()


def test_public_names_are_sorted_complete_and_there() -> None:
    names = zerosum.__all__
    assert names == sorted(names, key=lambda name: (not name.isupper(), name.lstrip("_")[0].islower(), name))
    homes = [name for known in zerosum._HOMES.values() for name in known]
    assert sorted([*homes, "__version__"]) == sorted(names)
    assert all(getattr(zerosum, name) is not None for name in names)
    assert set(names) <= set(dir(zerosum))


def test_every_error_is_public() -> None:
    tree = ast.parse((PACKAGE / "core" / "errors.py").read_text())
    errors = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    assert errors <= set(zerosum.__all__)


def test_what_the_type_checker_sees_is_what_there_is() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        node.module: [alias.name for alias in node.names]
        for node in block.body
        if isinstance(node, ast.ImportFrom)
    }
    assert seen == zerosum._HOMES


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'make_coffee'"):
        _ = zerosum.make_coffee
