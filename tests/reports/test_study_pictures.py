"""Charts of studies of generators, from a result made up."""

from pathlib import Path

import numpy as np
import pytest

from fairshot.reports.charts.concept_radar import exemplar_image
from fairshot.reports.charts.sweep_paths import mean_curve
from fairshot.reports.study_pictures import draw_study_pictures, write_study_pictures
from fairshot.results.schema import Result, SourceName
from fairshot.results.study_rows import ClassTable, ConceptDistance, CurveFit, DistanceResult, SamplePoint
from tests.panels import datasets

SOURCE = SourceName(name="glyphs", fingerprint="f", recipe="diversity")
INK = np.eye(5, dtype=bool)


def make_point(model: str, seed: int | None, place: tuple[float, float], position: float | None = None) -> SamplePoint:
    values = {"diversity": place[0], "recognizability": place[1], "pooled distance": abs(place[0] - 1)}
    return SamplePoint(
        critic="published",
        model=model,
        generator=model.partition(",")[0],
        course="" if seed is None else f"{model}-seed{seed}",
        seed=seed,
        setting="" if position is None else "beta",
        position=position,
        values=values,
    )


def make_result(*, fits: bool) -> DistanceResult:
    points = [
        make_point(f"vae, beta {beta}", seed, (2 - 0.1 * beta - 0.01 * seed, 0.5 + 0.1 * beta), float(beta))
        for beta in (1, 2, 3)
        for seed in (0, 1)
    ]
    points += [make_point("gan", 0, (0.3, 0.9)), make_point("human", None, (1.0, 0.95))]
    curves = [
        CurveFit(
            critic="published",
            curve="vae",
            seed=seed,
            positions=[1.0, 2.0, 3.0],
            diversity=[1.9 - seed, 1.8 - seed, 1.7 - seed],
            recognizability=[0.6, 0.7, 0.8],
        )
        for seed in (0, 1)
    ]
    concepts = [
        ConceptDistance(
            critic="published",
            name=name,
            nearest="vae, beta 3",
            distances={"vae, beta 3": 0.1, "gan": 0.4},
            line_length=20.0,
            side=5,
            drawing=np.packbits(INK).tobytes().hex(),
        )
        for name in ("a", "b", "c")
    ]
    values = {"diversity": [0.1, 0.2, 0.4], "recognizability": [0.9, 0.9, 0.8]}
    points = [point.model_copy(update={"by_class": values}) for point in points]
    return DistanceResult(
        seed=0,
        source=SOURCE,
        episodes_key="k",
        rows=[],
        way=20,
        points=points,
        fits=curves if fits else [],
        concepts=concepts,
        classes=ClassTable(names=["a", "b", "c"], line_length=[1.0, 2.0, 3.0]),
        best={"published": ["gan", "human"]},
        sheets={"gan-seed0": "iVBORw0KGgo="},
        positions={"gan": (0.315, 0.882)},
        published_distances={"gan": (1.26, 0.56)},
    )


def test_every_chart_is_written(tmp_path: Path) -> None:
    written = write_study_pictures(make_result(fits=False), tmp_path)
    assert [path.name.replace("-published", "") for path in written] == [
        "plane.svg",
        "plane.html",
        "distances.svg",
        "radar.svg",
        "line-lengths.svg",
    ]
    assert all(path.read_text().startswith("<svg" if path.suffix == ".svg" else "<!DOCTYPE") for path in written)
    assert "sweep-published.svg" in dict(draw_study_pictures(make_result(fits=True)))
    assert write_study_pictures(Result(seed=0, source=SOURCE, episodes_key="k", rows=[]), tmp_path) == []


def test_the_plane_has_all_trainings_the_published_positions_and_people() -> None:
    charts = dict(draw_study_pictures(make_result(fits=True)))
    trainings, published, means, *_ = datasets(charts["plane-published.svg"].to_dict())
    assert len(trainings) == 7
    assert [row["model"] for row in trainings if "image" in row] == ["gan"]
    assert trainings[-1]["image"] == "data:image/png;base64,iVBORw0KGgo="
    assert [(row["label"], row["diversity"]) for row in published] == [("gan, published", 0.315)]
    assert [row["label"] for row in means] == ["vae", "gan", "people"]


def test_the_mean_of_seeds_has_their_deviation_as_a_band() -> None:
    rows = mean_curve(make_result(fits=True).fits, "diversity")
    assert (rows[0]["x"], rows[-1]["x"]) == (1, 3)
    assert rows[0]["y"] == pytest.approx(1.4)
    assert rows[0]["high"] - rows[0]["y"] == pytest.approx(np.std([1.9, 0.9], ddof=1))


def test_an_exemplar_is_kept_bit_by_bit() -> None:
    assert exemplar_image(make_result(fits=False).concepts[0]).startswith("data:image/png;base64,")
