"""What a reader must know of the numbers of `score`."""

from collections.abc import Mapping

import numpy as np

from fairshot.scoring.critics import PROTOTYPES
from fairshot.scoring.evidence import Measurement
from fairshot.scoring.measures.frechet import on_number
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.recognisers import RECOGNISERS


def score_notes(sets: Mapping[str, Measurement], protocol: Protocol) -> list[str]:
    """Notes on exemplars, on the recogniser and on how many images there are; people's drawings are the last set."""
    views = [measurement.evidence.view for measurement in sets.values()]
    may = "may be" if protocol.exemplar_asks else "is never"
    notes = [f"the exemplar {may} the human drawing that is to be recognised", *_on_recogniser(protocol)]
    notes.append(on_number(min(len(view.labels) for view in views), views[-1].features.shape[1]))
    counts = {view.name: int(np.bincount(view.labels).min()) for view in views}
    if len(set(counts.values())) > 1:
        shown = ", ".join(f"{name} {number}" for name, number in counts.items())
        notes.append(
            f"sets differ in their images per class ({shown}): the deviation of few is a little too small, and chords, "
            "vendi, precision, recall, density and coverage depend on their number"
        )
    notes += [
        f"balls of {name} reach to neighbour {number - 1} and not {protocol.neighbours}, as a class has {number} images"
        for name, number in counts.items()
        if number <= protocol.neighbours
    ]
    return notes


def _on_recogniser(protocol: Protocol) -> list[str]:
    """What is different where another critic recognises than the usual one."""
    notes = []
    usual = RECOGNISERS[PROTOTYPES].times
    if protocol.recogniser != PROTOTYPES:
        notes.append(f"{protocol.recogniser} recognises; curve and inception are by {PROTOTYPES} all the same")
    if protocol.times is None and protocol.asks != usual:
        notes.append(
            f"each class is asked for {protocol.asks} times and not {usual}, as {protocol.recogniser} adapts to every "
            "episode anew: times=N changes it"
        )
    return notes
