"""How often different images are taken for copies, and how many planted copies are found.

    python benchmarks/copies.py WHAT [WHAT ...] [--recipe 32]

For each source or part: pairs that the check `twins` takes for copies with a change; how many of 10,000 random pairs of
different classes would be; how many images of a part would be taken for copies of base images; the share of images
that are close to another one of their class, as frames of films are; and the share of 300 planted copies that is found
by the check, and by the likeness that trained learners keep. Real copies in the data count as found pairs.
"""

import argparse
import io
import json

import numpy as np
from PIL import Image

from fairshot.checks.copies import CERTAIN, LIKELY, different_rows, find_pairs
from fairshot.checks.groups import nearness, some_classes
from fairshot.checks.near_copies import ImagePool, find_near_copies
from fairshot.learners import seen
from fairshot.sources.array import from_arrays
from fairshot.sources.images.likeness import as_greys, find_nearest, likeness, pack
from fairshot.sources.source import Source
from fairshot.specs.data import find_part, find_split

PLANTED, PAIRS = 300, 10_000


def recompressed(image: np.ndarray) -> np.ndarray:
    packed, flat = io.BytesIO(), image[:, :, 0] if image.shape[2] == 1 else image
    Image.fromarray(flat).save(packed, "JPEG", quality=10)
    return np.asarray(Image.open(packed)).reshape(image.shape)


def cropped(image: np.ndarray) -> np.ndarray:
    cut, flat = max(1, round(0.04 * len(image))), image[:, :, 0] if image.shape[2] == 1 else image
    small = Image.fromarray(np.ascontiguousarray(flat[cut:, cut:]))
    return np.asarray(small.resize(flat.shape[1::-1], Image.Resampling.BILINEAR)).reshape(image.shape)


CHANGES = {
    "mirror": lambda image: image[:, ::-1],
    "quarter turn": np.rot90,
    "inversion": lambda image: 255 - image,
    "brightness": lambda image: np.rint(0.7 * image + 40).astype(np.uint8),
    "one-pixel shift": lambda image: np.pad(image, [(1, 0), (1, 0), (0, 0)], mode="edge")[:-1, :-1],
    "jpeg quality 10": recompressed,
    "crop of 4%": cropped,
}


def planted(part: Source, change: str) -> float:
    """The share of planted copies that the check takes for likely ones."""
    rng = np.random.default_rng(0)
    chosen = np.sort(rng.permutation(len(part))[:PLANTED])
    store = np.asarray(part.read(slice(None)))
    copies = np.stack([CHANGES[change](image) for image in store[chosen].transpose(0, 2, 3, 1)])
    both = np.concatenate([store, copies.transpose(0, 3, 1, 2)])
    source = from_arrays(both, np.zeros(len(both), dtype=np.int64))
    first = np.arange(len(store), len(both))
    found = find_pairs(ImagePool([source]), first, np.arange(len(store)))
    right = {(int(old), int(new)) for old, new in zip(chosen, first, strict=True)}
    return len(right & {(int(a), int(b)) for a, b in found.pairs[found.share < LIKELY]}) / len(right)


def remembered(part: Source, change: str) -> float:
    """The share of images that a learner, trained on the part, would know again by their likeness."""
    known = pack(likeness(as_greys(np.asarray(part.read(slice(None))))))
    chosen = np.random.default_rng(0).permutation(len(part))[:PLANTED]
    copies = np.stack([CHANGES[change](image) for image in part.read(chosen).transpose(0, 2, 3, 1)])
    greys = as_greys(copies.transpose(0, 3, 1, 2))
    nearest = find_nearest(known.seen_along(likeness(greys)), known.images)
    return float("nan") if nearest is None else float((nearest.ratios.min(axis=1) < seen.LIKELY).mean())


def strangers(part: Source) -> int:
    """Of 10,000 random pairs of images of different classes, those that are taken for likely copies of each other."""
    rng = np.random.default_rng(1)
    known = likeness(as_greys(np.asarray(part.read(slice(None)))))
    first, second = rng.integers(0, len(part), (2, 2 * PAIRS))
    apart = part.class_ids[first] != part.class_ids[second]
    first, second = first[apart][:PAIRS], second[apart][:PAIRS]
    nearest = find_nearest(known[first], known, own=first)
    assert nearest is not None
    distance = np.square(known[first] - known[second]).sum(axis=1)
    best = nearest.places[np.arange(len(first)), nearest.ratios.argmin(axis=1)]
    scale = np.square(known[first] - known[best]).sum(axis=1) / np.maximum(nearest.ratios.min(axis=1), 1e-9)
    return int((distance / np.maximum(scale, 1e-9) < seen.LIKELY).sum())


def taken_for_seen(what: str, recipe: str | None) -> dict[str, int]:
    """Images of a part that a learner, trained on base, would take for copies of what it saw, surely or likely."""
    source, split, part = what.split("/")
    found = find_split(source, split, recipe=recipe)
    known = pack(likeness(as_greys(np.asarray(found.base.upright.read(slice(None))))))
    own = likeness(as_greys(np.asarray(found.part(part).read(slice(None)))))
    nearest = find_nearest(known.seen_along(own), known.images)
    assert nearest is not None
    ratios = nearest.ratios.min(axis=1)
    return {"surely": int((ratios < seen.CERTAIN).sum()), "likely": int((ratios < seen.LIKELY).sum())}


def measure(what: str, recipe: str | None) -> dict[str, object]:
    part = find_part(what, recipe=recipe)
    different = different_rows(find_near_copies([part]).near)
    found = find_pairs(ImagePool([part]), different, different)
    close = np.mean([nearness(part, *place)[2] for place in some_classes(part)])
    return {
        "source": part.name,
        "images": len(part),
        "certain pairs": int((found.share < CERTAIN).sum()),
        "likely pairs": int((found.share < LIKELY).sum()),
        "of 10,000 strangers": strangers(part),
        "taken for seen": taken_for_seen(what, recipe) if what.count("/") == 2 and ":" not in what else None,
        "close": round(float(close), 3),
        "found": {change: round(planted(part, change), 2) for change in CHANGES},
        "remembered": {change: round(remembered(part, change), 2) for change in CHANGES},
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="+")
    parser.add_argument("--recipe")
    arguments = parser.parse_args()
    for what in arguments.what:
        print(json.dumps(measure(what, arguments.recipe)), flush=True)
