"""Planted leaks: learners that cheat in one way each, found by the check of that way and by its name."""

import atexit
import os
import random
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn.functional import batch_norm, one_hot

from fairshot.checks.checklist import check
from fairshot.checks.global_random import generators_restored, states
from fairshot.learners.encoded import Encoded
from fairshot.learners.foreign.code import Foreign
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.errors import FairshotError
from tests.checks.fragile import HONEST, Base, LooksUp, NormOverMany, Reads
from tests.checks.worlds import check_learner, leaks, make_images, make_source, seen


class PlaceOfQueries(Base):
    """As the graph network that knew that queries come sorted by class."""

    def classify(self, batch: TaskBatch) -> Tensor:
        logits = super().classify(batch)
        places = torch.arange(logits.shape[1]) * batch.width // logits.shape[1]
        return logits + 10 * one_hot(places, batch.width)


class HiddenTransduction(Base):
    """Centres the queries on their own mean."""

    def classify(self, batch: TaskBatch) -> Tensor:
        return super().classify(replace(batch, query=batch.query - 0.5 * batch.query.mean(1, keepdim=True)))


class DeclaredTransduction(HiddenTransduction):
    transductive: ClassVar[bool] = True


class NormOverQueries(Base):
    """Batch norm in training mode: one query alone cannot even be answered."""

    def classify(self, batch: TaskBatch) -> Tensor:
        query = batch.query.flatten(0, 1)
        return super().classify(replace(batch, query=batch_norm(query, None, None, training=True).view_as(batch.query)))


class NormOverEpisodes(Base):
    """Scales by the support of all episodes of the batch."""

    def classify(self, batch: TaskBatch) -> Tensor:
        scale = batch.support.std((0, 1)) + 0.1
        return super().classify(replace(batch, support=batch.support / scale, query=batch.query / scale))


class NormInEncoder(Base):
    def embed(self, images: Tensor) -> Tensor:
        vectors = images.flatten(1)
        return vectors - vectors.mean(0)


class Unseeded(Base):
    def __init__(self) -> None:
        self.rng = np.random.default_rng()

    def classify(self, batch: TaskBatch) -> Tensor:
        logits = super().classify(batch)
        return logits + 1e-5 * torch.from_numpy(self.rng.normal(size=logits.shape)).to(torch.float32)


class RemembersQuestions(Base):
    """Adds to its support what it saw in the question before, if that was another."""

    def __init__(self) -> None:
        self.last = self.before = torch.zeros(1)

    def classify(self, batch: TaskBatch) -> Tensor:
        mean = batch.support.mean()
        if not torch.equal(mean, self.last):
            self.before, self.last = self.last, mean
        return super().classify(batch) * (1 + 1e-5 * self.before)


def _touch(package: str) -> Any:
    return {"torch": lambda: torch.manual_seed(0), "numpy": lambda: np.random.rand(), "python": lambda: random.seed(0)}[
        package
    ]


@dataclass(frozen=True)
class TouchesRandomState(Base):
    package: str

    def classify(self, batch: TaskBatch) -> Tensor:
        _touch(self.package)()
        return super().classify(batch)


class WritesIntoBatch(Base):
    def classify(self, batch: TaskBatch) -> Tensor:
        batch.support.mul_(2)
        batch.query.mul_(2)
        return super().classify(batch)


class PrefersFirstClass(Base):
    def classify(self, batch: TaskBatch) -> Tensor:
        logits = super().classify(batch)
        logits[:, :, 0] += 30
        return logits


class FirstImageOnly(Base):
    """Takes the first support image of all for everything: an order matters that tells no truth."""

    def classify(self, batch: TaskBatch) -> Tensor:
        logits = super().classify(batch)
        bonus = one_hot(batch.support_labels[:, :1], batch.width).to(logits.dtype)
        return logits + 22 * bonus


class SlotsAsLabels(Base):
    """Never reads the labels: it knows that the support comes class by class."""

    def classify(self, batch: TaskBatch) -> Tensor:
        slots = torch.arange(batch.support.shape[1]) * batch.width // batch.support.shape[1]
        return super().classify(replace(batch, support_labels=slots.expand_as(batch.support_labels)))


