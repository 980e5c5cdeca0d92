"""What backends have in common: items in, answers out."""

from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")
