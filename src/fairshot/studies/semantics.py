"""When the meaning of classes switches from episode to episode, labels are worth more: CSCC tells, on glyphs.

Networks are trained where a class is always a character, a drawer or an alphabet, and where it is each of them in turn.
What the second kind loses against the first is the price of not knowing what is meant, not that of a harder meaning.
"""

from dataclasses import dataclass

from fairshot.evaluation.consistency import Pair, refuse_pairs, with_ratios
from fairshot.evaluation.evaluate import evaluate
from fairshot.results.folder import joint_key
from fairshot.results.schema import Result, Row
from fairshot.sources.meanings import MEANINGS
from fairshot.splits.meanings import SPLITS
from fairshot.studies.kinds.trained_table import Course, TrainedTable
from fairshot.studies.study import Conditions
from fairshot.tasks.within_parent import WithinParent

SWITCHED = "switched"
TASK = WithinParent(way=5, shot=5, query=15)
STEPS = 600  # for each meaning
CHANGES = "within=True,way=5,shot=5,query=5,tasks=4,val_way=5"


def pair(course: str) -> Pair:
    """Both on what was trained by a course."""
    return Pair(f"centroid@{course}", f"prototypes@{course}")


@dataclass(frozen=True)
class Semantics(TrainedTable):
    """On every meaning, what was trained for it alone and what was trained for all; on all, the latter."""

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Both learners of every pair on every meaning."""
        return {
            (name, f"{meaning} {TASK.label}")
            for meaning, courses in ASKED.items()
            for course in courses
            for name in (pair(course).clusterer, pair(course).classifier)
        }

    def run(self, conditions: Conditions) -> Result:
        """Meaning by meaning."""
        learners, training = self.prepare(conditions)
        rows: list[Row] = []
        for meaning, courses in ASKED.items():
            pairs = [pair(course) for course in courses]
            names = [name for one in pairs for name in (one.clusterer, one.classifier)]
            refuse_pairs(pairs, learners)
            evaluation = evaluate(
                f"meanings/{meaning}/novel",
                {name: learners[name] for name in names},
                self.tasks,
                episodes=min(self.episodes, conditions.limit or self.episodes),
                seed=self.seed,
                backend=conditions.backend,
                out=conditions.out and conditions.out / meaning,
                progress=conditions.progress,
            )
            evaluation = with_ratios(evaluation, pairs)
            rows += [row.model_copy(update={"task": f"{meaning} {row.task}"}) for row in evaluation.rows]
        told = evaluation.result.model_copy(update={"rows": rows, "episodes_key": joint_key(rows)})
        return conditions.stamp(self.beside_published(told, training))


ASKED = {meaning: (meaning, SWITCHED) for meaning in MEANINGS} | {SWITCHED: (SWITCHED,)}

STUDY = Semantics(
    title="What labels are worth when their meaning switches",
    paper="our own question, after Huang et al. 2019",
    name="semantics",
    what=f"meanings/{SWITCHED}/novel",
    learners=tuple(name for course in SPLITS for name in (pair(course).clusterer, pair(course).classifier)),
    courses={
        name: Course(
            "centroid:conditional=softmax",
            changes=f"{CHANGES},steps={STEPS * len(split.meanings)}",
            split=f"meanings/{name}",
        )
        for name, split in SPLITS.items()
    },
    tasks=(TASK,),
    episodes=5000,
)
