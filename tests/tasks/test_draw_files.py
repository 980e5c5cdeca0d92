import json
from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.tasks.draw_files import read_draws, write_draws
from fairshot.tasks.support_draws import draw_supports


def make_pool(seed: int = 0) -> Source:
    labels = np.repeat(["ant", "bee", "cat"], 6)
    return from_arrays(np.random.default_rng(seed).normal(size=(18, 3)), labels)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    pool = make_pool()
    drawn = draw_supports(pool, 2, 5)
    write_draws(drawn, tmp_path / "draws.csv")
    lines = (tmp_path / "draws.csv").read_text().splitlines()
    assert lines[0] == "draw,row,class,content"
    assert len(lines) == 1 + 5 * 3 * 2
    found = read_draws(tmp_path / "draws.csv", pool)
    assert found.key == drawn.key
    assert (found.image_ids == drawn.image_ids).all()


def test_rows_of_a_part_count_from_its_own_first(tmp_path: Path) -> None:
    pool = make_pool()
    part = pool.select(np.arange(18) % 6 > 1)
    drawn = draw_supports(part, 2, 3)
    write_draws(drawn, tmp_path / "draws.csv")
    assert (read_draws(tmp_path / "draws.csv", part).image_ids == drawn.image_ids).all()


@pytest.mark.parametrize("form", ["list", "seeds", "array", "bare"])
def test_other_peoples_files_are_read(form: str, tmp_path: Path) -> None:
    rows = [[0, 6, 12], [1, 7, 13]]
    path = tmp_path / {"array": "d.npy", "bare": "d.csv"}.get(form, "d.json")
    if form == "array":
        np.save(path, np.array(rows))
    elif form == "bare":
        path.write_text("draw,row\n" + "".join(f"{n},{row}\n" for n, draw in enumerate(rows) for row in draw))
    else:
        path.write_text(json.dumps(rows if form == "list" else {"seed1": rows[0], "seed2": rows[1]}))
    assert read_draws(path, make_pool()).image_ids.tolist() == [[[0], [6], [12]], [[1], [7], [13]]]


def test_files_that_do_not_fit_are_refused_in_a_line(tmp_path: Path) -> None:
    write_draws(draw_supports(make_pool(), 1, 2), tmp_path / "d.csv")
    with pytest.raises(FairshotError, match=r"row \d+ of .*d.csv is another image than row \d+ of array: use the same"):
        read_draws(tmp_path / "d.csv", make_pool(seed=1))
    with pytest.raises(FairshotError, match=r"there is no file of draws .*nothing.json: write one with export_draws"):
        read_draws(tmp_path / "nothing.json", make_pool())
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(
        FairshotError, match=r"bad.json is no file of draws: give a table with the columns draw and row"
    ):
        read_draws(tmp_path / "bad.json", make_pool())
    (tmp_path / "empty.json").write_text("[[]]")
    with pytest.raises(FairshotError, match=r"empty.json holds a draw without rows"):
        read_draws(tmp_path / "empty.json", make_pool())
    with pytest.raises(FairshotError, match=r"is not named like a file of draws: let it end in .csv, .json or .npy"):
        read_draws(tmp_path / "d.pkl", make_pool())
