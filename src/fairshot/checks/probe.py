"""A small question that is asked again under other circumstances, which no answer may hang on."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from fairshot.checks.answer_changes import Change, changed_rows, compare_answers
from fairshot.checks.check import Case, Logits, select_episodes
from fairshot.checks.finding import Outcome
from fairshot.learners.learner import TaskBatch
from fairshot.tasks.episodes import PAD

EPISODES = 2  # answered
IMAGES = 8  # embedded


@dataclass(frozen=True)
class Probe:
    """Some images to embed, and some episodes to answer."""

    rows: Int[np.ndarray, " image"]
    batch: TaskBatch


@dataclass(frozen=True)
class Response:
    """What a learner made of a probe: features of its images and answers to its episodes."""

    features: Float[np.ndarray, "image ..."]
    logits: Logits


def small_probe(case: Case, episodes: int = EPISODES) -> Probe:
    """The first images and episodes of those that the learner is asked anyway."""
    ids = case.episodes.query_ids
    return Probe(case.part.rows(ids[ids != PAD][:IMAGES]), select_episodes(case.batch, slice(episodes)))


def respond(case: Case, probe: Probe) -> Response:
    """Embeds and answers; the question is asked with the features that it already has."""
    return Response(case.encoder.embed(probe.rows), case.ask(probe.batch))


def judge(probe: Probe, before: Response, after: Response, when: str) -> tuple[Outcome, str]:
    """Other features are a leak, and so are other answers but for a few that may be ties."""
    moved = changed_rows(before.features, after.features)
    outcome, seen = change(probe, before, after).outcome(when)
    if not moved:
        return outcome, seen
    features = f"features change of {moved} of {len(probe.rows)} images"
    return "leak", f"{features} {when}" if outcome == "ok" else f"{features}, and {seen}"


def change(probe: Probe, before: Response, after: Response) -> Change:
    """How the answers of two responses differ."""
    return compare_answers(before.logits, after.logits, probe.batch.query_mask)
