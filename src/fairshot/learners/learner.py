"""A Learner sees batches of tasks and answers them; it never sees ids, truth, or how it is judged."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from fairshot.runtime.assignment import UNMATCHED, count_pairs, match_clusters
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Streams
from fairshot.tasks.episodes import PAD

if TYPE_CHECKING:
    from fairshot.learners.encoders.encoder import Encoder
    from fairshot.learners.seen import Seen


@dataclass(frozen=True, kw_only=True)
class TaskBatch:
    """Several tasks at once. Padded support images have label PAD; padded queries are answered and thrown away."""

    support: Float[Tensor, "episode support ..."]
    support_labels: Int[Tensor, "episode support"]
    query: Float[Tensor, "episode query ..."]
    query_mask: Bool[Tensor, "episode query"]
    way: Int[Tensor, " episode"]
    width: int
    """The number of logits each query gets: the largest way there can be, so that no answer depends on the batch."""
    seeds: Int[Tensor, " episode"] = None  # type: ignore[assignment]
    """Where the random numbers of each task begin, beside the learner's own seed; 0 for all unless they are given."""
    class_vectors: Float[Tensor, "episode way feature"] | None = None
    """What is known of each class without any image, such as the embedding of its name; None where nothing is."""

    known_lengths: tuple[Float[Tensor, "episode query"], int] | None = field(default=None, init=False)
    """The lengths of the queries, and the version of the queries that they are of; `replace` forgets them."""

    def __post_init__(self) -> None:
        if self.seeds is None:
            object.__setattr__(self, "seeds", torch.zeros_like(self.way))

    def streams(self, *path: int | str) -> Streams:
        """Random numbers of each task's own, the same whatever other tasks stand beside it."""
        return Streams(self.seeds.numpy(), *path)

    @property
    def one_hot(self) -> Float[Tensor, "episode support way"]:
        """Which class each support image belongs to; padding belongs to none."""
        table = self.support.new_zeros(*self.support_labels.shape, self.width + 1)
        # Padding is put into a column of its own, which is cut off.
        return table.scatter_(2, (self.support_labels % (self.width + 1))[:, :, None], 1)[:, :, : self.width]

    @property
    def class_counts(self) -> Float[Tensor, "episode way"]:
        """Support images of each class, class by class."""
        if self.even_shot:
            return self.support.new_full((len(self.support_labels), self.width), self.even_shot)
        counts = self.support.new_zeros(len(self.support_labels), self.width + 1)
        places = self.support_labels % (self.width + 1)
        return counts.scatter_add_(1, places, counts.new_ones(()).expand(places.shape))[:, : self.width]

    @cached_property
    def even_shot(self) -> int:
        """The support images of each class, where all tasks have as many of each, class by class; otherwise 0."""
        shot, rest = divmod(self.support_labels.shape[1], self.width)
        if rest or not shot:
            return 0
        ordered = torch.arange(self.width).repeat_interleave(shot)
        return shot if bool((self.support_labels == ordered).all()) else 0

    @property
    def vectors(self) -> tuple[Float[Tensor, "episode support feature"], Float[Tensor, "episode query feature"]]:
        """Support and query with everything but episode and image flattened, and zeros where support is padding."""
        padding = self.support_labels == PAD
        support = self.support.flatten(2)
        return support.masked_fill(padding[:, :, None], 0) if padding.any() else support, self.query.flatten(2)

    @property
    def query_lengths(self) -> Float[Tensor, "episode query 1"]:
        """The Euclidean length of every query, which is found once for each image where that is possible."""
        if self.known_lengths is not None and self.known_lengths[1] == self.query._version:
            return self.known_lengths[0][:, :, None]
        return torch.linalg.vector_norm(self.query.flatten(2), dim=-1, keepdim=True)

    def with_lengths(self, lengths: Float[Tensor, "episode query"]) -> "TaskBatch":
        """The same batch, which knows the lengths of its queries."""
        if not self.query.is_inference():  # such tensors have no versions
            object.__setattr__(self, "known_lengths", (lengths, self.query._version))
        return self

    @property
    def sizes(self) -> Int[Tensor, "episode way"]:
        """Support images of each class, the largest class first: what may be known where labels are not."""
        return self.one_hot.sum(1).long().sort(dim=1, descending=True).values

    @property
    def unlabelled(self) -> "TaskBatch":
        """The same tasks without labels: 0 for every support image."""
        return replace(self, support_labels=self.support_labels.clamp(max=0))

    def some(self, tasks: slice, queries: slice) -> "TaskBatch":
        """Some of the tasks with their whole support and some of their queries."""
        return replace(
            self,
            support=self.support[tasks],
            support_labels=self.support_labels[tasks],
            query=self.query[tasks, queries],
            query_mask=self.query_mask[tasks, queries],
            way=self.way[tasks],
            seeds=self.seeds[tasks],
            class_vectors=None if self.class_vectors is None else self.class_vectors[tasks],
        )

    def episode(
        self, number: int
    ) -> tuple[Float[Tensor, "support ..."], Int[Tensor, " support"], Float[Tensor, "query ..."]]:
        """One task without padding: support, labels, queries."""
        real, asked = self.support_labels[number] != PAD, self.query_mask[number]
        return self.support[number][real], self.support_labels[number][real], self.query[number][asked]


