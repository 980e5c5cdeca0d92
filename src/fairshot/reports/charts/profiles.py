"""Good and bad episodes: for every score the share of episodes that reach it, a curve for each learner."""

from collections.abc import Mapping

import altair as alt
import numpy as np
from altair.typing import ChartType
from jaxtyping import Float

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import colours, dashes

WIDTH, HEIGHT = 360, 220
STEPS = 100


def profile_chart(scores: Mapping[str, Float[np.ndarray, " episode"]], task: str, metric: str) -> ChartType:
    """The performance profile of each learner; where a curve falls early there are bad episodes."""
    learners = list(scores)
    grid = np.linspace(0, 1, STEPS + 1)
    rows = [
        {"learner": learner, "score": round(float(least), 3), "share": float((values >= least - 1e-12).mean())}
        for learner, values in scores.items()
        for least in grid
    ]
    legend = alt.Legend(title=None, orient="bottom", columns=2)
    chart = (
        alt.Chart(table(rows), width=WIDTH, height=HEIGHT, title=alt.Title(task))
        .mark_line(interpolate="step-before")
        .encode(
            x=alt.X("score:Q").axis(format="~%").title(f"{metric} of an episode"),
            y=alt.Y("share:Q").axis(format="~%").title("episodes that reach it"),
            color=alt.Color("learner:N").scale(domain=learners, range=colours(len(learners))).legend(legend),
            strokeDash=alt.StrokeDash("learner:N").scale(domain=learners, range=dashes(len(learners))).legend(legend),
            tooltip=[
                alt.Tooltip("learner:N"),
                alt.Tooltip("score:Q", format=".0%"),
                alt.Tooltip("share:Q", format=".1%"),
            ],
        )
    )
    return themed(chart, f"Share of episodes of {task} that reach each {metric}, for {', '.join(learners)}")
