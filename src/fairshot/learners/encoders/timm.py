"""Any image network of the package timm, `timm:NAME`: the features before its last layer."""

from dataclasses import dataclass

from fairshot.learners.encoders.encoder import TrainedEncoder, Weights, missing_package
from fairshot.runtime.errors import FairshotError


@dataclass(frozen=True)
class Timm(TrainedEncoder):
    """By name, such as `timm:vit_small_patch14_dinov2.lvd142m`; timm downloads its weights once."""

    model: str
    size: int | None = None
    file: str = ""
    """A file of weights of your own, instead of those that timm downloads."""

    @property
    def name(self) -> str:
        """As it is written."""
        return f"timm:{self.model}"

    def load(self) -> Weights:
        """The network without its classifier, and the preparation that belongs to its weights."""
        try:
            import timm
        except ImportError as error:
            raise missing_package(self.name, "timm", "timm") from error
        options = {"img_size": self.size} if self.size and "vit" in self.model else {}
        try:
            network = timm.create_model(
                self.model, pretrained=not self.file, num_classes=0, checkpoint_path=self.file, **options
            )
        except Exception as error:  # unknown names, no network, files of another model
            raise FairshotError(
                f"timm has no weights for '{self.model}' here ({type(error).__name__}: {error}): look at "
                "timm.list_models(pretrained=True), or give a file of weights, timm:NAME,file=PATH"
            ) from error
        settings = timm.data.resolve_data_config({}, model=network)
        return Weights(
            network, settings["input_size"][1], mean=tuple(settings["mean"]), deviation=tuple(settings["std"])
        )
