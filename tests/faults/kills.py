"""Long commands are killed at random moments, and given again: what they make is what an undisturbed command makes."""

import json
import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fairshot.evaluation import cell
from fairshot.learners.training import resumable
from fairshot.sources import image_file
from fairshot.studies.study import TableStudy, run_study
from fairshot.tasks.uniform import Uniform
from tests.faults.child import Ended, command, end_of, kill, left_behind, run, start

ROW = 5  # kills of one command before it may end
LEFT = (".unfinished-", ".resumable-", ".lock")
TIMES = ("seconds", "checksum")  # what differs between two runs of a study

Work = Callable[[Path], Callable[[], object]]
"""Makes the work of a command that writes to a folder."""


@dataclass(frozen=True)
class Long:
    """A long command, and which of the files that it makes must be the same after any kill."""

    name: str
    work: Work
    kept: tuple[str, ...]


@dataclass
class Counts:
    """What was tried on one command, and what came of it; every fault is a line."""

    kills: int = 0
    late: int = 0
    ended: int = 0
    orphans: int = 0
    faults: list[str] = field(default_factory=list)


def make_world(folder: Path) -> None:
    """Small pictures in class folders, vectors, and a result to report about."""
    rng = np.random.default_rng(0)
    for label in range(6):
        place = folder / "pictures" / f"class{label}"
        place.mkdir(parents=True)
        for number in range(12):
            Image.fromarray(rng.integers(0, 256, (48, 48, 3), dtype=np.uint8)).save(place / f"{number:02d}.png")
    labels = np.repeat(np.arange(8), 20)
    X = rng.normal(size=(8, 6))[labels] + 1.5 * rng.normal(size=(160, 6))
    np.savez(folder / "vectors.npz", X=X.astype(np.float32), y=labels)
    words = ("evaluate", f"array:{folder / 'vectors.npz'}", "--learner", "prototypes", "ridge", "--episodes", "200")
    assert run(command(*words, "--out", str(folder / "result")), folder / "log").code == 0


def study_of(learners: int, ways: int, shots: int) -> TableStudy:
    """A table with many small cells."""
    names = tuple(f"neighbours:k={k}" for k in range(1, learners + 1))
    tasks = tuple(Uniform(way, shot, 3) for way in range(2, ways + 2) for shot in range(1, shots + 1))
    return TableStudy("Many cells", "", "glyphs:alphabets=2,characters=6", names, tasks, recipe="16", episodes=20)


def long_commands(world: Path) -> list[Long]:
    """Every kind of long command, small enough to be killed many times a minute."""
    vectors, pictures = f"array:{world / 'vectors.npz'}", f"folder:{world / 'pictures'}"
    glyphs = "glyphs:alphabets=5,characters=6,drawers=5"

    def typed(*words: str, out: str = "--out") -> Work:
        return lambda folder: command(*words, *([out, str(folder / "out")] if out else []))

    def study(folder: Path) -> Callable[[], object]:
        return lambda: run_study(study_of(5, 4, 3), out=folder / "out") and 0

    learners = ("--learner", "prototypes", "neighbours", "ridge")
    return [
        Long("load", typed("data", "show", pictures, out=""), ("cache/sources/*/*.npy",)),
        Long("convert", typed("data", "show", glyphs, "--recipe", "omniglot-eval", out=""), ("cache/sources/*/*.npy",)),
        Long(
            "train",
            typed(
                "train",
                "prototypes",
                "--split",
                f"{glyphs}/parents",
                "--recipe",
                "16",
                "--set",
                "way=5,steps=40,epoch=10",
            ),
            ("out/**/*.safetensors",),
        ),
        Long("evaluate", typed("evaluate", vectors, *learners, "--shot", "1,5", "--episodes", "1500"), ("out/**/*.*",)),
        Long(
            "evaluate in processes",
            typed("evaluate", vectors, "--learner", "logistic", "--episodes", "300", "--backend", "local"),
            ("out/**/*.*",),
        ),
        Long("study", study, ("out/**/*.*",)),
        Long(
            "report",
            lambda folder: command("report", str(world / "result"), "--out", str(folder / "out" / "page.html")),
            ("out/page.html",),
        ),
        Long(
            "score",
            lambda folder: command(
                *("score", "copy", "warped", "--critic", "glyphs", "--on", f"{glyphs}/parents/novel", "--allow-seen"),
                *("--way", "4", "--times", "20", "--count", "4", "--pictures", str(folder / "out")),
            ),
            ("out/*.svg",),
        ),
    ]


