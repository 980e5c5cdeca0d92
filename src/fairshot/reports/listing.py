"""What there is, and what a source holds."""

from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from fairshot.generators.weights import shipped_generators
from fairshot.learners.training.record import read_record, shipped_weights
from fairshot.runtime.data import data_folders
from fairshot.runtime.download import Remote, accept, fetch
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import require_ending
from fairshot.sources.image_file import check_images
from fairshot.sources.images.contact_sheet import contact_sheet
from fairshot.sources.images.example_sheet import save_picture
from fairshot.sources.images.imports import import_copy
from fairshot.sources.recipe import RECIPES
from fairshot.sources.source import Source
from fairshot.sources.summary import SourceSummary
from fairshot.specs.data import known_splits
from fairshot.specs.meta_dataset_summary import summarise_meta_dataset
from fairshot.specs.registry import find_module, names
from fairshot.splits.any_source import RULES

PICTURES = (".png", ".jpg", ".jpeg", ".webp")  # endings of a contact sheet


def render_names(kind: str) -> None:
    """The instances of a kind with a line each."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    for name, line in _lines(kind).items():
        table.add_row(f"  {name}", line)
    console = Console(emoji=False)
    console.print(kind, style="bold")
    console.print(table)


def _lines(kind: str) -> dict[str, str]:
    if kind == "recipes":
        return {name: recipe.about for name, recipe in RECIPES.items()}
    if kind == "learners":
        shipped = {name: f"weights: {read_record(path)[0].about}" for name, path in shipped_weights().items()}
        return names(kind) | shipped
    if kind == "generators":
        shipped = {name: f"weights: {read_record(path)[0].about}" for name, path in shipped_generators().items()}
        return names(kind) | shipped
    if kind != "splits":
        return names(kind)
    own = {
        f"{source}/{name}": split.about for source in names("sources") for name, split in known_splits(source).items()
    }
    return own | {f"SOURCE/{name}": line for name, line in RULES.items()}


def render_source(source: Source, sheet: Path | None) -> None:
    """How many of what; and a contact sheet if wanted."""
    if sheet is not None and not source.has_images:
        raise FairshotError(f"{source.name} holds feature vectors: there is nothing to see on a contact sheet")
    if sheet is not None:
        require_ending(sheet, PICTURES, "a picture")
    print(SourceSummary(source), end="")
    if sheet is not None:
        save_picture(contact_sheet(source, classes=20, drawings=20), sheet)
        print(f"Contact sheet: {sheet}")


def render_meta_dataset(sheet: Path | None) -> None:
    """Which of Meta-Dataset's ten sources are here; and a sheet with examples of each if wanted."""
    summary = summarise_meta_dataset()
    print(summary, end="")
    if sheet is not None:
        summary.sheet(sheet)
        print(f"Examples: {sheet}")


def verify_source(source: Source) -> None:
    """Compares every stored image of a source with the hashes that were noted when it was converted."""
    store = source.store
    if not isinstance(store, np.memmap) or store.filename is None:
        raise FairshotError(f"{source.name} is not stored on disk: there is nothing to compare")
    print(f"{store.filename}: {check_images(Path(store.filename)):,} images are as they were written")


def _remotes(name: str) -> tuple[Remote, ...]:
    remotes = getattr(find_module("sources", name), "REMOTES", None)
    if remotes is None:
        raise FairshotError(f"{name} has no archives to fetch: it is made here or read from your own files")
    return remotes


def fetch_with_progress(name: str) -> None:
    """All archives of a source, into the first data folder."""
    for remote in _remotes(name):
        path = _fetch_shown(remote, data_folders()[0] / name)
        print(f"{path}: {remote.size:,} bytes, sha256 as expected")


def _fetch_shown(remote: Remote, folder: Path) -> Path:
    with Console(stderr=True, emoji=False).status(f"{remote.name}: 0%") as status:
        return fetch(remote, folder, progress=lambda here, whole: status.update(f"{remote.name}: {here / whole:.0%}"))


def import_files(name: str, files: list[Path], *, link: bool = False) -> None:
    """Official archives, or a converted copy, that the user has already."""
    copies = getattr(find_module("sources", name), "COPIES", {})
    if "official" in copies:
        for path in import_copy(name, copies, files, link=link):
            print(f"{path}: read to its end, nothing is damaged")
        return
    if link:
        raise FairshotError(f"{name} is copied, after its sha256 was compared: leave out --link")
    remotes = _remotes(name)
    for file in files:
        print(f"{accept(remotes, file, data_folders()[0] / name)}: sha256 as expected")
