"""A passport: one file with a result, its episodes and every answer, which another machine can verify."""

import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fairshot.results.evaluation import Evaluation
from fairshot.results.folder import RESULT, episode_counts, episode_tables, load_episodes, score_keys
from fairshot.results.records import Records
from fairshot.results.schema import parse_result, text_with_checksum
from fairshot.runtime.archives import open_archive
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file, require_ending
from fairshot.runtime.kept_tables import pack_tables
from fairshot.statistics.answers import Layout
from fairshot.statistics.scores import Scores, load_scores
from fairshot.tasks.episodes import Episodes

MEMBER = re.compile(rf"{re.escape(RESULT)}|(scores|episodes)/[\w-]+\.npz")
MOMENT = (1980, 1, 1, 0, 0, 0)  # equal results give equal files


@dataclass(frozen=True, eq=False)
class PassportRecords(Records):
    """The scores and episodes in a passport, by the names of its files."""

    path: Path
    contents: Mapping[str, bytes]

    def scores(self, key: str) -> Scores:
        """The scores of one row, or of one of the runs it is the mean of."""
        return load_scores(self.path / "scores" / key, self.contents.get(f"scores/{key}.npz", b""))

    def episodes(self, key: str, count: int) -> tuple[Layout, Episodes]:
        """The first episodes under a key, and what they could have drawn from."""
        layout, episodes = load_episodes(self.path / "episodes" / key, self.contents.get(f"episodes/{key}.npz", b""))
        return layout, episodes[:count]


def write_passport(evaluation: Evaluation, path: Path) -> Path:
    """Writes a zip of what a folder of results holds, but for what can be made from it."""
    require_ending(path, (".zip",), "a passport")
    rows, records = evaluation.rows, evaluation.records
    contents = {RESULT: text_with_checksum(evaluation.result).encode()}
    for key in {key for row in rows for key in score_keys(row)}:
        contents[f"scores/{key}.npz"] = pack_tables(records.scores(key).tables)
    for key, count in episode_counts(rows).items():
        contents[f"episodes/{key}.npz"] = pack_tables(episode_tables(*records.episodes(key, count)))
    with complete_file(path) as unfinished, zipfile.ZipFile(unfinished, "w") as archive:
        for name, content in sorted(contents.items()):
            archive.writestr(zipfile.ZipInfo(name, MOMENT), content, zipfile.ZIP_DEFLATED)
    return path


def load_result(path: Path) -> Evaluation:
    """The evaluation in a folder of results, or in a passport."""
    if path.is_dir():
        return Evaluation.load(path)
    if path.suffix != ".zip" or not path.is_file():
        raise FairshotError(f"there is no result {path}: give a folder that evaluate saved to, or a passport, a .zip")
    with open_archive(path) as (names, read):
        strange = [name for name in names if not MEMBER.fullmatch(name)]
        if strange or RESULT not in names:
            told = f"holds {strange[0]}, which no passport has" if strange else "is no passport"
            raise FairshotError(f"{path} {told}: do not use it")
        contents = {name: read(name) for name in names}
    try:
        result = parse_result(json.loads(contents[RESULT]))
    except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
        raise FairshotError(f"{path} holds no readable result of fairshot: do not use it") from error
    return Evaluation(result, PassportRecords(path, contents))