@contextmanager
def often_saved() -> Iterator[None]:
    """Everything is saved many times a second, so that kills meet it half done."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cell, "SAVE_SECONDS", 0.02)
        patch.setattr(resumable, "CHECKPOINT_SECONDS", 0.05)
        patch.setattr(image_file, "PART", 40_000)
        yield


def made(folder: Path, patterns: tuple[str, ...]) -> dict[str, bytes]:
    """The files that must be the same, without what tells of time and of the folder's own name."""
    found = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
    chosen = sorted(path for path in found if path.name != "checkpoint.safetensors" and "training" not in path.name)
    return {str(path.relative_to(folder)): _content(path, folder) for path in chosen}


def _content(path: Path, folder: Path) -> bytes:
    content = path.read_bytes().replace(str(folder).encode(), b"FOLDER")
    if path.suffix != ".json":
        return content
    held = json.loads(content)
    return json.dumps({name: value for name, value in held.items() if name not in TIMES}).encode()


def killed(long: Long, folder: Path, kills: int, seed: int, until: float = float("inf")) -> Counts:
    """Counts of what so many kills at random moments did; ends earlier where the time is up."""
    counts, rng = Counts(), random.Random(f"{seed} {long.name}")
    whole = _undisturbed(long, folder / "whole", counts)
    if whole is None:
        return counts
    expected, seconds = whole
    while counts.kills + counts.late < kills and time.monotonic() < until:
        for _ in range(min(ROW, kills - counts.kills - counts.late)):
            # Anywhere in the whole command, or soon: what was kept makes the next one shorter.
            _kill_once(long, folder / "parts", rng.random() * seconds * rng.choice((1, 2 / ROW)), counts)
        ended = _run(long, folder / "parts")
        counts.ended += 1
        if ended.code != 0:
            counts.faults.append(f"{long.name}: given again it ended with {ended.code}: {ended.said[-300:]}")
        elif made(folder / "parts", long.kept) != expected:
            counts.faults.append(f"{long.name}: other files than an undisturbed command makes")
        left = [path.name for path in (folder / "parts").rglob("*") if path.name.startswith(LEFT)]
        if left:
            counts.faults.append(f"{long.name}: left behind: {', '.join(left[:3])}")
        shutil.rmtree(folder / "parts")
    return counts


def _undisturbed(long: Long, folder: Path, counts: Counts) -> tuple[dict[str, bytes], float] | None:
    ended = _run(long, folder)
    expected = made(folder, long.kept)
    if ended.code != 0 or not expected:
        counts.faults.append(f"{long.name}: undisturbed it ended with {ended.code}: {ended.said[-300:]}")
        return None
    return expected, ended.seconds


def _kill_once(long: Long, folder: Path, after: float, counts: Counts) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    child = start(_in_folder(long, folder), folder / "log")
    time.sleep(after)
    if kill(child) == -9:
        counts.kills += 1
    else:
        counts.late += 1
    orphans = left_behind(child)
    counts.orphans += orphans
    if orphans:
        counts.faults.append(f"{long.name}: {orphans} processes are there ten seconds after it was killed")


def _run(long: Long, folder: Path) -> Ended:
    folder.mkdir(parents=True, exist_ok=True)
    child = start(_in_folder(long, folder), folder / "log")
    return end_of(child, folder / "log", 600.0)


def _in_folder(long: Long, folder: Path) -> Callable[[], object]:
    """The work with a cache of its own."""

    def work() -> object:
        os.environ["FAIRSHOT_CACHE"] = str(folder / "cache")
        return long.work(folder)()

    return work
