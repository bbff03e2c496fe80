"""``./zerosum docs``: build the pages of docs/ into a site, and show it.

The site is made of the Markdown that one reads in the repository; its front is the README, its reference
comes from the docstrings, its gallery from the rules. ``--build`` only builds; what is built lies in
build/site. Zensical is young and so it is pinned; the pages use no plugin, so that another builder could take
its place.
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "build" / "pages"
SITE = ROOT / "build" / "site"
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")
CONFIGURATION = """\
site_name: zerosum
site_description: Two-player board games at native speed, players of every kind, fair contests.
docs_dir: pages
site_dir: site
theme:
  name: material
  palette:
    - media: "(prefers-color-scheme: light)"
      scheme: default
      toggle: {icon: material/weather-night, name: Dark}
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
      toggle: {icon: material/weather-sunny, name: Light}
markdown_extensions: [tables, fenced_code, toc]
"""
# The order of the pages; a page that is missing here comes under the last title.
NAVIGATION = {
    "": ["index.md"],
    "Play and contests": ["playing.md", "players.md", "contests.md", "web.md", "engines.md", "gallery.md"],
    "Games": ["games/*"],
    "Learning": [
        *(
            "alphazero.md",
            "muzero.md",
            "dqn.md",
            "q-learning.md",
            "value-iteration.md",
            "networks.md",
            "runs.md",
        ),
        "scaling.md",
    ],
    "Truth": ["exact-measure.md", "hidden-information.md"],
    "Papers": ["papers/README.md", "papers/*"],
    "Python": ["python.md", "reference.md", "add-a-game.md", "environments.md", "openspiel.md"],
    "The project": ["architecture.md", "contributing.md", "robustness.md", "changelog.md", "*"],
}


def main(arguments: list[str]) -> None:
    write_pages()
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--clean", "-f", "mkdocs.yml"]
    subprocess.run(command, cwd=PAGES.parent, check=True)
    print(f"the site is in {SITE}")
    if "--build" not in arguments:
        show(8000)


def write_pages() -> None:
    """The pages as the builder wants them, in build/pages."""
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    from docs.make_reference import reference

    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (PAGES / "index.md").write_text((ROOT / "README.md").read_text().replace("](docs/", "]("))
    (PAGES / "changelog.md").write_text((ROOT / "CHANGELOG.md").read_text())
    (PAGES / "contributing.md").write_text((ROOT / "CONTRIBUTING.md").read_text().replace("](docs/", "]("))
    (PAGES / "reference.md").write_text(reference())
    write_gallery()
    for page in PAGES.rglob("*.md"):
        page.write_text(LINK.sub(functools.partial(_kept, page), page.read_text()))
    (PAGES.parent / "mkdocs.yml").write_text(CONFIGURATION + navigation())


def navigation() -> str:
    """Every page once, under its title, as the builder reads it."""
    left = sorted(path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.md"))
    lines = ["nav:"]
    for title, patterns in NAVIGATION.items():
        lines += [f"  - {title}:"] if title else []
        for pattern in patterns:
            found = [page for page in left if fnmatch(page, pattern)]
            left = [page for page in left if page not in found]
            lines += [f"{'    ' if title else ''}  - {page}" for page in found]
    return "\n".join(lines) + "\n"


def write_gallery() -> None:
    """A board of every game, some moves from its start, with how it is spelt."""
    import zerosum

    parts = ["# Gallery", "Every game after some random moves."]
    folder = PAGES / "pictures" / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    for listing in zerosum.list_games():
        spec = {"mnk": "mnk:7x7x4", "invisible-mnk": "invisible-mnk:4x4x3"}.get(listing.name, listing.name)
        game = zerosum.make_game(spec)
        state, player = game.new(1), zerosum.make_player("random", game)
        player.new_game(1)
        for _ in range(10):
            if not state.finished:
                state.play(player.choose(state.view()).action)
        (folder / f"{listing.name}.svg").write_text(zerosum.draw_svg(state.picture(), 320))
        said = f"## {game.title}\n\n{listing.summary} `{spec}`"
        parts.append(f"{said}\n\n![{game.title}](pictures/gallery/{listing.name}.svg)")
    (PAGES / "gallery.md").write_text("\n\n".join(parts) + "\n")


def broken_links() -> list[str]:
    """Links of the pages written that lead nowhere, as 'page: link'."""
    return [
        f"{page.relative_to(PAGES)}: {found[3]}"
        for page in PAGES.rglob("*.md")
        for found in LINK.finditer(page.read_text())
        if not (page.parent / found[3]).exists()
    ]


def show(port: int) -> None:
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(SITE))
    print(f"http://127.0.0.1:{port}; Ctrl-C ends it")
    try:
        ThreadingHTTPServer(("127.0.0.1", port), handler).serve_forever()
    except KeyboardInterrupt:
        print()


def _kept(page: Path, found: re.Match[str]) -> str:
    """A link that leads to a page or a picture; of one that leads out of docs/ only its text."""
    same = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "README.md": "index.md"}
    target = same.get(Path(found[3]).name, found[3])
    if not (page.parent / target).exists():
        return found[2]
    return f"{found[1]}[{found[2]}]({target}{found[4] or ''})"


if __name__ == "__main__":
    main(sys.argv[1:])
