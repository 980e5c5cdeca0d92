"""Episodes as a person sees them: the easiest, the median and the hardest one."""

import itertools
from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from jaxtyping import Int

from fairshot.evaluation.diagnosis import Diagnoses, Diagnosis
from fairshot.evaluation.shown_episode import ShownEpisode, ends
from fairshot.reports.episode_pictures import CELL, MOST_CLASSES, ClassPictures, class_pictures
from fairshot.reports.pages.section import PageSection
from fairshot.results.evaluation import Evaluation
from fairshot.results.records import MemoryRecords
from fairshot.runtime.errors import FairshotError
from fairshot.tables.html import breakable, escape
from fairshot.tables.tabular import Tabular
from fairshot.tasks.block_memory import widen
from fairshot.tasks.episodes import Episodes


class Gallery(PageSection):
    """Three episodes of the first task, by the scores of the best learner; of a diagnosis, those of each learner."""

    place: ClassVar = 30
    heading: ClassVar = "Episodes"

    def body(self, result: Tabular) -> str:
        """Pictures, where images are at hand: those of vectors, or of a folder of results, are not."""
        if isinstance(result, Evaluation):
            return _of_evaluation(result)
        diagnoses = result.rows if isinstance(result, Diagnoses) else [result] if isinstance(result, Diagnosis) else []
        return "".join(_block(one.question.task, one.question.learner, one.shown) for one in diagnoses if one.shown)


def _of_evaluation(result: Evaluation) -> str:
    if not isinstance(result.records, MemoryRecords):
        return ""
    rows = [row for row in result.rows if row.per_query and row.scores_key and not row.runs and row.value is not None]
    rows = [row for row in rows if row.task == rows[0].task]
    if not rows:
        return ""
    best = max(rows, key=lambda row: row.value or 0)
    listed = result.records.lists_by_key.get(best.episodes_key)
    if listed is None or not listed.part.has_images:
        return ""
    scores = result.scores(best)[0]
    places = ends(scores.values)
    episodes = widen(listed.first(len(scores)))[np.array(list(places.values()))]
    answered = _labels(result.records, best.learner, episodes)
    shown = [
        ShownEpisode(
            word=word, part=listed.part, episodes=episodes[k : k + 1], correct=scores.correct[at], chosen=labels
        )
        for k, ((word, at), labels) in enumerate(zip(places.items(), answered, strict=False))
    ]
    return _block(best.task, best.learner, shown)


def _labels(records: MemoryRecords, learner: str, episodes: Episodes) -> Iterable[Int[np.ndarray, " query"] | None]:
    """What the learner answers in each episode; unknown where it cannot be asked again."""
    try:
        return records.ask[learner](episodes)
    except (KeyError, FairshotError):
        return itertools.repeat(None)


def _mistakes(one: ClassPictures) -> str:
    """Below each picture the number of the class that was answered instead; nothing below those that are right."""
    if not any(name for _, name in one.instead):
        return ""
    cells = [
        f'<span title="{escape(name)}">→ {place + 1}</span>' if name else "<span></span>" for place, name in one.instead
    ]
    return f'<div class="instead" style="--cell: {CELL}px">{"".join(cells)}</div>'


def _block(task: str, learner: str, shown: Sequence[ShownEpisode]) -> str:
    about = (
        f"{task}, answered by {learner}. Left the support of each class, right its queries: a green frame for "
        f"a right answer, an orange one for a wrong one; at most {MOST_CLASSES} classes are shown."
    )
    if any(one.chosen is not None for one in shown):
        about += " Below a wrong answer: the number of the class that was answered."
    blocks = [_episode(one.word, class_pictures(one)) for one in shown]
    return f'<p class="soft">{escape(about)}</p><div class="episodes">{"".join(blocks)}</div>'


def _episode(word: str, classes: list[ClassPictures]) -> str:
    right, asked = sum(one.right for one in classes), sum(one.asked for one in classes)
    lines = [
        f'<tr><th scope="row">{number}. {breakable(one.name)}</th>'
        f'<td><img src="{one.support}" alt="support of {escape(one.name)}"></td>'
        f'<td><img src="{one.queries}" alt="{one.right} of {one.asked} queries of {escape(one.name)} right">'
        f"{_mistakes(one)}</td></tr>"
        for number, one in enumerate(classes, 1)
    ]
    heading = f"The {word} episode: {right} of {asked} queries shown are right" if asked else f"The {word} episode"
    return f'<div class="episode wide" tabindex="0"><h4>{escape(heading)}</h4><table>{"".join(lines)}</table></div>'