@dataclass(frozen=True)
class TruthByContent(Base):
    """Knows the class of every image from a table, and with it which slot of the support a query belongs to."""

    table: dict[bytes, int] = field(repr=False)

    def embed(self, images: Tensor) -> Tensor:
        return torch.tensor([[float(self.table.get(image.numpy().tobytes(), -1))] for image in images])

    def classify(self, batch: TaskBatch) -> Tensor:
        same = (batch.query[:, :, None, 0] == batch.support[:, None, :, 0]).float()
        return same.unflatten(2, (batch.width, -1)).sum(3)


@dataclass(frozen=True)
class MemorisedImages(TruthByContent):
    """The same table in place of an encoder; it does go by the labels it is given."""

    def embed(self, images: Tensor) -> Tensor:
        classes = super().embed(images)[:, 0].long()
        return one_hot(classes.clamp(min=0), 12).to(torch.float32) * (classes >= 0)[:, None]

    def classify(self, batch: TaskBatch) -> Tensor:
        return HONEST.classify(batch)


def _table() -> dict[bytes, int]:
    source = make_source(make_images())
    images = source.recipe.scale(source.read(slice(None)))
    return {image.tobytes(): int(label) for image, label in zip(images, source.class_ids, strict=True)}


def _on_disk() -> str:
    source, folder = make_source(make_images()), tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    file = os.path.join(folder, "kept.npz")
    np.savez(file, images=source.recipe.scale(source.read(slice(None))), labels=source.class_ids)
    return file


PLANTED = {
    "place of queries": (
        PlaceOfQueries(),
        {"query_order", "one_query"},
        "query_order",
        "when the queries are shuffled",
    ),
    "hidden transduction": (
        HiddenTransduction(),
        {"one_query"},
        "one_query",
        "when asked alone or with half of the others",
    ),
    "norm over queries": (
        NormOverQueries(),
        {"one_query", "one_episode"},
        "one_query",
        "Expected more than 1 value per channel when training",
    ),
    "norm over many queries": (
        NormOverMany(),
        {"one_query"},
        "one_query",
        "when asked alone or with half of the others",
    ),
    "norm over episodes": (NormOverEpisodes(), {"one_episode"}, "one_episode", "when each episode is asked alone"),
    "norm in the encoder": (NormInEncoder(), {"embedding"}, "embedding", "features change of "),
    "unseeded": (Unseeded(), {"repeat"}, "repeat", "asked twice, the same question gets other answers"),
    "a memory": (
        RemembersQuestions(),
        {"repeat"},
        "repeat",
        "the same question gets other answers after other questions",
    ),
    "seeds torch": (
        TouchesRandomState("torch"),
        {"random_state"},
        "random_state",
        "the global random state of torch is changed",
    ),
    "draws from numpy": (
        TouchesRandomState("numpy"),
        {"random_state"},
        "random_state",
        "the global random state of numpy is changed",
    ),
    "seeds python": (
        TouchesRandomState("python"),
        {"random_state"},
        "random_state",
        "the global random state of python is changed",
    ),
    "reads torch's state": (
        Reads("torch"),
        {"random_state"},
        "random_state",
        "when the global generators stand elsewhere",
    ),
    "reads numpy's state": (
        Reads("numpy"),
        {"random_state"},
        "random_state",
        "when the global generators stand elsewhere",
    ),
    "reads python's state": (
        Reads("python"),
        {"random_state"},
        "random_state",
        "when the global generators stand elsewhere",
    ),
    "the hour": (Reads("hour"), {"clock"}, "clock", "when the clock is an hour ahead"),
    "the process": (Reads("pid"), {"other_process"}, "other_process", "in another process and environment"),
    "a variable": (Reads("variable"), {"other_process"}, "other_process", "in another process and environment"),
    "the host": (Reads("host"), {"other_process"}, "other_process", "in another process and environment"),
    "the order of a set": (Reads("set"), {"other_process"}, "other_process", "in another process and environment"),
    "the number of threads": (Reads("threads"), {"threads"}, "threads", "when other threads ask"),
    "writes": (WritesIntoBatch(), {"in_place"}, "in_place", "the learner writes into support, query of its batch"),
    "first class": (PrefersFirstClass(), {"class_order"}, "class_order", "class number 0 is answered to "),
    "slots as labels": (
        SlotsAsLabels(),
        {"support_order", "class_order", "truth"},
        "truth",
        "the truth is read from somewhere else",
    ),
    "truth by content": (
        TruthByContent(_table()),
        {"support_order", "class_order", "truth", "memory"},
        "truth",
        "under wrong labels 100.0% of the answers are right, chance is 20.0%",
    ),
    "test set on disk": (LooksUp(_on_disk()), {"files"}, "files", ", which holds images that it is asked about"),
    "memorised images": (MemorisedImages(_table()), {"memory"}, "memory", "images are recognised by their bits"),
}


