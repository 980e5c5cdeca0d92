"""The image half of a CLIP of the package open_clip, `open_clip:MODEL/WEIGHTS`: what texts are compared to."""

from dataclasses import dataclass

from fairshot.learners.encoders.encoder import TrainedEncoder, Weights, missing_package
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.encoder import parse_clip


@dataclass(frozen=True)
class OpenClip(TrainedEncoder):
    """A CLIP by name, such as `open_clip:ViT-B-32/laion2b_s34b_b79k`; behind the slash may stand a file of weights."""

    model: str
    size: int | None = None

    @property
    def name(self) -> str:
        """As it is written."""
        return f"open_clip:{self.model}"

    def load(self) -> Weights:
        """The network that embeds images, and the preparation that belongs to its weights."""
        try:
            import open_clip
        except ImportError as error:
            raise missing_package(self.name, "open_clip_torch", "open-clip") from error
        model, weights = parse_clip(self.model)
        try:
            clip = open_clip.create_model(model, pretrained=weights)
        except Exception as error:  # unknown names, no network, files of another model
            raise FairshotError(
                f"open_clip has no '{model}' with weights '{weights}' here ({type(error).__name__}: {error}): look at "
                "open_clip.list_pretrained()"
            ) from error
        side = clip.visual.image_size
        return Weights(
            clip.visual,  # its half for texts is neither kept nor hashed
            side[0] if isinstance(side, tuple) else side,
            mean=tuple(clip.visual.image_mean),
            deviation=tuple(clip.visual.image_std),
        )
