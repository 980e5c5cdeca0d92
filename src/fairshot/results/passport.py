"""A passport: one file with a result, its episodes and every answer, which another machine can verify."""

import re
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fairshot.results.evaluation import Evaluation
from fairshot.results.folder import RESULT
from fairshot.runtime.archives import open_archive
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file, require_ending

MEMBER = re.compile(rf"{re.escape(RESULT)}|(scores|episodes)/[\w-]+\.npz")
MOMENT = (1980, 1, 1, 0, 0, 0)  # equal results give equal files


def write_passport(evaluation: Evaluation, path: Path) -> Path:
    """Writes a zip of what a folder of results holds, but for what can be made from it."""
    require_ending(path, (".zip",), "a passport")
    with tempfile.TemporaryDirectory() as scratch, complete_file(path) as unfinished:
        folder = evaluation.save(scratch)
        with zipfile.ZipFile(unfinished, "w") as archive:
            for file in sorted(folder.rglob("*")):
                name = file.relative_to(folder).as_posix()
                if MEMBER.fullmatch(name):
                    archive.writestr(zipfile.ZipInfo(name, MOMENT), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return path


@contextmanager
def opened(path: Path) -> Iterator[Evaluation]:
    """The evaluation in a folder of results, or in a passport as long as it is looked at."""
    if path.is_dir():
        yield Evaluation.load(path)
        return
    if path.suffix != ".zip" or not path.is_file():
        raise FairshotError(f"there is no result {path}: give a folder that evaluate saved to, or a passport, a .zip")
    with tempfile.TemporaryDirectory() as scratch:
        with open_archive(path) as (names, read):
            for name in names:
                if not MEMBER.fullmatch(name):
                    raise FairshotError(f"{path} holds {name}, which no passport has: do not use it")
                target = Path(scratch) / name
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(read(name))
        yield Evaluation.load(scratch)
