"""Other recognisers than the nearest exemplar: each against what it would answer by hand."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from fairshot.cli.main import main
from fairshot.learners.classifiers.maml import Maml
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.classifiers.simclr import Simclr
from fairshot.learners.exemplars import any_rows, central_rows, nearest_rows, random_rows
from fairshot.learners.learner import TaskBatch
from fairshot.learners.training.loop import train
from fairshot.learners.training.plan import Plan
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critic_view import CriticView, support_rows, view_people
from fairshot.scoring.critics import FIVE_SHOT, MAML, PROTOTYPES, SIMCLR, Critics, load_critics
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.recognisers import RECOGNISERS
from fairshot.scoring.score import score
from fairshot.specs.data import find_part, find_split

WORLD = "glyphs:alphabets=5,characters=6,drawers=5"
ON = f"{WORLD}/parents/novel"
WAY = 4
PROTOCOL = Protocol(way=WAY, times=4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All four, each of a few steps."""
    folder = tmp_path_factory.mktemp("critics")
    base = find_split(WORLD, "parents", recipe="diversity").base
    short = Plan(network="critic", images=16, way=5, shot=1, query=2, steps=3, epoch=3)
    train(Simclr(), base, plan=short, out=folder / "simclr")
    train(Prototypes(), base, plan=replace(short, exemplars=str(folder / "simclr")), out=folder / "prototypes")
    train(Prototypes(), base, plan=replace(short, shot=5), out=folder / "prototypes-5-shot")
    plan = replace(short, network="critic_trunk", way=WAY)
    train(Maml(head="learned", way=WAY, test_steps=2), base, plan=plan, out=folder / "maml")
    return folder


@pytest.fixture(scope="module")
def critics(folder: Path) -> Critics:
    kinds = {kind: load_critics(str(folder), kind).fitted[kind] for kind in (SIMCLR, PROTOTYPES, MAML, FIVE_SHOT)}
    return Critics("all", kinds)


def people(critics: Critics, shot: int) -> CriticView:
    part = find_part(ON, recipe="diversity")
    support = support_rows(critics, part, "central", shot=shot, seed=0)
    return view_people(critics, part, support, np.arange(len(part.classes)), exclude=True)


def test_an_adapting_recogniser_answers_every_episode_by_itself(critics: Critics) -> None:
    own = people(critics, 1)
    trials = PROTOCOL.draw_trials(own)
    far = RECOGNISERS[MAML].distances(own, trials)
    assert far.shape == (6, WAY, WAY)
    scale = critics.recipe.scale
    for classes, samples, found in zip(trials.classes, trials.samples, far, strict=True):
        support = torch.from_numpy(scale(own.exemplars[classes]))[None]
        query = torch.from_numpy(scale(own.images[samples]))[None]
        asked = torch.ones(1, WAY, dtype=torch.bool)
        batch = TaskBatch(
            support=support,
            support_labels=torch.arange(WAY)[None],
            query=query,
            query_mask=asked,
            way=torch.tensor([WAY]),
            width=WAY,
        )
        logits = critics.fitted[MAML].classify(batch)[0].numpy()
        np.testing.assert_allclose(-found, logits, atol=1e-4)


def test_five_shots_are_the_mean_of_five_outputs(critics: Critics) -> None:
    own = people(critics, 5)
    assert own.support.shape[:2] == (6, 5)
    assert (np.bincount(own.labels[own.asking]) == 5).all(), "none of the five may be asked for"
    trials = PROTOCOL.draw_trials(own)
    far = RECOGNISERS[FIVE_SHOT].distances(own, trials)
    for episode, query in ((0, 0), (3, 2)):
        sample = critics.outputs(own.images[[trials.samples[episode, query]]], FIVE_SHOT)[0]
        for place, one in enumerate(trials.classes[episode]):
            mean = critics.outputs(own.support[one], FIVE_SHOT).mean(axis=0)
            assert far[episode, query, place] == pytest.approx(((sample - mean) ** 2).sum(), rel=1e-4)


def test_five_equal_drawings_are_one(critics: Critics) -> None:
    one, five = people(critics, 1), critics.fitted[FIVE_SHOT]
    same = Critics("same", {**critics.fitted, PROTOTYPES: five})
    equal = replace(one, critics=same, support=np.repeat(one.support, 5, axis=1))
    trials = PROTOCOL.draw_trials(equal)
    far = RECOGNISERS[FIVE_SHOT].distances(equal, trials)
    np.testing.assert_allclose(far, RECOGNISERS[PROTOTYPES].distances(equal, trials), rtol=1e-6, atol=1e-9)


