"""Centroid Networks' tables on mini-ImageNet, at 32 pixels and with the images at hand (Huang et al. 2019)."""

from fairshot.evaluation.consistency import Pair
from fairshot.studies.kinds.consistency_table import Consistency
from fairshot.studies.kinds.trained_table import Course
from fairshot.tasks.uniform import Uniform

TASK = Uniform(way=5, shot=5, query=15)
CHANGES = "way=20,shot=5,query=5,in_turn=True,steps=400,augment=photo"

STUDY = Consistency(
    title="Clustering and CSCC on mini-ImageNet at 32 pixels",
    paper="Huang et al. 2019, Tables 2 and 3 (at 84 pixels, with 600 images a class)",
    name="centroid_mini",
    what="mini_imagenet/ravi/novel",
    split="mini_imagenet/ravi",
    recipe="32",
    learners=("centroid", "prototypes", "kmeans@prototypes", "kmeans"),
    courses={
        "centroid": Course("centroid:conditional=softmax", changes=CHANGES),
        "prototypes": Course("prototypes", changes=CHANGES),
    },
    tasks=(TASK,),
    pairs=(Pair("centroid", "prototypes"), Pair("kmeans@prototypes", "prototypes")),
    clustering=("centroid", "kmeans@prototypes", "kmeans"),
    episodes=5000,
    published={
        ("kmeans", TASK.label, "clustering"): 0.414,
        ("kmeans@prototypes", TASK.label, "clustering"): 0.487,
        ("centroid", TASK.label, "clustering"): 0.645,
        ("prototypes", TASK.label, "accuracy"): 0.687,
        ("centroid", TASK.label, "accuracy"): 0.553,
        ("centroid", TASK.label, "cscc"): 0.805,
    },
)
