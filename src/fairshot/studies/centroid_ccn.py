"""Centroid Networks, Table 1: whole alphabets clustered at once, against networks that are trained anew for each
(Huang et al. 2019; Hsu et al. 2018 with KCL, 2019 with MCL).
"""

from fairshot.studies.kinds.timing_table import Costs
from fairshot.studies.kinds.trained_table import Course
from fairshot.tasks.whole_parent import WholeParent

TASK = WholeParent(shot=20, query=0)
LESSONS = "within=True,way=20,tasks=3,shot=3,query=3,in_turn=True,augment=drawing,rate=0.002"
PUBLISHED = {
    "kmeans": 0.217,
    "constrained:loss_of=kcl,steps=100@alike": 0.824,
    "constrained:loss_of=mcl,steps=100@alike": 0.833,
    "centroid@conv4": 0.868,
    "centroid@ccn": 0.866,
}

STUDY = Costs(
    title="Whole alphabets without labels: Centroid Networks and networks trained for each",
    paper="Huang et al. 2019, Table 1",
    name="centroid_ccn",
    what="omniglot/ccn/novel",
    split="omniglot/ccn",
    learners=tuple(PUBLISHED),
    courses={
        "conv4": Course("centroid:center=0.1", changes=f"{LESSONS},steps=600"),
        "ccn": Course("centroid:center=0.1", changes=f"{LESSONS},network=ccn,steps=1000"),
        "alike": Course("constrained", changes="network=conv4,recipe=centroid-ccn,within=True,way=14"),
    },
    tasks=(TASK,),
    metric="clustering",
    episodes=20,  # published: 1000 alphabets drawn at random, which are these 20 again and again
    published={(name, TASK.label): value for name, value in PUBLISHED.items()},
)
