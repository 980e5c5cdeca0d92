"""The training of a generator: the loop that learners have, with losses in place of accuracies."""

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from fairshot.generators.networks.generative import Generative
from fairshot.generators.training.lessons import Material
from fairshot.generators.training.sampler import TrainedGenerator, freeze
from fairshot.generators.training.trainable import TrainableGenerator
from fairshot.learners.exemplars import choose_exemplars
from fairshot.learners.fitted import save_weights
from fairshot.learners.seen import remember
from fairshot.learners.training.checkpoint import Epoch
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.record import Record
from fairshot.learners.training.resumable import VAL_LOSS, Measured, Reports, Resumable
from fairshot.learners.training.start import draw_seed, join_parts
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source

BETTER = 1e-4  # a loss on val that is lower by less than this share is no better, as in torch's schedule

Exemplars = Int[np.ndarray, "_"]


@dataclass(eq=False, kw_only=True)
class GeneratorTraining(Resumable[Generative, TrainedGenerator]):
    """One training of a generator, from its first step to its last."""

    generator: TrainableGenerator
    exemplars: Exemplars | None
    val_exemplars: Exemplars | None

    def __post_init__(self) -> None:
        super().__post_init__()
        # Convolutions of few channels then take three quarters of the time.
        self.model.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        material = Material(self.base, self.plan, self.record.seed, self.exemplars)
        self.lessons = self.generator.make_lessons(material)
        self.optimizers = self.generator.make_optimizers(self.model, self.plan)

    def refuse_impossible(self) -> None:
        """Raises for lessons that cannot be drawn."""
        self.lessons.show(0)

    def rate_at(self, step: int) -> float:
        """As the plan says, halved as often as the loss on val stood still."""
        return self.generator.rate_at(self.plan, step) * 0.5 ** count_plateaus(self._val_losses, self.plan.plateau)

    @property
    def _val_losses(self) -> list[float]:
        return [epoch.terms.get(VAL_LOSS, epoch.loss) for epoch in self.state.log]

    def advance(self, step: int, rate: float) -> Measured:
        """One step of all optimisers."""
        batches = self.generator.batches
        shown = [self.lessons.show(step * batches + number) for number in range(batches)]
        self.model.train()
        with _random(self.record.seed, "dropout", step):
            terms = self.generator.advance(self.model, shown, self.optimizers, self.plan, step=step)
        values = {name: float(value.detach()) for name, value in terms.items()}
        loss = values.pop("loss")
        if not np.isfinite(loss):
            raise self.diverged(loss)
        return Measured(loss, terms=values)

    def judge(self, val: Source) -> Measured:
        """The mean loss on val, with the same randomness every time; nothing where it would say nothing."""
        if not self.generator.judges_val:
            return Measured()
        lessons = self.generator.make_lessons(Material(val, self.plan, 0, self.val_exemplars, plain=True))
        self.model.eval()
        losses = []
        with torch.no_grad(), _random(0, "val", 0):
            for batch in range(lessons.round):
                terms = self.generator.losses(self.model, lessons.show(batch), self.plan, step=None)
                losses.append({name: float(value) for name, value in terms.items()})
        return Measured(terms={name: float(np.mean([one[name] for one in losses])) for name in losses[0]})

    def choose(self, log: list[Epoch]) -> Epoch:
        """The epoch with the lowest loss on val, the earliest of equals; the last where val is not judged on."""
        if not self.generator.judges_val:
            return log[-1]
        late = [epoch for epoch in log if epoch.step > self.generator.first_choice(self.plan)]
        return min(late or log[-1:], key=lambda epoch: epoch.terms[VAL_LOSS])

    def kept_weights(self) -> dict[str, Tensor]:
        """What is needed to draw."""
        return self.generator.drawing_weights(self.model)

    def save(self, path: Path, record: Record) -> None:
        """The weights that draw, the record and what was seen."""
        save_weights(path, self.kept_weights(), record, self.seen)

    def finish(self, record: Record, weights: dict[str, Tensor]) -> TrainedGenerator:
        """The generator with the weights of the chosen snapshot."""
        self.model.load_state_dict(weights, strict=False)
        return TrainedGenerator(self.generator, freeze(self.model), record, self.seen)


