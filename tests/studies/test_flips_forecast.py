"""The study of forecasts, in small: what is drawn, and that forecasts hold where the plug-in does not."""

from functools import partial

import cloudpickle
import numpy as np
import pytest

from fairshot.runtime.seeds import Stream
from fairshot.studies.flips_forecast import evenly, from_prior, simulated
from fairshot.studies.kinds import forecast_calibration
from fairshot.studies.kinds.forecast_calibration import DrawnGaps, ForecastCalibration, Projections, verdict
from fairshot.studies.study import run_study


def test_forecasts_hold_and_the_plug_in_is_too_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast_calibration, "PORTION", 1500)  # here: processes would take longer to start
    study = ForecastCalibration("forecasts", "fairshot", (DrawnGaps("prior", from_prior),), trials=1500)
    result = run_study(study)
    able = [row for row in result.rows if row.value is not None]
    forecasts = [row for row in able if row.metric == "forecast"]
    plug_in = [row for row in able if row.metric != "forecast"]
    assert {row.verdict for row in forecasts} <= {"holds", "careful"}
    assert sum(row.verdict == "too sure" for row in plug_in) >= 4
    assert sum(row.episodes for row in forecasts) == 1500
    assert [table.title for table in result.study_tables] == ["forecasts"]
    assert {(row.learner, row.task) for row in result.rows} == study.cells


def test_trials_can_be_sent_to_other_processes() -> None:
    several = partial(forecast_calibration._several, DrawnGaps("prior", from_prior), 0)
    assert cloudpickle.loads(cloudpickle.dumps(several))(range(3)) == several(range(3))


def test_pairs_of_projections_are_compared_as_a_user_would() -> None:
    study = ForecastCalibration(
        "forecasts", "fairshot", (Projections("simulated", simulated, classes=8, episodes=300),)
    )
    rows = run_study(study, limit=6).rows
    assert 0 < sum(row.episodes for row in rows if row.metric == "forecast") <= 6


def test_gaps_are_drawn_as_stated() -> None:
    streams = [Stream(0, "gap", number) for number in range(400)]
    assert abs(np.std([from_prior(stream) for stream in streams]) - 1) < 0.15
    even = [evenly(stream) for stream in streams]
    assert 0 <= min(even) < 0.1 < 2.9 < max(even) <= 3


def test_a_verdict_says_on_which_side_a_forecast_errs() -> None:
    assert [verdict(value, (0.1, 0.2)) for value in (0.05, 0.15, 0.25)] == ["too sure", "holds", "careful"]
