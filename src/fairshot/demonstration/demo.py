"""The verb `demo`: the main job on the embedded glyphs, in seconds and without a download."""

from pathlib import Path

from fairshot.evaluation.evaluate import evaluate
from fairshot.results.evaluation import Evaluation
from fairshot.runtime.backends.backend import Backend, Progress
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent

LEARNERS = ("chance", "pixels", "prototypes", "prototypes:metric=centred", "ridge")
TASKS = tuple(kind(way=5, shot=shot, query=5) for shot in (1, 5) for kind in (Uniform, WithinParent))


def demo(
    *, episodes: int = 1000, seed: int = 0, backend: Backend = "auto", out: Path, progress: Progress
) -> Evaluation:
    """Learners without training on novel alphabets of glyphs: any characters together, and one alphabet's together."""
    part = find_part("glyphs/parents/novel", recipe="28")
    learners = {name: find_learner(name) for name in LEARNERS}
    return evaluate(part, learners, TASKS, episodes=episodes, seed=seed, backend=backend, out=out, progress=progress)
