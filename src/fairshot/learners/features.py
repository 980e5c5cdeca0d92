"""Every image is embedded once, however many episodes it appears in."""

import warnings
from collections.abc import Iterator
from functools import cached_property

import numpy as np
import torch
from jaxtyping import Float, Int, Shaped
from torch import Tensor

from fairshot.learners.feature_scale import tell_scale
from fairshot.learners.kept_vectors import KeptVectors, image_keys
from fairshot.learners.learner import Learner, TaskBatch
from fairshot.runtime.errors import FairshotError, kind_of
from fairshot.runtime.seeds import Stream, hash_sets
from fairshot.runtime.user_file import failures_said
from fairshot.sources.source import Source
from fairshot.tasks.episodes import PAD, Episodes

BATCH = 512  # images embedded at a time
LOOKED_AT = 1000  # of them to judge the scale by


class Features:
    """The embedded images of one part under one learner, filled as episodes ask for them."""

    def __init__(self, source: Source, learner: Learner) -> None:
        kind = "images" if source.has_images else "features"
        if learner.reads not in ("both", kind):
            raise FairshotError(
                f"{learner.label[:1].lower()}{learner.label[1:]} reads {learner.reads}, and {source.name} holds "
                f"{'images' if source.has_images else 'feature vectors'}: choose a learner that reads both, "
                "such as prototypes"
            )
        self.source, self.learner = source, learner
        self._table: np.ndarray | None = None
        self._zero: np.ndarray | np.float32 = np.float32(0)
        self._known = np.zeros(len(source), dtype=bool)
        self._lengths = np.zeros(len(source), dtype=np.float32)

    @property
    def width(self) -> int:
        """Numbers per image; known once something was embedded."""
        return 0 if self._table is None else int(np.prod(self._table.shape[1:]))

    @property
    def embedded(self) -> int:
        """How many images were embedded so far."""
        return int(self._known.sum())

    def require(self, episodes: Episodes) -> None:
        """Embeds the images of these episodes that were not embedded before."""
        if not self._known.all():
            ids = np.concatenate([episodes.support_ids.ravel(), episodes.query_ids.ravel()])
            self.require_images(ids[ids != PAD])

    def vectors(self, image_ids: Int[np.ndarray, " image"]) -> Float[np.ndarray, "image feature"]:
        """These images as the learner sees them, flattened; those that were not embedded before are embedded."""
        self.require_images(image_ids)
        return self.gather(image_ids[None])[0].flatten(1).numpy()

    def require_images(self, image_ids: Int[np.ndarray, " image"]) -> None:
        """Embeds those of these images that were not embedded before."""
        asked = np.zeros(len(self.source), dtype=bool)
        asked[self.source.rows(image_ids)] = True
        missing = np.flatnonzero(asked & ~self._known)
        # In random order: an encoder must not be able to guess classes from an image's neighbours.
        missing = missing[Stream(0, "embed", len(missing)).permutations(np.array([len(missing)]))[0]]
        for start in range(0, len(missing), BATCH):
            chosen = missing[start : start + BATCH]
            features = self._look_up(chosen)
            if self._table is None:
                self._table = np.zeros((len(self.source), *features.shape[1:]), dtype=np.float32)
                # Squared distances between vectors far from zero lose all their digits: the first image becomes zero.
                self._zero = self._look_up(np.array([0])) if self.learner.shift_invariant else np.float32(0)
            kept = self._table[chosen] = features - self._zero
            self._lengths[chosen] = torch.linalg.vector_norm(torch.from_numpy(kept).flatten(1), dim=1)
        self._known[missing] = True

    def embed_others(self, others: Source) -> Float[np.ndarray, "image ..."]:
        """Images of another source beside those that have been embedded here; they are not kept."""
        return Features(others, self.learner)._look_up(np.arange(len(others))) - self._zero

    def batch(self, episodes: Episodes) -> TaskBatch:
        """What the learner sees of these episodes, whose images have been embedded."""
        return next(self.batches(episodes, max(1, len(episodes))))

    def batches(self, episodes: Episodes, step: int) -> Iterator[TaskBatch]:
        """What the learner sees of these episodes, some at a time; their images have been embedded.

        Random numbers begin with which images are the support, not with an episode's number: so they are the same
        wherever the episode is met (alone, in any portion or process, under any recipe, with other queries), whatever
        the order of its images and classes, and a learner learns nothing of ids from them.
        """
        support, query = self._rows(episodes.support_ids), self._rows(episodes.query_ids)
        labels, asked = np.ascontiguousarray(episodes.support_labels), episodes.query_labels != PAD
        tables = labels, asked, episodes.ways, hash_sets(episodes.support_ids, nothing=PAD)
        lengths = torch.from_numpy(self._lengths)
        for start in range(0, len(episodes), step):
            some = slice(start, start + step)
            support_labels, query_mask, way, seeds = (torch.from_numpy(table[some]) for table in tables)
            yield TaskBatch(
                support=self._take(support[some]),
                support_labels=support_labels,
                query=self._take(query[some]),
                query_mask=query_mask,
                way=way,
                width=episodes.class_ids.shape[1],
                seeds=seeds,
            ).with_lengths(lengths.take(query[some]))

    def tell_scale(self, name: str) -> list[str]:
        """What a reader must know of the vectors' scale, from some of those that have been embedded."""
        rows = np.flatnonzero(self._known)
        if not len(rows) and not self.source.has_images:  # all answers were kept
            rows = np.arange(len(self.source))
        rows = rows[:: -(-len(rows) // LOOKED_AT) or 1]
        if not len(rows):
            return []
        self.require_images(self.source.image_ids[rows])
        assert self._table is not None
        return tell_scale(name, (self._table[rows] + self._zero).reshape(len(rows), -1))

    def gather(self, image_ids: Int[np.ndarray, "episode image"]) -> Float[Tensor, "episode image ..."]:
        """These images as the learner sees them; they have been embedded."""
        return self._take(self._rows(image_ids))

    def _rows(self, image_ids: Int[np.ndarray, "episode image"]) -> Int[Tensor, "episode image"]:
        """Where these images stand in the table; what padding shows is meaningless, so any image will do."""
        rows = self.source.rows(image_ids)
        return torch.from_numpy(np.maximum(rows, 0) if rows.min(initial=0) < 0 else rows)

    def _take(self, rows: Int[Tensor, "episode image"]) -> Float[Tensor, "episode image ..."]:
        chosen = self._tensor.index_select(0, rows.ravel())
        return chosen.reshape(*rows.shape, *self._tensor.shape[1:])

    @cached_property
    def _tensor(self) -> Float[Tensor, "image ..."]:
        assert self._table is not None, "require() comes before batch()"
        if self._table.flags.writeable:
            return torch.from_numpy(self._table)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # in a worker process the table is a read-only memory map, and only read
            return torch.from_numpy(self._table)

    def __getstate__(self) -> dict[str, object]:
        """Without the tensor: another process makes its own on the shared table."""
        return {name: value for name, value in vars(self).items() if name not in ("_tensor", "_kept")}

    @cached_property
    def _kept(self) -> KeptVectors | None:
        """What the learner's encoder made before; None where it has none that is known again."""
        encoder = self.learner.encoder
        identity = encoder.identity if encoder is not None and self.source.has_images else None
        return KeptVectors(identity) if identity else None

    def _look_up(self, rows: Int[np.ndarray, " image"]) -> Float[np.ndarray, "image ..."]:
        """What the learner makes of some rows of the part; what its encoder made before is not made again."""
        encoder = self.learner.encoder
        given = None if encoder is None else encoder.find_vectors(self.source, rows)
        if given is not None:
            return given
        if self._kept is None:
            return self.embed(rows)
        recipe = self.source.recipe
        shown = () if encoder is not None and encoder.plain else (recipe.mean, recipe.deviation, recipe.channels)
        return self._kept.fill(image_keys(self.source.read(rows), shown), lambda missing: self.embed(rows[missing]))

    def embed(self, rows: Int[np.ndarray, " image"]) -> Float[np.ndarray, "image ..."]:
        """What the learner makes of some rows of the part, shown to it together."""
        stored = self.source.read(rows)
        values = self._shown(stored) if self.source.has_images else stored
        shape = " x ".join(map(str, values.shape))
        with failures_said(f"{self.learner.label} failed on an array of {shape}"), torch.inference_mode():
            features = self.learner.embed(torch.from_numpy(np.array(values)))
        if not isinstance(features, Tensor) or not features.ndim or features.is_complex():
            raise FairshotError(
                f"{self.learner.label} gave {kind_of(features)} when it embedded: an encoder returns one finite vector "
                "per image"
            )
        if len(features) != len(rows) or not torch.isfinite(features).all():
            problem = (
                f"{len(features)} rows for {len(rows)} images"
                if len(features) != len(rows)
                else "NaN or infinite values"
            )
            raise FairshotError(
                f"{self.learner.label} gave {problem} when it embedded: an encoder returns one finite vector per image"
            )
        return features.numpy()

    def _shown(self, stored: Shaped[np.ndarray, "image ..."]) -> Float[np.ndarray, "image ..."]:
        """Stored images as the learner wants to see them."""
        encoder = self.learner.encoder
        plain = encoder is not None and encoder.plain
        return stored.astype(np.float32) / np.float32(255) if plain else self.source.recipe.scale(stored)
