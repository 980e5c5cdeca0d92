"""The baseline: how few-shot libraries usually evaluate, one episode after the other through a data loader.

A sampler draws class and image numbers with Python's random, a data loader fetches the items and a collate function
makes support and query tensors of them; the learner takes the support set, then the queries; correct answers are
counted.
"""

import random
from collections.abc import Iterator

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, Sampler

Item = tuple[Tensor, int]
Task = tuple[Tensor, Tensor, Tensor, Tensor]


class FeatureDataset(Dataset[Item]):
    """Items one by one, as a data set gives them."""

    def __init__(self, features: Tensor, labels: list[int]) -> None:
        self.features, self.labels = features, labels

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> Item:
        return self.features[index], self.labels[index]


class TaskSampler(Sampler[list[int]]):
    """Item numbers of one episode after the other."""

    def __init__(self, dataset: FeatureDataset, way: int, shot: int, query: int, episodes: int) -> None:
        self.way, self.shot, self.query, self.episodes = way, shot, query, episodes
        self.items: dict[int, list[int]] = {}
        for item, label in enumerate(dataset.labels):
            self.items.setdefault(label, []).append(item)

    def __len__(self) -> int:
        return self.episodes

    def __iter__(self) -> Iterator[list[int]]:
        for _ in range(self.episodes):
            classes = random.sample(sorted(self.items), self.way)
            yield [item for c in classes for item in random.sample(self.items[c], self.shot + self.query)]

    def collate(self, items: list[Item]) -> Task:
        """Support and query tensors with labels from 0 to way - 1."""
        classes = list(dict.fromkeys(label for _, label in items))
        features = torch.stack([feature for feature, _ in items]).unflatten(0, (self.way, -1))
        labels = torch.tensor([classes.index(label) for _, label in items]).unflatten(0, (self.way, -1))
        parts = (slice(None, self.shot), slice(self.shot, None))
        return tuple(table[:, part].flatten(0, 1) for part in parts for table in (features, labels))


class NearestPrototype:
    """The learner with two steps: first the support set, then the queries."""

    def process_support(self, support: Tensor, labels: Tensor) -> None:
        classes = range(len(torch.unique(labels)))
        self.prototypes = torch.cat([support[torch.nonzero(labels == label)].mean(0) for label in classes])

    def scores(self, queries: Tensor) -> Tensor:
        return -torch.cdist(queries, self.prototypes)


def evaluate_plainly(features: Tensor, labels: list[int], *, way: int, shot: int, query: int, episodes: int) -> float:
    """Accuracy over all queries."""
    dataset, learner = FeatureDataset(features, labels), NearestPrototype()
    sampler = TaskSampler(dataset, way, shot, query, episodes)
    loader: DataLoader[Task] = DataLoader(dataset, batch_sampler=sampler, collate_fn=sampler.collate)
    correct = total = 0
    with torch.no_grad():
        for support, support_labels, queries, query_labels in loader:
            learner.process_support(support, support_labels)
            chosen = torch.max(learner.scores(queries), 1)[1]
            correct += (chosen == query_labels).sum().item()
            total += len(query_labels)
    return correct / total
