"""Files that are read while answering: a test set that is looked up, weights that are loaded, programs, hosts."""

import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np

from fairshot.checks.answer_changes import clearly_above, compare_answers
from fairshot.checks.check import Case, LearnerCheck
from fairshot.checks.finding import Outcome
from fairshot.checks.memory import DROP, accuracy
from fairshot.runtime.cache import cache_folder
from fairshot.runtime.data import data_folders
from fairshot.runtime.errors import FairshotError
from fairshot.tables.words import percent
from fairshot.tasks.episodes import PAD

NEEDLES = 8  # images that are looked for in a file
LEAST_BYTES = 32  # of an image: fewer are found by chance
LARGEST = 1 << 30  # bytes of a file that is searched
NAMED = 3  # files in a sentence


class Files(LearnerCheck):
    """Looks at what was opened, started and connected to, and asks again while none of it can be reached."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """The test set itself is a leak; so is what makes answers worse when it is missing."""
        before = accuracy(case)
        reached = case.watch.reached
        if not reached:
            return "ok", "no file is read, no program started and no host connected to"
        named = ", ".join(reached[:NAMED]) + (f" and {len(reached) - NAMED} more" if len(reached) > NAMED else "")
        for path in case.watch.files:
            reason = _test_set(case, Path(path))
            if reason:
                return "leak", f"while answering it reads {path}, which {reason}"
        return _without(case, before, named)


def _without(case: Case, before: np.ndarray, named: str) -> tuple[Outcome, str]:
    """Asks a fresh copy that cannot reach what the learner reached."""
    asked = case.fresh()
    asked.watch.hidden = frozenset(case.watch.reached)
    try:
        after = accuracy(asked)
    except FairshotError as error:
        return "warning", f"while answering it needs {named}: make sure that no answers are in there ({error})"
    rates = f"accuracy {percent(float(before.mean()))}, without it {percent(float(after.mean()))}"
    if clearly_above(before - after, DROP):
        return "leak", f"while answering it takes the answers from {named}: {rates}"
    change = compare_answers(case.logits, asked.logits, case.batch.query_mask)
    if change.changed:
        return "warning", f"while answering it reads {named}: {rates}, {change}"
    if not asked.watch.hidden <= set(asked.watch.reached):
        return "warning", f"while answering it reads {named} once and keeps it: make sure that no answers are in there"
    return "ok", f"answers stay the same without {named}"


def _test_set(case: Case, path: Path) -> str:
    """Why a file is the test set, or holds some of it; empty if it does not seem so."""
    folders = [cache_folder(), *(folder / case.part.name.partition("/")[0] for folder in data_folders())]
    if any(path.is_relative_to(folder.resolve()) for folder in folders):
        return "belongs to the data that it is asked about"
    images = _needles(case)
    found = any(image in content for content in _contents(path) for image in images)
    return "holds images that it is asked about" if found else ""


def _needles(case: Case) -> list[bytes]:
    """Some of the images in the forms in which a file may hold them."""
    ids = case.episodes.query_ids[0]
    stored = case.part.read(case.part.rows(ids[ids != PAD][:NEEDLES]))
    forms = [stored, stored.astype(np.float32), stored.astype(np.float64)]
    if case.part.has_images:
        forms += [case.part.recipe.scale(stored), (stored / np.float32(255)).astype(np.float32), stored / 255]
    images = [np.ascontiguousarray(image) for form in forms for image in form]
    return [image.tobytes() for image in images if image.nbytes >= LEAST_BYTES and np.ptp(image) > 0]


def _contents(path: Path) -> Iterator[bytes]:
    """The file itself and what is packed in it; numbers of double precision also in single precision."""
    with suppress(OSError, ValueError, EOFError, zipfile.BadZipFile):
        if path.stat().st_size > LARGEST:
            return
        yield path.read_bytes()
        if path.suffix in (".npz", ".npy"):
            loaded = np.load(path, allow_pickle=False)
            for array in loaded.values() if path.suffix == ".npz" else [loaded]:
                yield np.ascontiguousarray(array).tobytes()
                if array.dtype == np.float64:
                    yield np.ascontiguousarray(array.astype(np.float32)).tobytes()
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                yield from (packed.read(name) for name in packed.namelist())
