"""How the C library hands out memory: large blocks are kept for the next step instead of given back."""

import contextlib
import ctypes
from functools import cache

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # of glibc's malloc.h
LARGEST = 2**30


@cache
def keep_large_blocks() -> None:
    """From now on in this process, where the C library is glibc; a step of training then spares its page faults."""
    with contextlib.suppress(OSError, TypeError):  # no C library to be had by this name
        library = ctypes.CDLL(None)
        if hasattr(library, "gnu_get_libc_version"):
            library.mallopt(MMAP_THRESHOLD, LARGEST)
            library.mallopt(TRIM_THRESHOLD, 2**31 - 1)
