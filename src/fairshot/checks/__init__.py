"""The verb `check` and its checks, one way to leak a file; what `evaluate` refuses by itself is not here."""
