"""The training of a generator, looked up from words or objects."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairshot.generators.training.course import train_generator
from fairshot.generators.training.sampler import TrainedGenerator
from fairshot.generators.training.trainable import PLANNED, TrainableGenerator
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.record import find_weights, read_record
from fairshot.learners.training.resumable import Reports
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.splits.split import Split

RANDOM_EXEMPLARS = "random"


@dataclass(frozen=True)
class GeneratorCourse:
    """A training that has been looked up and not yet begun: which generator, how, and on what."""

    generator: TrainableGenerator
    name: str
    plan: Plan
    preset: str
    """What the record calls the plan."""
    split: Split
    other_split: Any = None
    """Gives the same split under another recipe, where its name is known."""

    def run(self, *, seed: int = 0, out: Path | str | None = None, reports: Reports | None = None) -> TrainedGenerator:
        """Trains; with `out`, the same call goes on where it was interrupted."""
        return train_generator(
            self.generator,
            self.split.base,
            self.split.val,
            plan=self.plan,
            preset=self.preset,
            seed=seed,
            out=out,
            reports=reports,
            exemplars=self._prepared(),
        )

    def command(self, fitted: object, split: str, out: Path) -> str:
        """The command that scores what was trained."""
        return f"fairshot score {out} --critic omniglot" if split.startswith("omniglot/weak") else ""

    def _prepared(self) -> list[Source]:
        """Base and val as the weights want them by which exemplars are chosen, where they are shown otherwise."""
        how = self.plan.exemplars
        if how in ("", RANDOM_EXEMPLARS) or not self.generator.needs_exemplars:
            return []
        recipe = read_record(find_weights(how, "simclr"))[0].recipe
        if recipe == self.split.base.recipe.name:
            return []
        if self.other_split is None:
            raise FairshotError(
                f"exemplars are chosen by {how} on images of the recipe {recipe}, and the split in hand has "
                f"{self.split.base.recipe.name}: name the split, or say exemplars={RANDOM_EXEMPLARS}"
            )
        split = self.other_split(recipe)
        return [split.base, split.val]


def refuse_changes(changed: dict[str, Any], generator: str) -> None:
    """Raises for settings of a plan that mean nothing to a generator."""
    for name in changed:
        if name not in PLANNED:
            raise FairshotError(f"{name} means nothing to {generator}: a generator's plan has {', '.join(PLANNED)}")


def find_generator_plan(generator: TrainableGenerator, preset: str | Plan, changed: dict[str, Any]) -> tuple[Plan, str]:
    """A preset's plan with changes, and what the record calls it."""
    plan, name = (preset, "own") if isinstance(preset, Plan) else (generator.preset(preset).plan, preset)
    differing = {key: value for key, value in changed.items() if getattr(plan, key) != value}
    listed = ", ".join(f"{key}={value}" for key, value in differing.items())
    return replace(plan, **differing), f"{name} with {listed}" if listed else name
