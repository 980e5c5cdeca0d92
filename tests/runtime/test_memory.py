"""Large blocks of memory stay with the process."""

import ctypes
import subprocess
import sys

import pytest

# In a process of its own: what other tests left in the heap decides where a block comes from.
COUNT_FAULTS = """
import resource, torch
from fairshot.runtime.memory import keep_large_blocks
keep_large_blocks()
torch.ones(1 << 23)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
torch.ones((1 << 23) - (1 << 12))  # a little less, as aligned blocks do not always fit where one of their size was
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts page faults of glibc's malloc")
def test_a_large_block_is_handed_out_again_without_page_faults() -> None:
    if not hasattr(ctypes.CDLL(None), "gnu_get_libc_version"):
        pytest.skip("the C library is not glibc")
    told = subprocess.run([sys.executable, "-c", COUNT_FAULTS], capture_output=True, text=True, check=True)
    assert int(told.stdout) < 100
