"""Learners that are unusual and clean: whatever they do, no answer hangs on it."""

import contextlib
import hashlib
import logging
import os
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.tasks.episodes import PAD
from tests.checks.fragile import HONEST, Base


def projected(batch: TaskBatch, weights: Tensor) -> TaskBatch:
    return replace(batch, support=batch.support @ weights, query=batch.query @ weights)


class OwnGenerator(Base):
    """Projects at random with a generator of its own."""

    def classify(self, batch: TaskBatch) -> Tensor:
        weights = torch.randn(batch.support.shape[-1], 64, generator=torch.Generator().manual_seed(3))
        return super().classify(projected(batch, weights))


class SeededByContent(Base):
    """Projects each episode at random, seeded by the images of its support in whatever order."""

    def classify(self, batch: TaskBatch) -> Tensor:
        answers = []
        for number in range(len(batch.way)):
            one = replace(batch, **{name: getattr(batch, name)[number : number + 1] for name in TABLES})
            real = one.support[0][one.support_labels[0] != PAD]
            seed = sum(zlib.crc32(image.numpy().tobytes()) for image in real)
            weights = np.random.default_rng(seed).normal(size=(real.shape[1], 64))
            answers.append(super().classify(projected(one, torch.from_numpy(weights).float())))
        return torch.cat(answers)


TABLES = ("support", "support_labels", "query", "query_mask", "way", "seeds")


class SeedsAndRestores(Base):
    """Draws from the global generators after seeding them, and leaves them as they were."""

    def classify(self, batch: TaskBatch) -> Tensor:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            weights = torch.randn(batch.support.shape[-1], 64)
        return super().classify(projected(batch, weights))


class Declared(Base):
    """Centres the queries on their own mean, and says so."""

    transductive: ClassVar[bool] = True

    def classify(self, batch: TaskBatch) -> Tensor:
        return super().classify(replace(batch, query=batch.query - batch.query.mean(1, keepdim=True)))


class Caching(Base):
    """Keeps every feature vector under the bytes of its image."""

    def __init__(self) -> None:
        self.known: dict[bytes, Tensor] = {}

    def embed(self, images: Tensor) -> Tensor:
        vectors = [self.known.setdefault(image.numpy().tobytes(), image.flatten().clone()) for image in images]
        return torch.stack(vectors)


class Threaded(Base):
    """Answers each episode in a thread of its own."""

    def classify(self, batch: TaskBatch) -> Tensor:
        answer = super().classify
        with ThreadPoolExecutor(3) as pool:
            return torch.cat(
                list(pool.map(lambda n: answer(batch.some(slice(n, n + 1), slice(None))), range(len(batch.way))))
            )


class Double(Base):
    """Calculates, and answers, in double precision."""

    def classify(self, batch: TaskBatch) -> Tensor:
        return super().classify(replace(batch, support=batch.support.double(), query=batch.query.double()))


class Talkative(Base):
    """Prints on both streams, and lets a program print."""

    def classify(self, batch: TaskBatch) -> Tensor:
        print("answering")
        print("answering", file=sys.stderr)
        os.write(2, b"")
        return super().classify(batch)


class LateImports(Base):
    """Imports what it needs when it needs it."""

    def classify(self, batch: TaskBatch) -> Tensor:
        import colorsys
        import imaplib

        import sklearn.cross_decomposition

        imported = colorsys, imaplib, sklearn.cross_decomposition
        return super().classify(batch) * len(imported)


class LogFile(Base):
    """Appends the time of every answer to a file, through the module for it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def classify(self, batch: TaskBatch) -> Tensor:
        handler = logging.FileHandler(self.path)
        log = logging.Logger("unusual")
        log.addHandler(handler)
        started = time.time()
        answers = super().classify(batch)
        log.warning("%s %.3f", time.ctime(), time.time() - started)
        handler.close()
        return answers


class Disk(Base):
    """Keeps features in files and reads them again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def embed(self, images: Tensor) -> Tensor:
        return torch.stack([self._vector(image) for image in images])

    def _vector(self, image: Tensor) -> Tensor:
        file = self.folder / f"{hashlib.blake2b(image.numpy().tobytes()).hexdigest()[:40]}.npy"
        if not file.exists():
            np.save(file, image.flatten().numpy())
        return torch.from_numpy(np.load(file))


