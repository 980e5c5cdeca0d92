"""fairshot: few-shot evaluation whose numbers can be trusted."""

__version__ = "0.1.0"
