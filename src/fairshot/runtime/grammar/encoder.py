"""Names of networks inside an encoder's spec: `MODEL/WEIGHTS` of open_clip, `REPOSITORY:NAME` of torch.hub."""

from fairshot.runtime.errors import unreadable


def parse_clip(text: str) -> tuple[str, str]:
    """`ViT-B-32/laion2b_s34b_b79k` as a model and its weights, which may be the path of a file."""
    model, _, weights = text.partition("/")
    if not model or not weights:
        raise unreadable(f"open_clip:{text}", "open_clip:MODEL/WEIGHTS")
    return model, weights


def parse_hub(text: str) -> tuple[str, str]:
    """`facebookresearch/dinov2:dinov2_vits14` as a repository, or a folder, and what is asked of it."""
    repository, _, entry = text.rpartition(":")
    if not repository or not entry:
        raise unreadable(f"torch.hub:{text}", "torch.hub:OWNER/REPOSITORY:NAME", "torch.hub:FOLDER:NAME")
    return repository, entry
