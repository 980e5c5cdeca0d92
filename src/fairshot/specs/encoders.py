"""Words to encoders, and encoders in front of learners: those asked for, or the usual one for colour photographs."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError, alternatives
from fairshot.runtime.files import expand
from fairshot.runtime.grammar.data import Files
from fairshot.runtime.grammar.learner import parse_learner
from fairshot.runtime.grammar.name import Code, Labelled, Name, is_own_code, parse_spec, split_label
from fairshot.runtime.grammar.settings import parameters, type_settings
from fairshot.sources.folder import ImageFile, image_files, peek
from fairshot.sources.images.bad_files import BadImage
from fairshot.sources.source import Source
from fairshot.sources.table import open_pictures
from fairshot.specs.data import read_data
from fairshot.specs.foreign import as_encoder as as_own_encoder
from fairshot.specs.foreign import load_code
from fairshot.specs.registry import find_class, names
from fairshot.tables.words import listed

if TYPE_CHECKING:
    from fairshot.learners.encoders.encoder import Encoder
    from fairshot.learners.learner import Classifier

FORMS = (
    "efficientnet-lite0",
    "timm:NAME",
    "open_clip:MODEL/WEIGHTS",
    "torch.hub:REPOSITORY:NAME",
    "array:FILE",
    "path.py:name",
)
NONE = "none"  # the word for no encoder: pixels are compared as they are
USUAL = "efficientnet-lite0"
LOOKED_AT = 20  # files of a folder, to see whether they are in colour


def is_encoder(text: str) -> bool:
    """Whether a word behind a learner's @ names an encoder, and not weights."""
    spec = None if is_own_code(text) else parse_spec(text)
    return isinstance(spec, Name) and _stem(spec) in names("encoders")


def find_encoder(text: str) -> "Encoder":
    """`efficientnet-lite0`, `timm:NAME`, `open_clip:MODEL/WEIGHTS`, `torch.hub:REPOSITORY:NAME`, `array:FILE`, or
    `path.py:name`, somebody's own function or module from images to vectors.
    """
    from fairshot.learners.encoded import OwnEncoder

    spec = parse_spec(text)
    if isinstance(spec, Code):
        target, digest = load_code(spec)
        return OwnEncoder(as_own_encoder(target, spec), digest, text)
    if _stem(spec) not in names("encoders"):
        raise FairshotError(f"unknown encoder '{text}': choose {alternatives(FORMS)}")
    kind = find_class("encoders", _stem(spec))
    taken = parameters(kind)
    given = [setting.name for setting in spec.settings if setting.value is None]
    settings = tuple(setting for setting in spec.settings if setting.value is not None)
    if ("model" in taken) != (len(given) == 1):
        form = f"{spec.name}:NAME" if "model" in taken else spec.name
        raise FairshotError(f"cannot read '{text}' as an encoder: write {form}")
    typed = type_settings(settings, {name: hint for name, hint in taken.items() if name != "model"}, spec.name)
    encoder: Encoder = kind(*given, **typed)
    return encoder


def as_encoder(encoder: Any) -> "Encoder":
    """An encoder, whatever it is given as: a spec, an Encoder, a torch module, a function from images to vectors."""
    from fairshot.learners.encoded import OwnEncoder
    from fairshot.learners.encoders.encoder import Encoder

    if isinstance(encoder, str | Path):
        return find_encoder(str(encoder))
    if isinstance(encoder, Encoder):
        return encoder
    if callable(encoder):
        return OwnEncoder(encoder, "", getattr(encoder, "__name__", None) or type(encoder).__name__)
    raise FairshotError(
        f"an encoder is given as {type(encoder).__name__}: give a name such as {USUAL}, path.py:name, a torch module "
        "or a function from images to vectors"
    )


def put_encoders(learners: Any, encoder: Any, data: Any = None, recipe: str | int | None = None) -> Any:
    """Learners that take vectors as they come, each behind every encoder; those with weights of their own stay.

    Without an encoder, colour photographs in a folder get the usual one where it is installed, unless a recipe says how
    they are to be looked at. `none` leaves all as they are.
    """
    if encoder is None:
        encoder = usual_encoder(data) if recipe is None else None
        return learners if encoder is None else _cross(learners, [encoder], usual=True)
    asked = list(encoder) if isinstance(encoder, Sequence) and not isinstance(encoder, str) else [encoder]
    if asked == [NONE]:
        return learners
    if NONE in asked:
        raise FairshotError(f"'{NONE}' means no encoder: give it alone, or leave it out")
    return _cross(learners, asked, usual=False)


