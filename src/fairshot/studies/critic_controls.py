"""Boutin et al. 2022, Tables S2 to S4: what other critics would have said of people's drawings.

The main text swaps the two correlations of Table S4; the table counts.
"""

from fairshot.scoring.critic_agreement import TABLE_S2
from fairshot.scoring.critics import FIVE_SHOT, MAML, PROTOTYPES, SIMCLR
from fairshot.studies.kinds.critic_agreement import Controls, Pair

LIGHT, STRONG = "simclr-light", "simclr-strong"
S2: tuple[tuple[dict[str, float], dict[str, float]], ...] = (
    ({"spearman": 0.85, "pearson": 0.86, "r_squared": 0.74}, {}),
    ({"spearman": 0.71, "r_squared": 0.57}, {}),
    ({"spearman": 0.73}, {"r_squared": 0.44}),
    ({"spearman": 0.63}, {"r_squared": 0.44}),
)

STUDY = Controls(
    title="Do other critics agree about people's drawings?",
    paper="Boutin et al. 2022, Tables S2, S3 and S4",
    what="omniglot/weak-val/novel",
    critics={
        SIMCLR: "simclr@omniglot-critic",
        PROTOTYPES: "prototypes@omniglot-critic",
        MAML: "maml@omniglot-critic",
        FIVE_SHOT: "prototypes@omniglot-critic-5-shot",
        LIGHT: "simclr@omniglot-critic-light",
        STRONG: "simclr@omniglot-critic-strong",
    },
    pairs=(
        *(Pair("Table S2", *names, *told) for names, told in zip(TABLE_S2, S2, strict=True)),
        Pair("Table S3", "simclr Eq. 2", f"{LIGHT} Eq. 2", {"spearman": 0.79}),
        Pair("Table S3", "simclr Eq. 2", f"{STRONG} Eq. 2", {"spearman": 0.90}),
        Pair("Table S4", "prototypes accuracy", "maml accuracy", {"spearman": 0.60}),
        Pair("Table S4", "prototypes distance", "maml logit", {"pearson": -0.62}),
        Pair("margins", "prototypes margin", "maml margin"),
        Pair("margins", "prototypes margin", "maml logit"),
        Pair("margins", "prototypes margin", "prototypes distance"),
        Pair("margins", "prototypes Eq. 2", "prototypes distance"),
        Pair("five shots", "one-shot accuracy", "five-shot accuracy"),
    ),
    same=0.28,
    times=240,
)
