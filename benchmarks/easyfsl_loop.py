"""A peer: easyfsl's own sampler, classifier and `evaluate`, on cached features, where it is installed.

`pip install --no-deps easyfsl` is enough. What it imports for images, plots and bars (torchvision, matplotlib, tqdm) is
replaced by empty modules where it is missing: none of it runs here but tqdm, which is then a bar that shows nothing.
Newer versions of torch have no `Sampler.__init__`, which it calls: one that does nothing is put back.
"""

import functools
import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Sampler

UNUSED = (
    "torchvision",
    "torchvision.transforms",
    "torchvision.datasets",
    "torchvision.models",
    "torchvision.models.resnet",
    "matplotlib",
    "matplotlib.pyplot",
    "pandas",
    "tqdm",
)


class Bar:
    """What `with tqdm(items) as bar` needs."""

    def __init__(self, items: Any, **options: Any) -> None:
        self.items = items

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __iter__(self) -> Any:
        return iter(self.items)

    def set_postfix(self, **values: object) -> None:
        pass


class Unused(ModuleType):
    """A module of which only the names are needed."""

    __path__: list[str] = []  # noqa: RUF012 a module's own

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Bar if name == "tqdm" else type(name, (), {})


def installed() -> bool:
    return importlib.util.find_spec("easyfsl") is not None


@functools.cache
def load_peer() -> dict[str, ModuleType]:
    missing = [name for name in UNUSED if importlib.util.find_spec(name.partition(".")[0]) is None]
    sys.modules.update({name: Unused(name) for name in missing})
    if Sampler.__init__ is object.__init__:
        Sampler.__init__ = lambda self, data_source=None: None  # type: ignore[method-assign]
    return {name: importlib.import_module(f"easyfsl.{name}") for name in ("datasets", "methods", "samplers", "utils")}


def evaluate_with_easyfsl(
    features: Tensor, labels: list[int], *, way: int, shot: int, query: int, episodes: int
) -> float:
    """Accuracy over all queries, as `easyfsl.utils.evaluate` gives it."""
    peer = load_peer()
    names = [str(label) for label in sorted(set(labels))]
    dataset = peer["datasets"].FeaturesDataset(labels, features, names)
    sampler = peer["samplers"].TaskSampler(dataset, n_way=way, n_shot=shot, n_query=query, n_tasks=episodes)
    loader = DataLoader(dataset, batch_sampler=sampler, collate_fn=sampler.episodic_collate_fn)
    model = peer["methods"].PrototypicalNetworks(backbone=torch.nn.Identity())
    return float(peer["utils"].evaluate(model, loader, device="cpu", use_tqdm=False))