KINDS = {
    "the order of the queries": ["place of queries"],
    "the company of a query": ["hidden transduction", "norm over queries", "norm in the encoder"],
    "batch norm from 32 queries on": ["norm over many queries"],
    "statistics over episodes": ["norm over episodes"],
    "former questions, and chance without a seed": ["a memory", "unseeded"],
    "the global random state, changed": ["seeds torch", "draws from numpy", "seeds python"],
    "the global random state, read": ["reads torch's state", "reads numpy's state", "reads python's state"],
    "the clock by the hour": ["the hour"],
    "process number, environment, host": ["the process", "a variable", "the host", "the order of a set"],
    "a table of the test set": ["truth by content", "memorised images"],
    "the test set on disk": ["test set on disk"],
    "places and numbers instead of labels": ["first class", "slots as labels"],
    "the question, written into": ["writes"],
    "the number of threads": ["the number of threads"],
}


def test_every_planted_leak_is_of_a_kind() -> None:
    assert sorted(name for planted in KINDS.values() for name in planted) == sorted(PLANTED)


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_leak_is_found_by_its_own_check(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER_OF_THIS_TEST", "me")
    learner, expected, check_name, words = PLANTED[name]
    findings = check_learner(learner)
    assert leaks(findings) == expected
    assert words in seen(findings, check_name)


def test_the_same_learner_without_the_leak_is_clean() -> None:
    assert {finding.outcome for finding in check_learner(Base()) if finding.about == "learner"} == {"ok"}


@pytest.mark.parametrize(
    "learner",
    [
        DeclaredTransduction(),
        Foreign(DeclaredTransduction(), "file"),
        Encoded(DeclaredTransduction(), lambda images: images.reshape(len(images), -1)),
    ],
    ids=["bare", "from a file", "behind an encoder"],
)
def test_declared_transduction_is_no_leak(learner: Classifier) -> None:
    findings = check_learner(learner)
    assert leaks(findings) == set()
    assert "not applicable" in {finding.outcome for finding in findings if finding.check == "one_query"}
    assert seen(findings, "one_query").startswith("declared transductive: answers to 116 of 116 queries change (")


def test_an_order_that_tells_no_truth_is_a_warning() -> None:
    findings = check_learner(FirstImageOnly())
    assert leaks(findings) == set()
    assert {finding.outcome for finding in findings if finding.check == "support_order"} == {"warning"}


class WrongShape(Base):
    def classify(self, batch: TaskBatch) -> Tensor:
        return super().classify(batch)[:, :, :-1]


class Nan(Base):
    def classify(self, batch: TaskBatch) -> Tensor:
        return super().classify(batch) * torch.nan


class Fails(Base):
    def classify(self, batch: TaskBatch) -> Tensor:
        raise ZeroDivisionError("by hand")


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (
            WrongShape(),
            "the learner returned logits of shape (8, 55, 4): it must be (8, 55, 5), for episode, query and class",
        ),
        (Nan(), "the learner answered NaN: a classifier returns a number for each query and class"),
        (Fails(), "the learner failed on 8 tasks of 55 queries (ZeroDivisionError: by hand)"),
    ],
)
def test_what_cannot_be_evaluated_is_an_error_and_no_finding(learner: Classifier, message: str) -> None:
    with pytest.raises(FairshotError) as caught:
        check_learner(learner)
    assert str(caught.value) == message


def test_the_global_generators_stand_elsewhere_inside_and_where_they_were_afterwards() -> None:
    before = states()
    with generators_restored():
        assert {name for name, state in states().items() if state != before[name]} == {"torch", "numpy", "python"}
        random.seed(5)
    assert states() == before


def test_checking_leaves_no_trace(vectors) -> None:
    kept = torch.get_rng_state(), np.random.get_state()[1].copy(), torch.get_num_threads()
    first = check(TouchesRandomState("torch"), vectors)
    assert torch.equal(torch.get_rng_state(), kept[0])
    assert (np.random.get_state()[1] == kept[1]).all()
    assert torch.get_num_threads() == kept[2]
    assert check(TouchesRandomState("torch"), vectors) == first
