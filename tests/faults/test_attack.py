"""Input that once ended in a traceback, a wrong number or a wait for ever: now a line, or the right number."""

import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import fairshot as fs
from fairshot.cli.main import main
from fairshot.runtime.errors import FairshotError
from tests.conftest import make_vectors

RNG = np.random.default_rng(0)
Y = np.repeat(np.arange(6), 10)
X = (RNG.normal(size=(6, 8))[Y] + RNG.normal(size=(60, 8))).astype(np.float64)
QUICK = {"way": 3, "shot": 5, "query": 3, "episodes": 60}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    np.savez("v.npz", X=X, y=Y)
    for label in range(3):
        (tmp_path / "pictures" / f"class{label}").mkdir(parents=True)
        for number in range(3):
            picture = RNG.integers(0, 256, (9, 9, 3), dtype=np.uint8)
            Image.fromarray(picture).save(tmp_path / "pictures" / f"class{label}" / f"{number}.png")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "evaluate array:v.npz --episodes 1e20",
        "evaluate array:v.npz --query 3 --episodes 100000000000000000000",
        "evaluate array:v.npz --query 3 --metric ece:bins=0",
        "evaluate folder:pictures --recipe 1000000000000 --query 1",
        "data show folder:pictures --sheet x.xyz",
        "evaluate array:v.npz --query 3 --learner Ridge=ridge:regularization=nan",
        "evaluate array:v.npz --query 3 --shard 0/0 --out out",
        "gather out",
        "cache list --kind ../..",
        "ls runs --kind ../..",
    ],
)
def test_senseless_commands_give_one_line(command: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command.split()) == 2
    error = capsys.readouterr().err
    assert error.startswith("fairshot: ")
    assert error.count("\n") == 1


def huge_png(side: int) -> bytes:
    """A picture that claims to be very large."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


def test_a_picture_that_claims_ten_thousand_million_pixels_is_refused_before_it_is_decoded(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "pictures" / "class0" / "huge.png").write_bytes(huge_png(100_000))
    assert main(["evaluate", "folder:pictures", "--query", "1"]) == 2
    assert "huge.png" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes")
def test_a_pipe_among_the_pictures_is_waited_for_by_nobody(here: Path) -> None:
    os.mkfifo(here / "pictures" / "class0" / "x.png")
    assert len(fs.data("folder:pictures", recipe=8)) == 9


def test_names_that_are_no_text_are_written_out(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        os.rename(b"pictures/class0", b"pictures/cl\xffss\x1b[2J")
    except OSError:
        pytest.skip("a disk whose names are text")
    assert main(["evaluate", "folder:pictures", "--way", "3", "--query", "1", "--episodes", "5"]) == 0
    assert main(["data", "show", "folder:pictures"]) == 0
    assert main(["evaluate", "array:v.npz", "--query", "3", "--episodes", "5", "--learner", "a\x1b[2J=ridge"]) == 0
    out = "".join(capsys.readouterr())
    assert "\x1b" not in out


def test_a_name_that_a_spreadsheet_would_run_is_guarded(tmp_path: Path) -> None:
    names = ("=cmd()", "+1", "-1", "@x")
    e = fs.evaluate((X, Y), dict.fromkeys(names, "ridge"), way=3, query=3, episodes=5, out=tmp_path)
    for text in (e.to_csv(), (tmp_path / "episodes.csv").read_text()):
        assert all(name in text and f"\n{name}" not in text for name in names)


@pytest.mark.parametrize("learner", ["ridge", "prototypes", "ridge_loo"])
@pytest.mark.parametrize("factor", [1e15, 1e-10])
def test_the_scale_of_features_does_not_matter_or_is_told(learner: str, factor: float) -> None:
    usual = fs.evaluate((X, Y), learner, **QUICK)[learner]
    scaled = fs.evaluate((X * factor, Y), learner, **QUICK)[learner]
    assert scaled.warnings or scaled.number == pytest.approx(usual.number, abs=0.02)


@pytest.mark.parametrize(
    "data",
    [
        {"X": X * 1e300, "y": Y},
        {"X": X[:, :0], "y": Y},
        {"X": X, "y": Y, "parents": np.array("a")},
        {"X": X, "y": Y, "parents": np.zeros((6, 2), dtype="U1")},
        {"X": X, "y": Y, "group": np.array(3)},
        {"X": X, "y": Y, "group": np.zeros((60, 2), dtype=int)},
        {"X": X, "y": Y, "group": np.full(60, 2**62) * (Y + 1)},
    ],
    ids=["x1e300", "no features", "0-d parents", "2-d parents", "0-d groups", "2-d groups", "large groups"],
)
def test_odd_arrays_are_read_or_refused_in_a_line(data: dict, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez("odd.npz", **data)
    code = main(["evaluate", "array:odd.npz", "--query", "2", "--episodes", "5", "--way", "3"])
    error = capsys.readouterr().err
    assert code in (0, 2)
    assert code == 0 or (error.startswith("fairshot: ") and error.count("\n") == 1)


def test_a_result_that_names_files_elsewhere_is_refused(tmp_path: Path) -> None:
    e = fs.evaluate(make_vectors(classes=4, images=6), way=2, query=2, episodes=10, out=tmp_path / "a")
    row = e.rows[0].model_copy(update={"scores_key": "../../escaped"})
    forged = e.result.model_copy(update={"rows": [row]})
    (tmp_path / "a" / "result.json").write_text(forged.json_text())
    with pytest.raises(
        FairshotError, match=r"names scores that no command keeps \('\.\./\.\./escaped'\): do not use it"
    ):
        fs.load(tmp_path / "a").scores(row)