def test_the_exemplar_is_the_first_of_the_support(critics: Critics) -> None:
    part = find_part(ON, recipe="diversity")
    features = critics.features(np.asarray(part.read(slice(None))))
    nearest = nearest_rows(features, part.class_ids, 5)
    assert np.array_equal(nearest[:, 0], central_rows(features, part.class_ids))
    for rows in nearest:
        own = np.flatnonzero(part.class_ids == part.class_ids[rows[0]])
        away = np.linalg.norm(features[own] - features[own].mean(axis=0), axis=1)
        assert list(rows) == list(own[np.argsort(away)][:5])
    chosen = any_rows(part.class_ids, 5, seed=3)
    assert np.array_equal(chosen[:, 0], random_rows(part.class_ids, seed=3))
    assert all(len({*rows}) == 5 and len({*part.class_ids[rows]}) == 1 for rows in chosen)


@pytest.mark.parametrize("kind", [MAML, FIVE_SHOT])
def test_scores_name_who_recognised(critics: Critics, kind: str) -> None:
    other = replace(PROTOCOL, recogniser=kind)
    found, usual = (
        score(["copy", "warped"], critic=critics, on=ON, count=5, protocol=protocol) for protocol in (other, PROTOCOL)
    )
    assert (found.recogniser, usual.recogniser) == (kind, PROTOTYPES)
    assert {SIMCLR, PROTOTYPES, kind} <= set(found.critics)
    assert f"{kind} recognises; curve and inception are by prototypes all the same" in found.notes
    # With five shots people are asked for fewer of their drawings, so that their curve is another one.
    for metric in ("diversity", "chords", "vendi", "copies", "inception", "frechet", *(["curve"] * (kind == MAML))):
        one, other = found.row("warped", metric), usual.row("warped", metric)
        assert one is not None
        assert other is not None
        assert one.value == pytest.approx(other.value, rel=1e-6), metric
    if kind == MAML:
        assert value(found, "copy", "recognizability") > 0.2
    assert value(found, "copy", "diversity") == 0


def value(found, samples: str, metric: str) -> float:
    return found.row(samples, metric).value


def test_an_adapting_recogniser_asks_less_often_and_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Protocol().asks == 500
    assert Protocol(recogniser=MAML).asks == 20
    asked = ["score", "human", "--critic", str(folder), "--on", ON, "--way", "4", "--recogniser", "maml"]
    assert main([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["recogniser"], told["times"]) == ("maml", 20)
    note = "each class is asked for 20 times and not 500, as maml adapts to every episode anew: times=N changes it"
    assert note in told["notes"]
    assert main([*asked, "--times", "3"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "4-way by maml, each class asked for 3 times" in out
    assert "times=N" not in out


def test_what_cannot_recognise(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FairshotError) as refused:
        score(["copy"], critic=str(folder), on=ON, protocol=replace(PROTOCOL, recogniser=MAML, way=5))
    assert str(refused.value) == (
        f"maml of {folder} cannot serve 5-way episodes: its output layer was learned for 4-way episodes"
    )
    with pytest.raises(FairshotError, match="unknown recogniser 'mama'"):
        Protocol(recogniser="mama")
    for kind in ("simclr", "prototypes"):
        (tmp_path / kind).symlink_to(folder / kind)
    with pytest.raises(FairshotError) as refused:
        load_critics(str(tmp_path), FIVE_SHOT)
    assert str(refused.value) == (
        f"{tmp_path} holds 0 runs of five-shot: a pair of critics is a folder with one run of simclr and one of "
        "prototypes, and one of five-shot beside it to recognise by that, made by 'fairshot train ... --out "
        f"{tmp_path}/five-shot'"
    )
    few = find_part(ON, recipe="diversity")
    few = few.select(np.isin(np.arange(len(few)), any_rows(few.class_ids, 3)))
    with pytest.raises(
        FairshotError,
        match="has a class of 3 drawings by people, and 5 of them stand for it: give 6 or more of each class, or use",
    ):
        support_rows(load_critics(str(folder)), few, "central", shot=5, seed=0)


def test_shipped_recognisers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = {f"{kind}@glyphs-critic": folder / kind / "weights.safetensors" for kind in ("simclr", "prototypes")}
    monkeypatch.setattr("fairshot.scoring.critics.shipped_weights", lambda: weights)
    with pytest.raises(FairshotError) as refused:
        load_critics("glyphs", MAML)
    assert str(refused.value) == (
        "the critics 'glyphs' come without maml: leave out recogniser, or give a folder with a run of simclr, one of "
        "prototypes and one of maml"
    )
    weights["maml@glyphs-critic"] = folder / "maml" / "weights.safetensors"
    weights["prototypes@glyphs-critic-5-shot"] = folder / "prototypes-5-shot" / "weights.safetensors"
    assert load_critics("glyphs", MAML).fitted[MAML].record.learner == "maml"
    assert load_critics("glyphs", FIVE_SHOT).fitted[FIVE_SHOT].record.plan.shot == 5


def test_adapting_tells_how_far_it_is(critics: Critics, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairshot.scoring.recognisers.EPISODES", 4)
    own, told = people(critics, 1), []
    RECOGNISERS[MAML].distances(own, PROTOCOL.draw_trials(own), lambda *what: told.append(what[:3]))
    assert told == [("maml: episodes", 0, 6), ("maml: episodes", 4, 6)]
