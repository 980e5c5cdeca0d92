"""A generator with its settings as a course for each seed; equal settings have equal names in all studies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from fairshot.runtime.errors import unknown
from fairshot.runtime.grammar.lists import parse_words
from fairshot.runtime.grammar.settings import parameters, parse_settings
from fairshot.specs.generators import find_trainable_generator
from fairshot.specs.registry import find_class, names
from fairshot.studies.kinds.trained_table import Course, Trainings

SHARED = "generators"  # the folder that all studies of generators keep their courses in

Setting = str | int | float | bool


@dataclass(frozen=True)
class Model:
    """What is trained with several seeds."""

    generator: str
    settings: Mapping[str, Setting] = field(default_factory=dict)
    preset: str = "quick"
    seeds: tuple[int, ...] = (0, 1, 2)
    changes: str = ""
    """Of the preset's plan."""
    sampling: Mapping[str, Setting] = field(default_factory=dict)
    """Settings that change how a trained generator draws: nothing is trained for them."""

    @property
    def label(self) -> str:
        """The generator and its settings in words."""
        settings = {**self.settings, **self.sampling}
        return ", ".join([self.generator, *(f"{name} {value}" for name, value in settings.items())])

    @property
    def spec(self) -> str:
        """What training is asked for."""
        return ":".join([self.generator, *filter(None, [",".join(_pairs(self._unusual))])])

    @property
    def courses(self) -> dict[int, str]:
        """The name of the course of each seed; what a preset has anyway is no part of it."""
        words = [self.generator, self.preset, *_pairs(self._unusual), *parse_words(self.changes)]
        name = "-".join(word.replace("=", "") for word in words)
        return {seed: f"{name}-seed{seed}" for seed in self.seeds}

    def course(self, seed: int) -> Course:
        """How it is trained with a seed."""
        return Course(self.spec, self.preset, self.changes, seed=seed)

    @property
    def _unusual(self) -> dict[str, Setting]:
        """The settings that are not those of the preset."""
        if not self.settings:
            return {}
        found = find_trainable_generator(self.generator, self.preset)
        if found is None:
            raise unknown("generator", self.generator, names("generators"))
        return {name: value for name, value in self.settings.items() if getattr(found[0], name, None) != value}

    def with_settings(self, text: str) -> "Model":
        """The same with further settings, such as `decouple=False`."""
        types = parameters(find_class("generators", self.generator).__init__)
        return replace(self, settings={**self.settings, **parse_settings(text, types, self.generator)})


def trainings_of(models: Sequence[Model], split: str) -> Trainings:
    """All courses of some models, each once."""
    courses = {name: model.course(seed) for model in models for seed, name in model.courses.items()}
    return Trainings(SHARED, courses, split)


def select_courses(models: Sequence[Model], words: Sequence[str]) -> tuple[Model, ...]:
    """The models with the seeds of courses whose names hold one of the words; raises where there are none."""
    chosen = []
    for model in models:
        seeds = tuple(seed for seed, name in model.courses.items() if any(word in name for word in words))
        chosen += [replace(model, seeds=seeds)] if seeds else []
    if not chosen:
        raise unknown("course", " ".join(words), [name for model in models for name in model.courses.values()])
    return tuple(chosen)


def _pairs(settings: Mapping[str, Setting]) -> list[str]:
    return [f"{name}={value}" for name, value in settings.items()]
