"""Boutin et al. 2022, Fig. 5: how far generators are from people, over all models, and concept by concept.

All models of the plane and of the sweeps are in the pool that sets the scale. Beside them stands a point of the grid of
context and beta in which the paper found its best Neural Statistician, which is in neither of its sweeps.
"""

from fairshot.studies import beta_sweep, context_sweep, latent_sweep, pairing_comparison, steps_sweep
from fairshot.studies.diversity_recognizability import NS, POSITIONS, RN, STN, UN
from fairshot.studies.diversity_recognizability import STUDY as PLANE
from fairshot.studies.kinds.generator_model import Model
from fairshot.studies.kinds.human_distances import HumanDistances, distinct
from fairshot.studies.kinds.path_claim import ReachClaim

SWEEPS = (context_sweep, steps_sweep, beta_sweep, latent_sweep)
AXES = tuple(axis for sweep in SWEEPS for axis in sweep.AXES)
GRID = (Model(NS, {"context": 20, "beta": 2.5}, seeds=(0, 1)),)
CONTEXT, STEPS, BETA = f"{NS} context", f"{STN} glimpses", f"{STN} beta"
OTHERS = tuple(name for name in (f"{axis.generator} {axis.setting}" for axis in AXES) if name != CONTEXT)

STUDY = HumanDistances(
    title="How far are generators from people?",
    paper="Boutin et al. 2022, Fig. 5",
    models=distinct(
        [
            *PLANE.models,
            *(model for sweep in SWEEPS for model in sweep.STUDY.models),
            *pairing_comparison.STUDY.models,
            *GRID,
        ]
    ),
    positions=POSITIONS,
    axes=AXES,
    order=(NS, UN, RN, STN),
    published_distances={NS: (1.15, 0.18), UN: (1.26, 0.56), RN: (1.47, 1.22), STN: (2.78, 1.05)},
    reaches=(
        ReachClaim("The size of sets has the largest effect of all settings.", CONTEXT, OTHERS),
        ReachClaim(
            "The number of attention steps has a smaller effect than the weight of the divergence.", BETA, (STEPS,)
        ),
    ),
    pair=(STN, NS),
)