@contextmanager
def _random(seed: int, purpose: str, step: int) -> Iterator[None]:
    """Noise and dropout are drawn from torch's global generator, which is put back afterwards."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(draw_seed(seed, purpose, step))
        yield


def count_plateaus(losses: Sequence[float], patience: int) -> int:
    """How often a loss was no lower than its lowest for more than so many epochs in a row."""
    best, waited, count = np.inf, 0, 0
    for loss in losses if patience else ():
        is_better = loss < best - BETTER * abs(best) if np.isfinite(best) else True
        best, waited = (loss, 0) if is_better else (best, waited + 1)
        if waited > patience:
            count, waited = count + 1, 0
    return count


def train_generator(
    generator: TrainableGenerator,
    base: Source,
    val: Source | None = None,
    *,
    plan: Plan,
    preset: str = "own",
    seed: int = 0,
    out: str | Path | None = None,
    reports: Reports | None = None,
    exemplars: Sequence[Source] = (),
) -> TrainedGenerator:
    """A trained copy of the generator; with `out`, it is kept there and goes on from there.

    `exemplars` are the same parts prepared as the weights want it by which exemplars are chosen; without them, the
    parts themselves are looked at.
    """
    parts, val = [base], val if val is not None and len(val) else None
    if plan.parts == "base+val" and val is not None:
        parts, val = [base, val], None
    shown = join_parts(parts)
    record = _record(generator, plan, preset=preset, base=shown, seed=seed)
    with _random(seed, "weights", 0):
        network = generator.make_network(record.shape[1])
    seen = remember(*parts, val=val if plan.epochs > 1 and generator.judges_val else None)
    looked_at = _looked_at(list(exemplars), joined=len(parts) > 1) or [shown, *([val] if val is not None else [])]
    chosen = [_exemplars(part, generator, plan, seed) for part in looked_at]
    return GeneratorTraining(
        generator=generator,
        base=shown,
        val=val,
        record=record,
        model=network,
        seen=seen,
        out=None if out is None else Path(out),
        reports=reports or Reports(),
        exemplars=chosen[0],
        val_exemplars=chosen[1] if val is not None else None,
    ).run()


def _looked_at(parts: list[Source], *, joined: bool) -> list[Source]:
    """Parts in the order of base and val, or as one."""
    filled = [part for part in parts if len(part)]
    return [join_parts(filled)] if joined and filled else filled


def _exemplars(part: Source, generator: TrainableGenerator, plan: Plan, seed: int) -> Exemplars | None:
    """The exemplar of each class, as image ids in the order of classes."""
    if not generator.needs_exemplars:
        return None
    return choose_exemplars(part, plan.exemplars or "random", seed)


def _record(generator: TrainableGenerator, plan: Plan, *, preset: str, base: Source, seed: int) -> Record:
    """What is known of a training before its first step."""
    if not base.has_images:
        raise FairshotError(f"{base.name} holds feature vectors, and a generator is trained on images")
    colours, height, width = base.recipe.scale(base.read(slice(0, 1))).shape[1:]
    if height != width or colours != 1 or (base.recipe.mean, base.recipe.deviation) != (0.0, 1.0):
        raise FairshotError(
            f"{base.name} has images of {colours} x {height} x {width} under the recipe {base.recipe.name}: generators "
            "want squares of one channel with values from 0 to 1, use the recipe diversity-28"
        )
    name = Path(inspect.getfile(type(generator))).stem
    return Record(
        learner=name,
        settings=asdict(generator),
        plan=replace(plan, network=name),
        preset=preset,
        source=base.name,
        recipe=base.recipe.name,
        shape=(colours, height),
        classes=len(base.classes),
        seed=seed,
    )
