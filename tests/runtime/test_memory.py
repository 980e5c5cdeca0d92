"""Large blocks of memory stay with the process."""

import ctypes
import sys

import pytest
import torch

from fairshot.runtime.memory import keep_large_blocks


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts page faults of glibc's malloc")
def test_a_large_block_is_handed_out_again_without_page_faults() -> None:
    import resource

    if not hasattr(ctypes.CDLL(None), "gnu_get_libc_version"):
        pytest.skip("the C library is not glibc")
    keep_large_blocks()
    for _ in range(5):
        torch.ones(1 << 23)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    torch.ones(1 << 23)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 100
