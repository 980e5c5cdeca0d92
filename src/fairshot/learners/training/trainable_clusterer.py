"""A clusterer whose network can be trained: with labels while it trains, without them when it answers."""

from jaxtyping import Float, Int
from torch import Tensor

from fairshot.learners.learner import Clusterer, Clusters, TaskBatch, name_clusters
from fairshot.learners.training.trainable import Model, Trainable


class TrainableClusterer(Clusterer, Trainable):
    """Answers with the names of its clusters; `logits` are what it learns by."""

    def cluster_with(self, model: Model, batch: TaskBatch, sizes: Int[Tensor, "episode way"]) -> Clusters:
        """Clusters of what `embed_with` gave."""
        return self.cluster(model.embed_tasks(batch) if model.statistics == "support" else batch, sizes)

    def answer(self, model: Model, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Without labels, on what `embed_with` gave."""
        return name_clusters(self.cluster_with(model, batch.unlabelled, batch.sizes), batch)
