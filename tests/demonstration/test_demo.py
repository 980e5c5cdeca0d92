"""The demo shows what makes the field hard."""

from pathlib import Path

from fairshot.evaluation.demo import demo


def test_one_alphabet_is_harder_than_any_characters_and_learners_beat_chance(tmp_path: Path) -> None:
    result = demo(episodes=100, out=tmp_path, progress=lambda what, done, whole, mean: None)
    value = {(row.learner, row.task): row.value for row in result.rows}
    for shot in (1, 5):
        task = f"5-way {shot}-shot 5-query"
        assert abs(value["chance", task] - 0.2) < 0.03
        for learner in ("pixels", "prototypes", "prototypes:metric=centred", "ridge"):
            assert 0.35 < value[learner, f"within-parent {task}"] < value[learner, task] < 0.9
    assert (tmp_path / "result.json").exists()
