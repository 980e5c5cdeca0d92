"""The best and the worst support set for given queries, as far as a greedy search finds them.

Agarwal, M., Yurochkin and Sun, "On sensitivity of meta-learning to support data", NeurIPS 2021: the accuracy of one
episode swings widely with the choice of its support images. One after the other, each is exchanged for the candidate of
its class that lowers (or raises) the accuracy most. What is found is a bound: the true extremes may lie further out.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from fairshot.evaluation.scorer import Scorer, one_thread
from fairshot.metrics.metric import Judged
from fairshot.runtime.backends.backend import Backend, Progress, ordered_map
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.episodes import PAD, Episodes

CANDIDATES = 10
PASSES = 1

Pools = Int[np.ndarray, "episode support candidate"]
Supports = Int[np.ndarray, "tried support"]


@dataclass(frozen=True, eq=False)
class Found:
    """For each episode the worst, the drawn and the best support set, and the accuracy with each."""

    support_ids: Int[np.ndarray, "episode 3 support"]
    accuracy: Float[np.ndarray, "episode 3"]


def draw_pools(
    part: Source, episodes: Episodes, *, seed: int, candidates: int = CANDIDATES, apart: str | None = None
) -> Pools:
    """For each support image those that may stand in for it: of its class, and neither query nor support.

    `apart` names the attribute of which support and query share no value. The drawn image comes first.
    """
    pools = np.full((*episodes.support_ids.shape, candidates + 1), PAD)
    pools[:, :, 0] = episodes.support_ids
    for number, labels in enumerate(episodes.support_labels):
        stream = Stream(seed, "support search", number)
        free = _free(part, episodes, number, apart)
        for slot in np.flatnonzero(labels != PAD):
            own = free[part.class_ids[part.rows(free)] == episodes.class_ids[number, labels[slot]]]
            chosen = own[stream.permutations(np.array([len(own)]))[0][:candidates]]
            pools[number, slot, 1 : 1 + len(chosen)] = chosen
    return pools


def _free(part: Source, episodes: Episodes, number: int, apart: str | None) -> Int[np.ndarray, " image"]:
    """The images that are not in the episode and may stand on the side of the support."""
    queries = episodes.query_ids[number][episodes.query_ids[number] != PAD]
    taken = np.isin(part.image_ids, np.concatenate([queries, episodes.support_ids[number]]))
    if apart is not None:
        values = part.attributes[apart]
        taken |= np.isin(values, values[part.rows(queries)])
    return part.image_ids[~taken]


def search_supports(
    scorer: Scorer,
    episodes: Episodes,
    pools: Pools,
    *,
    passes: int = PASSES,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Found:
    """Searches for each episode by itself; its classes and queries stay. Slow learners are spread over processes."""
    scorer.features.require_images(np.unique(pools[pools != PAD]))
    items = ((episodes[number : number + 1], pool) for number, pool in enumerate(pools))
    backend: Backend = "serial" if scorer.learner.threads else "auto"
    supports, accuracies = list[np.ndarray](), list[np.ndarray]()
    found = ordered_map(_Search(scorer, passes), items, count=len(episodes), backend=backend)
    for support, accuracy in found:
        supports.append(support)
        accuracies.append(accuracy)
        progress("support sets", len(supports), len(episodes), float(np.mean([values[1] for values in accuracies])))
    return Found(np.stack(supports), np.stack(accuracies))


@dataclass(frozen=True)
class _Search:
    """One episode and its pools in; the worst, the drawn and the best support set and their accuracies out."""

    scorer: Scorer
    passes: int

    def __call__(self, item: tuple[Episodes, Int[np.ndarray, "support candidate"]]) -> tuple[np.ndarray, np.ndarray]:
        with one_thread():
            return self._found(*item)

    def _found(self, episode: Episodes, pool: Int[np.ndarray, "support candidate"]) -> tuple[np.ndarray, np.ndarray]:
        ends = [_search(self.scorer, episode, pool, passes=self.passes, sign=sign) for sign in (-1, 1)]
        found = np.stack([ends[0], episode.support_ids[0], ends[1]])
        # All three in one batch: answers may differ by rounding between batches, and the drawn set is a bound as well.
        accuracy, _ = _judge(self.scorer, episode, found)
        kept = [0 if accuracy[0] <= accuracy[1] else 1, 1, 2 if accuracy[2] >= accuracy[1] else 1]
        return found[kept], accuracy[kept]


def _search(
    scorer: Scorer, episode: Episodes, pool: Int[np.ndarray, "support candidate"], *, passes: int, sign: int
) -> Int[np.ndarray, " support"]:
    """Goes through the support images until none is exchanged any more, or as often as allowed."""
    support = episode.support_ids[0].copy()
    for _ in range(passes):
        before = support.copy()
        for slot in np.flatnonzero(episode.support_labels[0] != PAD).tolist():
            tried = _exchanged(support, slot, pool[slot])
            accuracy, sureness = _judge(scorer, episode, tried)
            # The present image comes first and wins where nothing is better.
            support = tried[max(range(len(tried)), key=lambda at, a=accuracy, s=sureness: (sign * a[at], sign * s[at]))]
        if (support == before).all():
            break
    return support


def _exchanged(support: Int[np.ndarray, " support"], slot: int, pool: Int[np.ndarray, " candidate"]) -> Supports:
    """The support set as it is, then with each candidate in one slot; no image stands in it twice."""
    others = pool[(pool != PAD) & ~np.isin(pool, support)]
    tried = np.repeat(support[None], len(others) + 1, axis=0)
    tried[1:, slot] = others
    return tried


def _judge(
    scorer: Scorer, episode: Episodes, supports: Supports
) -> tuple[Float[np.ndarray, " tried"], Float[np.ndarray, " tried"]]:
    """Accuracy and mean log-probability of the right class, with each of the support sets."""
    parts = [_measured(scorer.judge(portion)) for portion in _portions(scorer, episode, supports)]
    accuracy, sureness = zip(*parts, strict=True)
    return np.concatenate(accuracy), np.concatenate(sureness)


def _portions(scorer: Scorer, episode: Episodes, supports: Supports) -> Iterator[Episodes]:
    _, labels, *rest = (np.repeat(table, len(supports), axis=0) for table in episode.tables)
    whole = Episodes(supports, labels, *rest)
    step = scorer.step(whole)
    return (whole[start : start + step] for start in range(0, len(whole), step))


def _measured(judged: Judged) -> tuple[Float[np.ndarray, " tried"], Float[np.ndarray, " tried"]]:
    counted, known = judged.known.sum(axis=1), judged.known
    truth = judged.labels.clamp(0, judged.logits.shape[2] - 1)[:, :, None]
    logs = judged.present.log_softmax(2).gather(2, truth)[:, :, 0].numpy()
    return judged.correct.sum(axis=1) / counted, np.where(known, logs, 0).sum(axis=1) / counted
