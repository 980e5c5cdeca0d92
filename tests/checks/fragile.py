"""Learners whose answers hang on something outside the question: random state, clock, process, threads, files."""

import datetime
import hashlib
import os
import random
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime as moment
from time import time as seconds
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import batch_norm, one_hot

from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.learner import Classifier, TaskBatch

HONEST = Prototypes()


class Base(Classifier):
    """Honest but for one thing."""

    def classify(self, batch: TaskBatch) -> Tensor:
        return HONEST.classify(batch)


def drawn_from_torch() -> float:
    """Draws and puts the generator back, so that nobody sees that it was used."""
    with torch.random.fork_rng(devices=[]):
        return float(torch.rand(()))


READINGS: dict[str, Callable[[], Any]] = {
    "torch": drawn_from_torch,
    "numpy": lambda: int(np.random.get_state()[1][5]),
    "python": lambda: random.getstate()[1][3],
    "seed": lambda: torch.initial_seed(),
    "hour": lambda: time.localtime().tm_hour,
    "hour of two": lambda: int(seconds() // 3600) % 2,
    "afternoon": lambda: moment.now().hour >= 12,
    "weekend": lambda: datetime.date.today().weekday() >= 5,
    "text": lambda: time.strftime("%Y-%m"),
    "pid": lambda: os.getpid(),
    "variable": lambda: os.environ.get("USER_OF_THIS_TEST"),
    "home": lambda: os.path.expanduser("~"),
    "folder": lambda: os.getcwd(),
    "host": lambda: socket.gethostname(),
    "hash": lambda: hash("a name"),
    "set": lambda: list({"one", "two", "three", "four", "five", "six", "seven"}),
    "threads": lambda: torch.get_num_threads(),
    "thread": lambda: threading.current_thread() is threading.main_thread(),
}


def shifted(logits: Tensor, value: object) -> Tensor:
    """Logits that another value makes others."""
    number = int.from_bytes(hashlib.blake2b(repr(value).encode(), digest_size=2).digest())
    return logits * (1 + number / 6000)


@dataclass(frozen=True)
class Reads(Base):
    """Lets its answers hang on a reading from outside."""

    what: str

    def classify(self, batch: TaskBatch) -> Tensor:
        return shifted(super().classify(batch), READINGS[self.what]())


@dataclass(frozen=True)
class ReadsInEncoder(Base):
    """Lets its features hang on it."""

    what: str

    def embed(self, images: Tensor) -> Tensor:
        return shifted(images.flatten(1), READINGS[self.what]())


class ReadsOnce(Base):
    """Keeps what it read at its first answer."""

    def __init__(self, what: str) -> None:
        self.what, self.kept = what, None

    def classify(self, batch: TaskBatch) -> Tensor:
        if self.kept is None:
            self.kept = READINGS[self.what]()
        return shifted(super().classify(batch), self.kept)


class ReadsLocked(Base):
    """Cannot be copied, since it holds a lock."""

    def __init__(self, what: str) -> None:
        self.what, self.lock = what, threading.Lock()

    def classify(self, batch: TaskBatch) -> Tensor:
        with self.lock:
            return shifted(super().classify(batch), READINGS[self.what]())


class SharedScratch(Base):
    """Keeps the question in itself while it answers: two threads mix theirs up."""

    def classify(self, batch: TaskBatch) -> Tensor:
        self.batch = batch
        time.sleep(0.02)
        return super().classify(self.batch)


class NormOverMany(Base):
    """Batch norm as soon as there are 32 queries."""

    def classify(self, batch: TaskBatch) -> Tensor:
        if batch.query.shape[1] < 32:
            return super().classify(batch)
        normed = [batch_norm(query, None, None, training=True) for query in batch.query]
        return super().classify(replace(batch, query=torch.stack(normed)))


@dataclass(frozen=True)
class LooksUp(Base):
    """Replaces an image by the class of the nearest image in a file, if the file is there."""

    path: str
    needed: bool = True

    def embed(self, images: Tensor) -> Tensor:
        try:
            images_and_labels = np.load(self.path)
        except OSError:
            if self.needed:
                raise
            return torch.ones(len(images), 12)
        known = torch.from_numpy(images_and_labels["images"]).flatten(1).float()
        nearest = torch.cdist(images.flatten(1), known).argmin(1)
        return one_hot(torch.from_numpy(images_and_labels["labels"])[nearest], 12).float()


class LooksUpOnce(Base):
    """Does so with a file that it reads at its first image and keeps."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.table: dict[str, np.ndarray] = {}

    def embed(self, images: Tensor) -> Tensor:
        if not self.table:
            with np.load(self.path) as file:
                self.table = dict(file)
        known = torch.from_numpy(self.table["images"]).flatten(1).float()
        nearest = torch.cdist(images.flatten(1), known).argmin(1)
        return one_hot(torch.from_numpy(self.table["labels"])[nearest], 12).float()
