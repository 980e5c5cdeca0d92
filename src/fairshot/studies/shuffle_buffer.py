"""Whether shuffle buffers move Meta-Dataset's accuracies and intervals (google-research/meta-dataset, issue 54).

Classes here have 20 to 120 images: a buffer of 1000 holds all of them, as it does for most classes of Meta-Dataset; a
buffer of 10 stands for the large classes of ILSVRC, Quick Draw and MSCOCO; no buffer is what the issue is about.
"""

from fairshot.studies.kinds.reader_effects import ReaderEffects

STUDY = ReaderEffects(
    title="Episodes read through shuffle buffers against sampled ones",
    paper="our own question",
    sources={
        "Traffic Signs": "traffic_sign:copy=small/meta-dataset/novel",
        "Birds": "cu_birds:copy=small/meta-dataset/novel",
        "Quick Draw": "quickdraw:copy=wild/meta-dataset/novel",
        "VGG Flower": "vgg_flower:copy=small/meta-dataset/novel",
        "Omniglot": "omniglot/meta-dataset/novel",
        "MSCOCO": "mscoco:copy=wild/meta-dataset/novel",
    },
    buffers=(1000, 10, 0),
)
