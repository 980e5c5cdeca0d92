"""Episodes as a person sees them: the easiest, the median and the hardest one."""

from typing import ClassVar

import numpy as np

from fairshot.reports.episode_pictures import MOST_CLASSES, ClassPictures, class_pictures
from fairshot.reports.pages.section import PageSection
from fairshot.results.evaluation import Evaluation
from fairshot.results.records import MemoryRecords
from fairshot.results.schema import Row
from fairshot.tables.html import escape
from fairshot.tables.tabular import Tabular


class Gallery(PageSection):
    """Three episodes of the first task, by the scores of the best learner."""

    place: ClassVar = 30
    heading: ClassVar = "Episodes"

    def body(self, result: Tabular) -> str:
        """Pictures, where images are at hand: those of vectors, or of a folder of results, are not."""
        if not isinstance(result, Evaluation) or not isinstance(result.records, MemoryRecords):
            return ""
        rows = [
            row for row in result.rows if row.per_query and row.scores_key and not row.runs and row.value is not None
        ]
        rows = [row for row in rows if row.task == rows[0].task]
        if not rows:
            return ""
        best = max(rows, key=lambda row: row.value or 0)
        listed = result.records.lists_by_key.get(best.episodes_key)
        if listed is None or not listed.part.has_images:
            return ""
        scores = result.scores(best)[0]
        order = np.argsort(scores.values, kind="stable")
        episodes = listed.first(len(scores))
        chosen = {"easiest": order[-1], "median": order[len(order) // 2], "hardest": order[0]}
        blocks = [
            _episode(word, class_pictures(listed.part, episodes, int(number), scores.correct[number]))
            for word, number in chosen.items()
        ]
        return f'<p class="soft">{escape(_about(best))}</p><div class="episodes">{"".join(blocks)}</div>'


def _about(row: Row) -> str:
    return (
        f"{row.task}, answered by {row.learner}. Left the support of each class, right its queries: a green frame for "
        f"a right answer, an orange one for a wrong one; at most {MOST_CLASSES} classes are shown."
    )


def _episode(word: str, classes: list[ClassPictures]) -> str:
    right, asked = sum(one.right for one in classes), sum(one.asked for one in classes)
    lines = [
        f'<tr><th scope="row">{escape(one.name)}</th>'
        f'<td><img src="{one.support}" alt="support of {escape(one.name)}"></td>'
        f'<td><img src="{one.queries}" alt="{one.right} of {one.asked} queries of {escape(one.name)} right"></td></tr>'
        for one in classes
    ]
    heading = f"The {word} episode: {right} of {asked} queries shown are right" if asked else f"The {word} episode"
    return f'<div class="episode wide" tabindex="0"><h3>{escape(heading)}</h3><table>{"".join(lines)}</table></div>'
