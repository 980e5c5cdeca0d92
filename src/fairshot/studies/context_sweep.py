"""Boutin et al. 2022, Figs. 4a and S13: the Neural Statistician trained on sets of 2 to 20 drawings.

In the released code the size of sets decides how many sets there are and how many of them are turned, too; here it
decides nothing else, unless the study is run with `--set decouple=False`.
"""

from fairshot.studies.diversity_recognizability import NS
from fairshot.studies.kinds.path_claim import PathClaim
from fairshot.studies.kinds.sweep import Axis, Sweep, models_of

AXES = (Axis(NS, "context", (2, 5, 10, 15, 20)),)

STUDY = Sweep(
    title="What does the size of its sets do to the Neural Statistician?",
    paper="Boutin et al. 2022, Figs. 4a and S13",
    models=models_of(AXES),
    axes=AXES,
    smoothing="filter",
    questions=(
        PathClaim("With larger sets samples are less diverse.", NS, "diversity falls"),
        PathClaim("With larger sets samples are more recognizable.", NS, "recognizability rises"),
    ),
)
