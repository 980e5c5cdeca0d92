"""Diversity against recognizability, or FID and inception score: which of them can be had of few samples?"""

from fairshot.studies.kinds.sample_size_bias import SampleNumbers

STUDY = SampleNumbers(
    title="How measures of samples move with their number",
    paper="Boutin et al. 2022, who judge by 20 samples a class; the bias of FID after Chong and Forsyth 2020",
    what="omniglot/weak-val/novel",
    critic="omniglot",
    generators=("copy", "warped", "strangers"),
)
