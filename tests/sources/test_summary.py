import numpy as np

from fairshot.sources.array import from_arrays
from fairshot.sources.summary import SourceSummary


def test_a_summary_counts_what_is_there() -> None:
    labels = np.repeat(["crow", "gull", "tit"], [3, 4, 3])
    source = from_arrays(
        np.zeros((10, 5)), labels, name="birds", parents=["land", "sea", "land"], groups=[0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    )
    assert SourceSummary(source).to_text(80) == (
        "birds: 10 vectors of 5, 3 classes of 3 to 4\n"
        "\n"
        "fact              value\n"
        "──────────────────────────────────────────────────\n"
        "vectors           10\n"
        "size              5\n"
        "classes           3\n"
        "images per class  3 to 4\n"
        "parents           2\n"
        "recipe            raw\n"
        "attributes        group (5)\n"
        f"fingerprint       {source.fingerprint}\n"
        "\n"
        "parent  classes  images  images per class\n"
        "─────────────────────────────────────────\n"
        "land          2       6  3\n"
        "sea           1       4  4\n"
    )


def test_a_summary_fits_eighty_columns_whatever_the_names() -> None:
    names = [f"a class whose name goes on and on until nobody reads it any more, number {n}" for n in range(60)]
    images = np.random.default_rng(0).integers(0, 256, (120, 4, 4), dtype=np.uint8)
    long = "a folder with a name that is longer than any line of eighty columns could ever be, and then some"
    source = from_arrays(images, np.repeat(names, 2), name=long, parents=[f"{long} {n % 30}" for n in range(60)])
    text = SourceSummary(source).to_text(80)
    assert max(map(len, text.splitlines())) <= 80
    assert "And 10 more parents." in text
