"""Lake's 20 runs: fixed 20-way one-shot tasks within ten alphabets, one drawer's characters against another's
(Lake et al. 2015; https://github.com/brendenlake/omniglot, all_runs.zip).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.episodes import Episodes
from fairshot.tasks.task import TaskDistribution

# The 20 characters of each alphabet, in the order in which the runs show them as support; two runs an alphabet.
CHARACTERS = {
    "Atlantean": "1 2 3 4 5 7 8 9 10 13 14 16 19 20 21 22 23 24 25 26",
    "Ge_ez": "1 2 3 4 5 6 8 9 10 12 14 15 16 17 18 20 21 23 24 25",
    "Glagolitic": "1 2 3 5 6 7 14 17 18 19 20 21 26 28 31 34 36 37 40 43",
    "Gurmukhi": "3 6 7 8 9 13 14 15 16 17 31 22 25 26 29 32 33 38 43 44",
    "Kannada": "1 3 5 8 11 12 13 14 19 20 21 23 25 26 27 28 33 35 40 41",
    "Malayalam": "2 4 5 9 13 14 15 16 17 19 20 21 22 25 27 29 30 37 43 46",
    "Manipuri": "3 4 6 8 9 11 12 13 15 17 19 21 22 25 29 33 35 36 37 39",
    "Old_Church_Slavonic_(Cyrillic)": "2 4 5 6 7 8 9 11 12 13 14 15 23 24 25 30 33 41 44 45",
    "Tengwar": "1 2 4 5 7 8 9 10 11 12 13 16 18 19 20 21 22 23 24 25",
    "Tibetan": "1 2 3 5 6 7 8 9 11 13 14 15 21 22 24 33 35 36 38 41",
}
# For each run: who drew the support, who drew the queries, and the queries' characters in order.
RUNS = (
    (5, 8, "9 10 2 25 13 24 19 1 4 14 23 3 26 8 16 5 7 21 20 22"),
    (3, 2, "26 3 5 21 4 7 23 2 8 10 14 9 19 24 22 25 1 13 16 20"),
    (3, 7, "15 9 25 2 1 21 5 12 17 18 16 24 10 3 8 20 6 23 4 14"),
    (4, 2, "18 4 1 16 8 10 14 17 5 24 3 23 20 6 25 21 2 9 15 12"),
    (6, 4, "17 6 14 40 28 34 19 20 18 43 3 1 21 31 2 7 26 37 36 5"),
    (3, 2, "43 37 40 7 36 5 6 18 31 2 26 20 1 19 17 21 28 3 14 34"),
    (5, 2, "22 17 16 7 33 3 6 32 44 25 26 9 38 31 43 8 13 29 14 15"),
    (8, 3, "32 9 6 44 14 8 43 33 3 17 22 38 29 15 7 25 16 26 31 13"),
    (2, 1, "35 20 25 19 8 12 3 27 26 14 33 11 21 13 1 28 40 5 23 41"),
    (8, 3, "41 23 25 26 40 8 33 11 20 12 35 28 1 21 5 27 13 19 14 3"),
    (3, 7, "17 29 25 30 22 4 43 13 20 9 27 14 46 2 19 15 37 5 16 21"),
    (4, 2, "27 13 29 46 5 37 25 21 4 14 15 9 16 2 20 43 30 17 22 19"),
    (8, 4, "6 22 11 15 19 21 13 17 29 9 39 12 36 37 33 3 8 4 25 35"),
    (7, 3, "36 21 22 3 25 29 17 11 9 15 4 12 35 33 13 39 6 8 37 19"),
    (4, 8, "44 15 4 14 12 25 24 30 13 33 11 41 2 9 45 8 5 6 23 7"),
    (1, 2, "7 45 13 8 25 11 5 30 6 33 15 2 9 23 41 44 4 12 14 24"),
    (1, 4, "4 16 24 8 1 21 9 25 23 7 2 12 5 20 22 11 19 18 10 13"),
    (8, 7, "8 23 5 21 2 11 16 10 4 20 22 12 19 7 13 24 25 1 9 18"),
    (1, 3, "15 21 3 2 8 41 13 11 33 7 24 1 22 36 35 14 5 38 9 6"),
    (8, 5, "33 5 35 36 11 13 7 3 15 14 2 8 1 24 9 6 38 22 21 41"),
)


@dataclass(frozen=True)
class LakeRuns(TaskDistribution):
    """The 20 published runs, in order; the seed plays no part."""

    seeded: ClassVar = False

    @property
    def label(self) -> str:
        """What a table's column is called."""
        return "Lake's 20 runs"

    def length(self, source: Source) -> int:
        """Twenty."""
        return len(RUNS)

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """All runs; needs Omniglot's evaluation alphabets with their drawers."""
        try:
            classes = {name: number for number, name in enumerate(source.class_names)}
            drawn = zip(source.class_ids.tolist(), source.attributes["drawer"].tolist(), strict=True)
            image = dict(zip(drawn, source.image_ids.tolist(), strict=True))
            runs = [_run(number, classes, image) for number in episodes]
        except KeyError as error:
            raise FairshotError(
                f"Lake's 20 runs need Omniglot's evaluation alphabets, {source.name} lacks {error}"
            ) from error
        support, query, labels, class_ids = (np.array(column) for column in zip(*runs, strict=True))
        return Episodes(support, np.tile(np.arange(20), (len(runs), 1)), query, labels, class_ids)


def _run(number: int, classes: dict[str, int], image: dict[tuple[int, int], int]) -> tuple[list[int], ...]:
    support_drawer, query_drawer, query_order = RUNS[number]
    alphabet, characters = list(CHARACTERS.items())[number // 2]
    shown = characters.split()
    class_of = {character: classes[f"{alphabet}/character{int(character):02d}"] for character in shown}
    support = [image[class_of[character], support_drawer] for character in shown]
    query = [image[class_of[character], query_drawer] for character in query_order.split()]
    return support, query, [shown.index(character) for character in query_order.split()], list(class_of.values())
