"""What it costs to believe that classes have equal sizes where they have not, on episodes like Meta-Dataset's."""

from fairshot.studies.kinds.contrast_table import Contrasts
from fairshot.tasks.meta_dataset import MetaDataset

NETWORK = "prototypes@omniglot-vinyals"
EQUAL, KNOWN, FREE = (f"{kind}@{NETWORK}" for kind in ("sinkhorn", "sinkhorn:sizes=known", "kmeans"))

STUDY = Contrasts(
    title="Clusters of unequal sizes: believed equal, known, or left to k-means",
    paper="our own question",
    name="cluster_sizes",
    what="omniglot/vinyals/novel",
    learners=(EQUAL, KNOWN, FREE),
    tasks=(MetaDataset(bilevel=False),),
    metrics=("clustering", "accuracy"),
    episodes=300,
    contrasts=((EQUAL, KNOWN), (FREE, KNOWN), (EQUAL, FREE)),
)
