"""The exemplar moved and bent by chance: affine and elastic noise (Simard et al., ICDAR 2003)."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.ndimage import gaussian_filter, map_coordinates

from fairshot.generators.generator import Drawings, Exemplars, Generator
from fairshot.runtime.seeds import Stream

TURN, STRETCH, SLANT, SHIFT = 12.0, 0.12, 0.12, 0.05  # degrees, logarithm of a scale, slope, share of the width


@dataclass(frozen=True)
class Warped(Generator):
    """A yardstick: what data augmentation scores."""

    strength: float = 1.0
    """Of all affine noise."""
    bend: float = 0.03
    """How far elastic noise moves a pixel, as a share of the width; 0 leaves it out."""
    smooth: float = 0.08
    """Over what share of the width it is alike."""

    def generate(self, exemplars: Exemplars, count: int, seed: int) -> Drawings:
        """Each drawing with noise of its own; paper goes on beyond the edge."""
        drawn = np.empty((len(exemplars), count, *exemplars.shape[1:]), dtype=np.float32)
        for number, exemplar in enumerate(exemplars):
            paper = np.median(exemplar, axis=(1, 2))
            for turn in range(count):
                places = self._places(exemplar.shape[1:], Stream(seed, "warped", number, turn))
                for channel, plane in enumerate(exemplar):
                    drawn[number, turn, channel] = map_coordinates(
                        plane, places, order=1, mode="constant", cval=float(paper[channel])
                    )
        return drawn

    def _places(self, shape: tuple[int, ...], stream: Stream) -> Float[np.ndarray, "2 height width"]:
        """Where in the exemplar each pixel of the drawing is found: down, then across."""
        angle, slant, *rest = self.strength * (2 * stream.uniform(6) - 1)
        turn = np.radians(TURN) * angle
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        matrix = rotation @ [[1, SLANT * slant], [0, 1]] @ np.diag(np.exp(STRETCH * np.array(rest[:2])))
        middle = (np.array(shape) - 1)[:, None] / 2
        grid = np.stack([axis.ravel() for axis in np.indices(shape)]).astype(np.float64)
        places = matrix @ (grid - middle) + middle + SHIFT * np.array(shape)[:, None] * np.array(rest[2:])[:, None]
        if self.bend:
            noise = 2 * stream.uniform(2, *shape) - 1
            field = np.stack([gaussian_filter(one, self.smooth * shape[1], mode="nearest") for one in noise])
            places += (self.bend * shape[1] * field / field.std()).reshape(2, -1)
        return places.reshape(2, *shape)
