"""What one's own learners are made of; those that come with fairshot are given by name."""

from fairshot.runtime.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    "fairshot.learners",
    {
        "Classifier": "fairshot.learners.learner:Classifier",
        "Clusterer": "fairshot.learners.learner:Clusterer",
        "Clusters": "fairshot.learners.learner:Clusters",
        "Fitted": "fairshot.learners.fitted:Fitted",
        "Lesson": "fairshot.learners.training.trainable:Lesson",
        "Loss": "fairshot.learners.training.trainable:Loss",
        "Model": "fairshot.learners.training.trainable:Model",
        "Network": "fairshot.learners.networks.network:Network",
        "Plan": "fairshot.learners.training.plan:Plan",
        "TaskBatch": "fairshot.learners.learner:TaskBatch",
        "Trainable": "fairshot.learners.training.trainable:Trainable",
        "find": "fairshot.specs.learners:find_learner",
    },
)
