"""Few-shot evaluation whose numbers can be trusted.

    import fairshot as fs

    e = fs.evaluate((X, y), ["prototypes", "ridge"], way=5, shot=[1, 5])
    print(e)

Wherever something is named, an object or its spec may be given; whatever is made can be printed, indexed, turned into
a data frame and saved.
"""

from fairshot.runtime.lazy import lazy_names

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_names(
    "fairshot",
    {
        # verbs
        "audit": "fairshot.audits.audit:audit",
        "caches": "fairshot.results.caches:find_caches",
        "check": "fairshot.checks.checklist:check",
        "clean_caches": "fairshot.results.caches:clean_caches",
        "compare": "fairshot.evaluation.compare:compare",
        "cscc": "fairshot.evaluation.consistency:cscc",
        "demo": "fairshot.demonstration.demo:demo",
        "diagnose": "fairshot.evaluation.diagnose:diagnose",
        "embed": "fairshot.evaluation.embed:embed",
        "evaluate": "fairshot.evaluation.evaluate:evaluate",
        "evaluate_each": "fairshot.evaluation.evaluate_each:evaluate_each",
        "generate": "fairshot.scoring.generate:generate",
        "load": "fairshot.evaluation.load:load",
        "predict": "fairshot.prediction.predict:predict",
        "probe": "fairshot.evaluation.probe:probe",
        "ranks": "fairshot.evaluation.ranks:ranks",
        "run": "fairshot.studies.study:run",
        "runs": "fairshot.results.runs:find_runs",
        "score": "fairshot.scoring.score:score",
        "selection": "fairshot.evaluation.selection:selection",
        "track": "fairshot.evaluation.track:track",
        "train": "fairshot.evaluation.train:train",
        "verify": "fairshot.evaluation.verify:verify",
        # words to objects
        "data": "fairshot.specs.data:find_part",
        "split": "fairshot.specs.data:find_split",
        # what one's own parts are made of
        "generators": "fairshot.generators",
        "learners": "fairshot.learners",
        "metrics": "fairshot.metrics",
        "scoring": "fairshot.scoring",
        "sources": "fairshot.sources",
        "splits": "fairshot.splits",
        "tasks": "fairshot.tasks",
        "FairshotError": "fairshot.runtime.errors:FairshotError",
    },
)
