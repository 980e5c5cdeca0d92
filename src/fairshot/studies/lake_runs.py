"""Lake's 20 runs of 20-way one-shot classification, with the classic baselines that need no training."""

from fairshot.studies.study import TableStudy
from fairshot.tasks.lake_runs import LakeRuns

STUDY = TableStudy(
    title="Lake's 20 runs of one-shot classification within alphabets",
    paper="Lake, Salakhutdinov and Tenenbaum, Science 2015; baseline of the released all_runs.zip",
    what="omniglot/lake/novel",
    recipe="raw",
    learners=("hausdorff", "pixels", "chance"),
    tasks=(LakeRuns(),),
    metric="error",
    episodes=20,
    published={("hausdorff", LakeRuns().label): 0.388},
)