def usual_encoder(data: Any) -> str | None:
    """The encoder for photographs in colour of one's own, where it is installed; None for all other data."""
    from fairshot.learners.encoders.efficientnet_lite0 import weights_file

    if not isinstance(data, str | Path) or weights_file() is None:
        return None
    if isinstance(data, Path):
        return USUAL if data.is_dir() and in_colour(list(image_files(data))) else None
    source = None
    with suppress(FairshotError):  # whatever is wrong with it is said where it is opened
        source = read_data(data).source
    if not isinstance(source, Files) or source.name == "array":
        return None
    if source.name == "table":
        return USUAL if in_colour(open_pictures(source.path).files) else None
    return usual_encoder(expand(source.path))


def in_colour(files: Sequence[ImageFile]) -> bool:
    """Whether most images have colours; a few of them are looked at."""
    grey = []
    for file in files[:: -(-len(files) // LOOKED_AT) or 1]:
        try:
            grey.append(peek(file)[0])
        except BadImage:
            continue
    return bool(grey) and 2 * sum(grey) < len(grey)


def _cross(learners: Any, encoders: Sequence[Any], *, usual: bool) -> dict[str, Any]:
    """Every learner behind every encoder, by name."""
    crossed: dict[str, Any] = {}
    for labelled, learner in _listed(learners):
        if not takes_vectors(learner, usual=usual):
            crossed[labelled.label] = learner
            continue
        for encoder in encoders:
            written = encoder if isinstance(encoder, str) else as_encoder(encoder).name
            name = f"{labelled.label}@{written}" if len(encoders) > 1 else labelled.label
            crossed[name] = _behind(learner, encoder)
    return crossed


def _listed(learners: Any) -> list[tuple[Labelled, Any]]:
    """Learners with their names; one that nobody named has its own spec as a name."""
    from fairshot.specs.learners import name_of

    if isinstance(learners, Mapping):
        return [(Labelled(str(name), ""), learner) for name, learner in learners.items()]
    several = isinstance(learners, Sequence) and not isinstance(learners, str | bytes)
    listed = []
    for learner in list(learners) if several else [learners]:
        given = split_label(learner) if isinstance(learner, str) else Labelled(name_of(learner), name_of(learner))
        listed.append((given, given.spec if isinstance(learner, str) else learner))
    return listed


def takes_vectors(learner: Any, *, usual: bool) -> bool:
    """Whether an encoder can stand before a learner: it has none of its own and was not trained on images.

    The usual encoder, which nobody asked for, leaves somebody's own function and what compares drawings alone.
    """
    from fairshot.learners.classifiers.chance import Chance
    from fairshot.learners.classifiers.pixels import Pixels
    from fairshot.learners.foreign.functions import Function
    from fairshot.specs.learners import as_learner

    if isinstance(learner, str) and not is_own_code(learner) and parse_learner(learner).behind:
        return False
    found = as_learner(learner)
    if found.reads == "images" or not sees_pixels(found):
        return False
    return not (usual and isinstance(found, Function | Chance | Pixels))


def sees_pixels(learner: "Classifier") -> bool:
    """Whether a learner takes images as they are: it has no network and no encoder that makes vectors of them."""
    from fairshot.learners.foreign.code import Foreign
    from fairshot.learners.learner import Learner

    inner = learner.learner if isinstance(learner, Foreign) else learner
    return type(inner).embed is Learner.embed


def sight_notes(learners: "Mapping[str, Classifier]", part: Source) -> list[str]:
    """What a reader must know of what learners see: vectors of an encoder that was trained on others, or pixels."""
    encoders = {one.encoder.name: one.encoder for one in learners.values() if one.encoder is not None}
    trained = [warning for encoder in encoders.values() for warning in encoder.warnings]
    return [*trained, *_pixel_notes(learners, part)]


def _pixel_notes(learners: "Mapping[str, Classifier]", part: Source) -> list[str]:
    """Whose numbers are about raw pixels, and what to do; nothing where an encoder or a network sees images."""
    from fairshot.learners.classifiers.chance import Chance
    from fairshot.learners.classifiers.pixels import Pixels

    names = [
        name
        for name, learner in learners.items()
        if part.has_images
        and learner.reads != "images"
        and sees_pixels(learner)
        and not isinstance(learner, Chance | Pixels)
    ]
    if not names:
        return []
    cure = (
        f"give an encoder, such as {USUAL} (in the extra fairshot[encoders])"
        if part.store.shape[1] == 3
        else "train a network on other classes, or give weights that were, NAME@WEIGHTS"
    )
    sees = "sees" if len(names) == 1 else "see"
    return [f"{listed(names)} {sees} raw pixels, which say little of what can be learned: {cure}"]


def _behind(learner: Any, encoder: Any) -> Any:
    """A learner behind an encoder, as a spec where both are written."""
    from fairshot.learners.encoded import Encoded
    from fairshot.specs.learners import as_learner

    if isinstance(learner, str) and isinstance(encoder, str) and not is_own_code(learner):
        return f"{learner}@{encoder}"
    return Encoded(as_learner(learner), as_encoder(encoder))


def _stem(spec: Name) -> str:
    return spec.stem.replace(".", "_")
