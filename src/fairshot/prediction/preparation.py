"""How support and images are read for `predict`: one recipe, as many colours, and the same polarity for both."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fairshot.learners.fitted import trained_learner
from fairshot.learners.learner import Classifier
from fairshot.runtime.errors import FairshotError
from fairshot.sources.images.pictures import Labelled, Pictures, Preparing
from fairshot.sources.images.polarity import DARK_ON_LIGHT, LIGHT_ON_DARK, WORDS, polarity
from fairshot.sources.recipe import RAW, Recipe, find_recipe

Invert = Literal["auto", "none", "support", "images", "both"]
LARGEST = 224  # pixels; larger images of one size are resized too, or their pixels would fill the memory
USUAL = "84"  # the recipe for images of many sizes


@dataclass(frozen=True)
class Prepared:
    """How support and images are to be read, and what a person should know of it."""

    support: Preparing
    images: Preparing
    notes: tuple[str, ...] = ()


def prepare(
    given: Labelled, asked: Pictures, learner: Classifier, *, recipe: str | int | None, invert: Invert
) -> Prepared:
    """The same for all pictures, whatever their size; vectors stay as they are."""
    own = [shape for shape in given.pictures.shapes if shape is not None]
    if len(own[0]) == 1:
        if recipe not in (None, RAW.name):
            raise FairshotError(
                f"the recipe {recipe} is for images, and {given.name} holds feature vectors: leave it out"
            )
        return Prepared(Preparing(RAW, 0), Preparing(RAW, 0))
    theirs = [shape for shape in asked.shapes if shape is not None]
    sizes = [shape[1:] for shape in (*own, *theirs)]
    chosen, notes = _recipe(learner, recipe, sizes)
    if chosen.size is None and len(set(sizes)) > 1:
        low, high = min(sizes), max(sizes)
        raise FairshotError(
            f"the images have {len(set(sizes))} sizes, from {low[1]} x {low[0]} to {high[1]} x {high[0]}, and the "
            f"recipe {chosen.name} keeps them: use the recipe {USUAL}, or another number of pixels"
        )
    channels = _channels(learner, chosen, max(shape[0] for shape in own))
    notes += _colour_notes(channels, support=[shape[0] for shape in own], images=[shape[0] for shape in theirs])
    flipped, more = _inverted(given.pictures, asked, chosen, invert)
    both = [Preparing(chosen, channels, flip) for flip in flipped]
    return Prepared(both[0], both[1], (*notes, *more))


def _recipe(learner: Classifier, name: str | int | None, sizes: Sequence[tuple[int, ...]]) -> tuple[Recipe, list[str]]:
    """What was asked for, what the learner was trained with, or what fits the sizes; never with turned copies."""
    fitted = trained_learner(learner)
    if name is not None:
        other = fitted is not None and fitted.record.recipe != name
        notes = (
            [f"the learner was trained with the recipe {fitted.record.recipe}, not {name}"] if fitted and other else []
        )
        return replace(find_recipe(name), rotations=(0,)), notes
    if fitted is not None:
        own = find_recipe(fitted.record.recipe)
        return replace(own, rotations=(0,), size=fitted.record.shape[1]), []
    if learner.encoder is not None and learner.encoder.pixels is not None:
        return find_recipe(str(learner.encoder.pixels)), []
    if len(set(sizes)) == 1 and max(sizes[0]) <= LARGEST:
        return RAW, []
    why = "images differ in size" if len(set(sizes)) > 1 else f"images are larger than {LARGEST} pixels"
    note = f"{why}, so all were resized to {USUAL} x {USUAL}: name a recipe to have it otherwise"
    return find_recipe(USUAL), [note]


def _channels(learner: Classifier, recipe: Recipe, own: int) -> int:
    """As the support, unless the learner was trained otherwise; some recipes make three channels of one."""
    fitted = trained_learner(learner)
    if fitted is None:
        return own
    needed = fitted.record.shape[0]
    return own if needed == 3 and recipe.channels == 3 else needed


def _colour_notes(channels: int, *, support: Sequence[int], images: Sequence[int]) -> list[str]:
    """What was done to colours."""
    shown = {1: "grey", 3: "in colour"}
    notes = []
    if max(support) != channels:
        notes.append(f"the support is {shown[max(support)]} and was read as {shown[channels]}, as the learner needs it")
    other = sum(colours != channels for colours in images)
    if other:
        notes.append(f"{_images(other)} {shown[4 - channels]} and read as {shown[channels]}, like the support")
    return notes


def _images(count: int) -> str:
    return "1 image is" if count == 1 else f"{count:,} images are"


def _inverted(
    support: Pictures, images: Pictures, recipe: Recipe, invert: Invert
) -> tuple[tuple[bool, bool], list[str]]:
    """Whether support and images are inverted before the recipe; what is guessed is said."""
    if invert != "auto":
        return (invert in ("support", "both"), invert in ("images", "both")), []
    of_support, of_images = polarity(support), polarity(images)
    inverts = recipe.invert or recipe.binarise  # such a recipe is for drawings that are dark on light
    if of_support * of_images < 0:
        wrong = LIGHT_ON_DARK if inverts else of_images
        told = f"the images look {WORDS[of_images]} and the support {WORDS[of_support]}"
        which = "support" if of_support == wrong else "images"
        return (False, False), [f"{told}, so answers will be poor: say invert={which} if that is so"]
    if not inverts or LIGHT_ON_DARK not in (of_support, of_images) or DARK_ON_LIGHT in (of_support, of_images):
        return (False, False), []
    if of_support == of_images:
        told = f"support and images look {WORDS[LIGHT_ON_DARK]}, and the recipe {recipe.name} is for the opposite"
        return (True, True), [f"{told}, so both were inverted: invert=none leaves them as they are"]
    some, others = ("support looks", "images") if of_support == LIGHT_ON_DARK else ("images look", "support")
    told = f"the {some} {WORDS[LIGHT_ON_DARK]}, and the recipe {recipe.name} is for the opposite"
    return (False, False), [f"{told}: say invert=both if the {others} are like that too"]