class Scratch(Base):
    """Passes its features through a temporary file."""

    def embed(self, images: Tensor) -> Tensor:
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/features.npy", images.flatten(1).numpy())
            return torch.from_numpy(np.load(f"{folder}/features.npy"))


class Locked(Base):
    """Holds a lock, so that it cannot be copied."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def classify(self, batch: TaskBatch) -> Tensor:
        with self.lock:
            return super().classify(batch)


class Minus(Base):
    """Answers minus infinity for all classes but the best two, and far from zero for these."""

    def classify(self, batch: TaskBatch) -> Tensor:
        logits = super().classify(batch)
        second = logits.topk(2, dim=2).values[:, :, 1:]
        return torch.where(logits < second, -torch.inf, logits + 1000)


class Adapting(Base):
    """Learns a scale for each episode by gradients."""

    def classify(self, batch: TaskBatch) -> Tensor:
        with torch.inference_mode(False), torch.enable_grad():
            batch = replace(batch, **{name: getattr(batch, name).clone() for name in TABLES})
            scale = torch.ones(len(batch.way), 1, 1, requires_grad=True)
            own = replace(batch, query=batch.support, query_mask=batch.support_labels != PAD)
            for _ in range(3):
                logits = HONEST.classify(own) * scale
                loss = torch.nn.functional.cross_entropy(logits.mT, batch.support_labels, reduction="sum")
                scale = (scale - 0.01 * torch.autograd.grad(loss, scale)[0]).detach().requires_grad_()
            return (HONEST.classify(batch) * scale).detach()


class Settings(Base):
    """Looks at variables, folders and the number of cores, without any use."""

    def classify(self, batch: TaskBatch) -> Tensor:
        os.environ.get("HOME"), os.getpid(), os.getcwd(), os.cpu_count(), time.localtime(), Path.home().exists()
        return super().classify(batch)


class Optional(Base):
    """Reads a file with its settings, if it is there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_text("verbose = no")

    def classify(self, batch: TaskBatch) -> Tensor:
        with contextlib.suppress(OSError):
            self.path.read_text()
        return super().classify(batch)


@dataclass(frozen=True)
class Closure(Base):
    """Holds functions without a name."""

    scale: Callable[[Tensor], Tensor] = lambda logits: 2 * logits

    def classify(self, batch: TaskBatch) -> Tensor:
        return self.scale(super().classify(batch))


class Groups(Base):
    """Goes through its classes as a set, whose order does not matter."""

    def classify(self, batch: TaskBatch) -> Tensor:
        names = {f"class {number}" for number in range(batch.width)}
        logits = super().classify(batch)
        return torch.stack([logits[:, :, int(name.split()[1])] for name in sorted(names)], dim=2)


UNUSUAL: dict[str, Callable[[Path], Classifier]] = {
    "own generator": lambda folder: OwnGenerator(),
    "seeded by content": lambda folder: SeededByContent(),
    "seeds and restores": lambda folder: SeedsAndRestores(),
    "declared transduction": lambda folder: Declared(),
    "cache by content": lambda folder: Caching(),
    "threads": lambda folder: Threaded(),
    "double precision": lambda folder: Double(),
    "prints": lambda folder: Talkative(),
    "late imports": lambda folder: LateImports(),
    "log file": lambda folder: LogFile(folder / "log"),
    "cache on disk": Disk,
    "temporary files": lambda folder: Scratch(),
    "lock": lambda folder: Locked(),
    "minus infinity": lambda folder: Minus(),
    "gradients": lambda folder: Adapting(),
    "looks without use": lambda folder: Settings(),
    "settings file": lambda folder: Optional(folder / "settings"),
    "closure": lambda folder: Closure(),
    "set of names": lambda folder: Groups(),
}
