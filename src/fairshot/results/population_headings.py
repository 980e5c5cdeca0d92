"""What intervals are for: the heading of each column of intervals, and the sentence that explains it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Population:
    """The heading of a column of intervals, and what they cover."""

    heading: str
    about: str


POPULATIONS = {
    "images": Population("new images", "other images of these classes"),
    "classes": Population("new classes", "other classes of this kind, images too"),
    "parents": Population("new parents", "other parents, classes and images too"),
    "values": Population("new values", "other values of the task's attribute (other drawers), images too"),
    "runs": Population("new runs", "other training runs, on the same classes and images"),
    "runs and classes": Population("new runs + classes", "other training runs and other classes at once"),
    "items": Population("new items", "other items like these"),
    "groups": Population("new groups", "other groups of items (texts, films, patients), their items too"),
    "runs and items": Population("new runs + items", "other runs and other items, or groups of them, at once"),
    "data sets": Population("new data sets", "other data sets of this kind, each counting as much as another"),
    "seeds": Population("new seeds", "other random numbers of the learner, on the same classes and images"),
    "episodes": Population("usual CI", "more episodes of the same images, which is what papers print"),
    "quadrature": Population("as published", "of a ratio, as if both of its accuracies erred independently"),
}
FIXED_LIST = Population(
    "such episodes",
    "others made like those of this fixed list, judged by how much these differ among themselves; the list has no more",
)
"""Where the interval over episodes is of a list that was published one by one, and not of a sampler."""
WIDEST_FIRST = (
    *("data sets", "parents", "classes", "values", "images"),
    *("runs and items", "groups", "items", "episodes"),
)
"""The order in which a population is chosen to speak about, where the one to quote is not known."""
OF_PROBES = {
    "classes": Population("new classes", "other classes of this kind, with other labelled and test images: everything"),
    "parents": Population("new parents", "other parents with other classes and images: everything"),
    "images": Population("new images", "other labelled images and other test images of these classes at once"),
    "labels": Population("new labels", "other labelled images: another pool as large as this one and other draws"),
    "test": Population("new test", "other test images of these classes, with the same labelled images"),
    "episodes": Population("more draws", "more draws from the same pool, which is what seeds show at best"),
}
"""What the intervals of a probe are for, the widest first."""
