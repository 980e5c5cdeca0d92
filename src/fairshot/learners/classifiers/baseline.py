"""A network that learned to name the base classes, and nearest class means of its vectors brought to length one.

The supervised baseline (SB) of Setlur et al., Two Sides of Meta-Learning Evaluation, NeurIPS 2021; after Chen et al.,
A Closer Look at Few-shot Classification, ICLR 2019.
"""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.linear import class_sums
from fairshot.learners.solvers.similarity import Metric, class_means, similarity
from fairshot.learners.training.label_loss import Supervised
from fairshot.learners.training.plan import LABELS_LAPTOP, RELEASED_LABELS, Plan
from fairshot.learners.training.trainable import Head


@dataclass(frozen=True)
class Baseline(Supervised):
    """Nearest mean of vectors of length one."""

    reads: ClassVar = "both"
    presets: ClassVar = {
        "released": RELEASED_LABELS,
        "released-laptop": LABELS_LAPTOP,
        # 100 epochs of the 38,400 images of mini-ImageNet's base classes.
        "paper": Plan(
            network="resnet12",
            images=128,
            steps=30_000,
            epoch=300,
            optimizer="sgd",
            rate=0.1,
            nesterov=True,
            weight_decay=5e-4,
            factors=((0.9, 0.1),),
            augment="photo",
            val_way=5,
            val_shot=5,
        ),
        "laptop": Plan(images=128, steps=1560, epoch=120, rate=1e-3, cosine=True, augment="drawing"),
    }

    metric: Metric = "l2"
    """How a query is compared with the means of its episode, which are a little shorter than one."""
    scale: float = 10.0

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """Similarity to each class mean."""
        support, query = (normalize(vectors, dim=-1) for vectors in batch.vectors)
        if self.metric == "l2":
            # Distances are small beside one: measured from the midst of the support they keep their digits.
            midst = class_sums(support, batch).sum(1, keepdim=True) / batch.class_counts.sum(1)[:, None, None]
            support, query = support - midst, query - midst
        return self.scale * similarity(query, class_means(support, batch), self.metric)
