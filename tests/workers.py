"""Which tests go to the same worker process, so that what they share is made once."""

from xdist.scheduler import LoadScopeScheduling

# Folders whose tests stand on the same trained networks; and those of faults, which must not begin last, as few long
# tests would: groups begin in the order of their sizes.
FOLDERS = ("tests/faults", "tests/scoring", "tests/studies/kinds")


def group(nodeid: str) -> str:
    """The file of a test, or the folder where a whole folder shares much."""
    file = nodeid.split("::")[0]
    return next((folder for folder in FOLDERS if file.startswith(f"{folder}/")), file)


class Together(LoadScopeScheduling):
    """Groups of tests in the order of their sizes, the largest first.

    The mark `xdist_group` cannot do it: xdist 3.8 writes groups into names of tests, where pytest 9.2 does not look.
    """

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)
