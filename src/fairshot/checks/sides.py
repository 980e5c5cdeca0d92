"""Support and query of an episode share no image."""

import numpy as np

from fairshot.checks.check import Case, DataCheck, describe_image, find_in_support
from fairshot.checks.finding import Outcome
from fairshot.tables.words import count_of


class Sides(DataCheck):
    """Looks for images that are shown with their label and asked for it."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Counts queries that stand in their own support."""
        met, asked, pairs = find_in_support(case, np.arange(len(case.part)), itself=True)
        if met:
            example = describe_image(case.part, pairs[0][0])
            return "leak", f"{met} of {asked} queries stand in their own support, such as {example}"
        return "ok", f"none of {asked} queries in {count_of(len(case.drawn), 'episode')} stands in its own support"
