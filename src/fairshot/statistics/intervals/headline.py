"""Which of several intervals a reader should quote: the one for the widest population that the data can speak about.

Classes that come in families (alphabets, superclasses) share what makes them easy or hard. Then the interval for other
classes, which takes classes as drawn one by one, is too narrow, and the one for other parents is what holds. If
families shared nothing, both would estimate the same variance; so the interval for parents is quoted when it finds the
larger variance, and that for classes otherwise. Where families share nothing, chance still lets parents win in half of
the cases: the interval is then a little too wide, and never too narrow.
"""

from collections.abc import Mapping

from fairshot.statistics.estimate import Estimate

FEWEST_PARENTS = 5  # with four, 95% of a t already reach 3.2 standard deviations
IN_ORDER = ("classes", "values", "images", "episodes")  # beyond parents, the first that has an interval


def headline(estimates: Mapping[str, Estimate], parents: int) -> str:
    """The population whose interval should be quoted; `parents` is how many there are."""
    deviations = {name: e.deviation for name, e in estimates.items() if e.interval is not None}
    classes, families = deviations.get("classes"), deviations.get("parents")
    if families is not None and parents >= FEWEST_PARENTS and (classes is None or families > classes):
        return "parents"
    return next((name for name in IN_ORDER if name in deviations), "episodes")
