"""What an encoder is worth on photographs: `python benchmarks/encoders.py [--json]`.

5-way 5-shot on every set of small photographs at hand, by two heads, on raw pixels and on the vectors of
efficientnet-lite0, over the same episodes. A row has all accuracies in percent, with 95% intervals for new classes.
"""

import argparse
import json

import fairshot as fs
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source

ENCODER = "efficientnet-lite0"
PHOTOS = {
    "VGG Flower (novel part, 84 px)": "vgg_flower:copy=small/meta-dataset/novel",
    "DTD (10 textures, 84 px)": "dtd:copy=wild",
    "EuroSAT (64 px)": "eurosat",
    "CUB (30 birds, 84 px)": "cu_birds:copy=wild",
    "fungi (9 genera, 84 px)": "fungi:copy=wild",
    "Caltech-101 (84 px)": "caltech101",
    "PlantVillage (84 px)": "plant_village",
    "Stanford Cars (98 models, 84 px)": "stanford_cars",
}
TASK = {"way": 5, "shot": 5, "query": 10, "episodes": 600, "skip_small": True}
HEADS = ("prototypes:metric=cosine", "ridge")


def row(name: str, part: Source) -> dict[str, object]:
    found: dict[str, object] = {"photographs": name, "images": len(part), "classes": len(part.classes)}
    for head in HEADS:
        for seen, encoder in (("pixels", "none"), (ENCODER, ENCODER)):
            evaluated = fs.evaluate(part, head, encoder=encoder, **TASK).rows[0]
            interval = evaluated.intervals["classes"] or evaluated.intervals["images"]
            ends = "" if interval is None else f" [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"
            found[f"{head}, {seen}"] = f"{100 * evaluated.value:.1f}{ends}"
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    for name, spec in PHOTOS.items():
        try:
            found = row(name, fs.data(spec))
        except FairshotError as error:
            print(f"{name}: left out: {error}")
            continue
        print(json.dumps(found) if as_json else "  ".join(f"{key} {value}" for key, value in found.items()), flush=True)


if __name__ == "__main__":
    main()
