"""Parts of a split share no content: no image, copied or nearly so, and no class name is in two of them."""

import numpy as np

from fairshot.checks.check import Case, DataCheck, describe_image
from fairshot.checks.copies import find_copies
from fairshot.checks.finding import Outcome
from fairshot.checks.near_copies import find_near_copies
from fairshot.checks.twins import CHANGES, NOTICEABLE
from fairshot.sources.source import Source
from fairshot.splits.split import PARTS, Split

# Folders of one data set that hold its parts, not its kinds: the classes below them are the same ones.
FOLDERS = "train training base background val valid validation dev test testing eval evaluation novel"
STAGES = frozenset(FOLDERS.split())


class Parts(DataCheck):
    """Looks for images and classes of this part in the others."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Any identical image or class name is a leak; a few nearly identical images are a warning."""
        others = _others(case)
        if not others:
            return "not applicable", "there is no split, so no other part to look into"
        classes = _shared_classes(case.part, others)
        same_shape = {name: part for name, part in others.items() if part.store.shape[1:] == case.part.store.shape[1:]}
        alike = find_near_copies([case.part, *same_shape.values()])
        identical, twin = _shared(case.part, same_shape, alike.identical)
        near, near_twin = _shared(case.part, same_shape, alike.near, alike.identical)
        copies = find_copies([case.part, *same_shape.values()], alike.near, across=True)
        copied, copied_twin = _shared(case.part, same_shape, copies.marks, alike.near)
        seen = [classes] if classes else []
        if identical:
            seen.append(f"{identical} of {len(case.part)} images are in other parts too, such as {twin}")
        if near > identical:
            seen.append(
                f"{near - identical} of {len(case.part)} are nearly identical to images there, such as {near_twin}"
            )
        if copied > near:
            count = f"{copied - near} of {len(case.part)} are copies of images there"
            seen.append(f"{count} ({', '.join(copies.changes[:CHANGES])}), such as {copied_twin}")
        if not seen:
            return "ok", f"no image and no class name of {len(case.part)} images is in {', '.join(others)} too"
        leaks = classes or identical or copied > NOTICEABLE * len(case.part)
        return "leak" if leaks else "warning", "; ".join(seen)


def _others(case: Case) -> dict[str, Source]:
    split: Split | None = case.split
    parts = {name: getattr(split, name) for name in PARTS} if split else {}
    return {name: part for name, part in parts.items() if len(part) and part.name != case.part.name}


def _shared(
    part: Source, others: dict[str, Source], marks: np.ndarray, closer: np.ndarray | None = None
) -> tuple[int, str]:
    """How many images of the part have a twin elsewhere, and one of them that has none by a closer kind of marks."""
    inside, outside = marks[: len(part)], marks[len(part) :]
    shared = np.isin(inside, outside)
    if not shared.any():
        return 0, ""
    new = shared & ~np.isin(closer[: len(part)], closer[len(part) :]) if closer is not None else shared
    rows = np.flatnonzero(new if new.any() else shared)
    owner = np.repeat(np.arange(len(others)), [len(other) for other in others.values()])
    place = int(np.flatnonzero(outside == inside[rows[0]])[0])
    name, other = list(others.items())[owner[place]]
    start = int(np.searchsorted(owner, owner[place]))
    first, second = int(part.image_ids[rows[0]]), int(other.image_ids[place - start])
    return int(shared.sum()), f"{describe_image(part, first)} and {describe_image(other, second)} in {name}"


def _shared_classes(part: Source, others: dict[str, Source]) -> str:
    """Classes of one name in two parts; base and base_heldout share theirs on purpose."""
    inside = {_plain(part, c): part.class_names[c] for c in part.classes.tolist()}
    for name, other in others.items():
        if {*PARTS[:2]} == {part.name.rpartition("/")[2], name}:
            continue
        shared = [plain for plain in dict.fromkeys(_plain(other, c) for c in other.classes.tolist()) if plain in inside]
        if shared:
            return f"{len(shared)} of {len(inside)} classes have a namesake in {name}, such as '{inside[shared[0]]}'"
    return ""


def _plain(source: Source, class_id: int) -> str:
    """A class name without the folder of a part before it."""
    folder, _, name = source.class_names[class_id].casefold().rpartition("/")
    return name if folder in STAGES else source.class_names[class_id].casefold()