class Learner(ABC):  # noqa: B024 what is abstract stands in its kinds: Classifier and others
    """Whatever learns from a support set; a frozen dataclass whose fields are its settings."""

    reads: ClassVar[Literal["images", "features", "both"]] = "both"
    """What the learner can be given: images only, feature vectors only, or either."""
    transductive: ClassVar[bool] = False
    """Whether an answer may depend on the other queries of the episode; it must be said, and intervals heed it."""
    threads: ClassVar[bool] = True
    """Whether threads can share its work, because its time goes into array operations; otherwise processes have to."""

    random: ClassVar[bool] = False
    """Whether it draws random numbers when it answers; then it has a setting `seed`."""
    clusters: ClassVar[bool] = False
    """Whether it can group a support without labels; then it is a Clusterer, or one stands inside it."""
    seen: ClassVar["Seen | None"] = None
    """What it was trained on, if it was."""
    trained_recipe: ClassVar[str | None] = None
    """How the images of its training were prepared, if it was trained."""
    encoder: ClassVar["Encoder | None"] = None
    """What makes vectors of images before it sees them, if that is not its own doing."""

    warnings: ClassVar[tuple[str, ...]] = ()
    """What a reader of any result must know of it."""

    @property
    def label(self) -> str:
        """What it is called in errors, and in results where nobody gave it a name."""
        return type(self).__name__

    @property
    def shift_invariant(self) -> bool:
        """Whether adding the same vector to all features changes nothing; then they are kept near zero."""
        return False

    @property
    def settings(self) -> Mapping[str, Any]:
        """What tells this learner from others of its kind; part of every result."""
        return asdict(self) if is_dataclass(self) else {}

    @property
    def identity(self) -> str | None:
        """Names everything that its answers depend on; kept scores of a learner without one are never used again."""
        return fingerprint(type(self).__qualname__, dict(self.settings)) if is_dataclass(self) else None

    def embed(self, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image ..."]:
        """What is looked at instead of the image, each image by itself; run once per image and kept."""
        return images.flatten(1)


class Classifier(Learner):
    """A learner that says which class of the episode a query belongs to."""

    def unable(self, way: int) -> str | None:
        """Why it cannot serve episodes of so many classes; None if it can."""
        return None

    def reseeded(self, seed: int) -> "Classifier":
        """The same learner with other random numbers."""
        if not self.random or not is_dataclass(self):
            raise FairshotError(f"{type(self).__name__.lower()} draws no random numbers: it has no other seeds")
        return replace(self, seed=seed)

    @abstractmethod
    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """The higher a logit, the likelier the class; logits of classes that an episode does not have are ignored."""


@dataclass(frozen=True)
class Clusters:
    """What a clusterer makes of tasks: how well every image fits each cluster, the higher the better."""

    support: Float[Tensor, "episode support cluster"]
    query: Float[Tensor, "episode query cluster"]
    count: Int[Tensor, " episode"]
    """Clusters of each episode: the first of the columns."""

    @property
    def assigned(self) -> Int[Tensor, "episode support"]:
        """The cluster of every support image."""
        return self.support.argmax(2)


class Clusterer(Classifier):
    """A learner that groups the support without its labels, and queries with it.

    As a classifier it is unsupervised: labels do no more than give every cluster the name of a class, one to one and
    such that most of the support agrees.
    """

    clusters: ClassVar = True

    @abstractmethod
    def cluster(self, batch: TaskBatch, sizes: Int[Tensor, "episode way"]) -> Clusters:
        """Clusters of tasks whose labels are hidden; how many classes there are and of what sizes may be used."""

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """The fit of each query to the cluster that has the name of the class; minus infinity where none has."""
        return name_clusters(self.cluster(batch.unlabelled, batch.sizes), batch)


def name_clusters(clusters: Clusters, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
    """Every query's fit to each class, after clusters were matched with classes on the support.

    Between matches that agree equally often, the one whose images fit better is taken: the order of classes must not
    decide.
    """
    labels = batch.support_labels.numpy()
    counts = count_pairs(clusters.assigned.numpy(), labels, (clusters.query.shape[2], batch.width))
    better = _class_fit(clusters, batch).mT / (2 * batch.width)  # all in all less than one image
    named = torch.from_numpy(match_clusters(counts + better.numpy(), clusters.count.numpy(), batch.way.numpy()))
    matched = named[:, None, :].expand(-1, clusters.query.shape[1], -1)
    fit = clusters.query.gather(2, matched.clamp(min=0))
    return fit.masked_fill(matched == UNMATCHED, -torch.inf)


def _class_fit(clusters: Clusters, batch: TaskBatch) -> Float[Tensor, "episode way cluster"]:
    """How well the images of each class fit each cluster on average, from 0 to 1."""
    fit, real = clusters.support.double(), (batch.support_labels != PAD)[:, :, None] & torch.isfinite(clusters.support)
    lowest = fit.masked_fill(~real, torch.inf).amin((1, 2), keepdim=True)
    highest = fit.masked_fill(~real, -torch.inf).amax((1, 2), keepdim=True)
    share = ((fit - lowest) / (highest - lowest).clamp(min=torch.finfo(torch.float64).tiny)).masked_fill(~real, 0)
    members = batch.one_hot.double()
    return members.mT @ share / members.sum(1).clamp(min=1)[:, :, None]
