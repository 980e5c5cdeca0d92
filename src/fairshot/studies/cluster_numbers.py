"""What it costs a clusterer to believe in the wrong number of classes, or to have to find it out."""

from fairshot.studies.kinds.contrast_table import Contrasts
from fairshot.tasks.uniform import Uniform

NETWORK = "prototypes@omniglot-vinyals"
BELIEFS = ("extra=-2", "extra=-1", "extra=1", "extra=2", "extra=5", "count=estimated")
KINDS = ("sinkhorn", "kmeans")

STUDY = Contrasts(
    title="Clusters when their number is wrong or unknown",
    paper="our own question",
    name="cluster_numbers",
    what="omniglot/vinyals/novel",
    learners=tuple(f"{kind}@{NETWORK}" for kind in KINDS)
    + tuple(f"{kind}:{belief}@{NETWORK}" for kind in KINDS for belief in BELIEFS),
    tasks=(Uniform(way=5, shot=5, query=5), Uniform(way=20, shot=5, query=5)),
    metrics=("clustering", "accuracy"),
    episodes=500,
    contrasts=tuple((f"{kind}:{belief}@{NETWORK}", f"{kind}@{NETWORK}") for kind in KINDS for belief in BELIEFS),
)
