import hashlib
import socket
import threading
import urllib.error
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from fairshot.runtime.download import Remote, accept, fetch, sha256
from fairshot.runtime.errors import FairshotError

CONTENT = bytes(i * i % 251 for i in range(100_000))


@dataclass
class Owner:
    """A server of one file on this machine, and what it saw and sent."""

    content: bytes = CONTENT
    ranges: bool = True
    stop_after: int | None = None
    seen: list[str | None] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    port: int = 0

    def remote(self, content: bytes = CONTENT, name: str = "set.zip") -> Remote:
        return Remote(f"http://127.0.0.1:{self.port}/files/{name}", len(content), hashlib.sha256(content).hexdigest())


@pytest.fixture
def owner(monkeypatch: pytest.MonkeyPatch) -> Iterator[Owner]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    state = Owner()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.headers["Range"]
            state.seen.append(asked)
            if self.path != "/files/set.zip":
                return self.send_error(404)
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and state.ranges else 0
            if start >= len(state.content) and start:
                return self.send_error(416)
            body = state.content[start:]
            self.send_response(206 if asked and state.ranges else 200)
            if asked and state.ranges:
                self.send_header("Content-Range", f"bytes {start}-{len(state.content) - 1}/{len(state.content)}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            body = body if state.stop_after is None else body[: state.stop_after]
            state.sent.append(len(body))
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield state
    server.shutdown()
    thread.join(timeout=10)
    server.server_close()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_remote_file_has_the_name_at_the_end_of_its_address() -> None:
    assert Remote("https://a.b/c/d.tar.gz", 1, "").name == "d.tar.gz"


def test_a_file_is_fetched_whole_and_checked(owner: Owner, tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    target = fetch(owner.remote(), tmp_path / "new" / "folder", progress=lambda *step: steps.append(step))
    assert target == tmp_path / "new" / "folder" / "set.zip"
    assert target.read_bytes() == CONTENT
    assert names(target.parent) == ["set.zip"]
    assert owner.seen == [None]
    assert steps[-1] == (len(CONTENT), len(CONTENT))
    assert steps == sorted(steps)


def test_a_second_call_does_not_download(owner: Owner, tmp_path: Path) -> None:
    fetch(owner.remote(), tmp_path)
    fetch(owner.remote(), tmp_path)
    assert len(owner.seen) == 1


def test_a_file_that_is_there_but_wrong_is_fetched_again(owner: Owner, tmp_path: Path) -> None:
    (tmp_path / "set.zip").write_bytes(b"something else")
    assert fetch(owner.remote(), tmp_path).read_bytes() == CONTENT


def test_a_partial_file_is_continued_and_only_the_rest_is_sent(owner: Owner, tmp_path: Path) -> None:
    (tmp_path / ".set.zip.partial").write_bytes(CONTENT[:30_000])
    steps: list[tuple[int, int]] = []
    assert fetch(owner.remote(), tmp_path, progress=lambda *step: steps.append(step)).read_bytes() == CONTENT
    assert owner.seen == ["bytes=30000-"]
    assert owner.sent == [70_000]
    assert steps[0][0] > 30_000
    assert names(tmp_path) == ["set.zip"]


def test_a_server_that_ignores_ranges_starts_again(owner: Owner, tmp_path: Path) -> None:
    owner.ranges = False
    (tmp_path / ".set.zip.partial").write_bytes(b"x" * 30_000)
    assert fetch(owner.remote(), tmp_path).read_bytes() == CONTENT
    assert owner.seen == ["bytes=30000-"]
    assert owner.sent == [len(CONTENT)]


def test_a_partial_file_that_is_complete_needs_no_server(owner: Owner, tmp_path: Path) -> None:
    (tmp_path / ".set.zip.partial").write_bytes(CONTENT)
    assert fetch(owner.remote(), tmp_path).read_bytes() == CONTENT
    assert owner.seen == []


def test_a_partial_file_that_is_too_long_does_not_block_for_ever(owner: Owner, tmp_path: Path) -> None:
    (tmp_path / ".set.zip.partial").write_bytes(CONTENT + b"more")
    assert fetch(owner.remote(), tmp_path).read_bytes() == CONTENT


def test_wrong_content_is_not_kept(owner: Owner, tmp_path: Path) -> None:
    owner.content = CONTENT[::-1]
    with pytest.raises(FairshotError) as caught:
        fetch(owner.remote(), tmp_path)
    assert str(caught.value) == (
        f"http://127.0.0.1:{owner.port}/files/set.zip gave 100000 bytes with sha256 "
        f"{hashlib.sha256(CONTENT[::-1]).hexdigest()[:16]}..., expected 100000 bytes with "
        f"{hashlib.sha256(CONTENT).hexdigest()[:16]}...: it was not kept; the file has changed at its owner's or on its way"
    )
    assert names(tmp_path) == []


def test_wrong_content_does_not_harm_what_was_there(owner: Owner, tmp_path: Path) -> None:
    (tmp_path / "set.zip").write_bytes(b"my own")
    owner.content = b"garbage"
    with pytest.raises(FairshotError):
        fetch(owner.remote(), tmp_path)
    assert (tmp_path / "set.zip").read_bytes() == b"my own"
    assert names(tmp_path) == ["set.zip"]


def test_a_web_page_in_disguise_is_refused_and_not_kept(owner: Owner, tmp_path: Path) -> None:
    owner.content = b"<!DOCTYPE html><title>Sign in</title>"
    with pytest.raises(FairshotError) as caught:
        fetch(owner.remote(), tmp_path)
    assert str(caught.value).endswith(
        "is a web page, not an archive: the address it came from no longer serves the data"
    )
    assert names(tmp_path) == []


def test_a_download_that_breaks_off_is_kept_and_continued(owner: Owner, tmp_path: Path) -> None:
    owner.stop_after = 40_000
    with pytest.raises(FairshotError) as caught:
        fetch(owner.remote(), tmp_path)
    assert str(caught.value).startswith(f"cannot fetch http://127.0.0.1:{owner.port}/files/set.zip (")
    assert str(caught.value).endswith("): the same command continues later")
    assert (tmp_path / ".set.zip.partial").read_bytes() == CONTENT[:40_000]
    owner.stop_after = None
    assert fetch(owner.remote(), tmp_path).read_bytes() == CONTENT
    assert owner.seen == [None, "bytes=40000-"]
    assert owner.sent == [40_000, 60_000]


def test_a_refused_connection_is_one_line_and_keeps_the_partial_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / ".set.zip.partial").write_bytes(CONTENT[:10])
    with pytest.raises(FairshotError) as caught:
        fetch(Owner(port=port).remote(), tmp_path)
    assert str(caught.value) == (
        f"cannot fetch http://127.0.0.1:{port}/files/set.zip ([Errno 111] Connection refused): "
        "the same command continues later"
    )
    assert (tmp_path / ".set.zip.partial").read_bytes() == CONTENT[:10]


def test_an_address_without_the_file_is_one_line(owner: Owner, tmp_path: Path) -> None:
    with pytest.raises(FairshotError) as caught:
        fetch(owner.remote(name="gone.zip"), tmp_path)
    assert str(caught.value) == (
        f"cannot fetch http://127.0.0.1:{owner.port}/files/gone.zip (404 Not Found): it may have moved"
    )
    assert isinstance(caught.value.__cause__, urllib.error.HTTPError)
    assert caught.value.__cause__.fp.closed  # else a warning of an open connection comes at any time later


def test_sha256_is_that_of_the_content(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert sha256(tmp_path / "a") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


OFFICIAL = (
    Remote("https://a.b/first.zip", 3, hashlib.sha256(b"one").hexdigest()),
    Remote("https://a.b/second.zip", 3, hashlib.sha256(b"two").hexdigest()),
)


def test_an_official_file_is_accepted_under_its_official_name(tmp_path: Path) -> None:
    (tmp_path / "download (1).zip").write_bytes(b"two")
    target = accept(OFFICIAL, tmp_path / "download (1).zip", tmp_path / "data" / "set")
    assert target == tmp_path / "data" / "set" / "second.zip"
    assert target.read_bytes() == b"two"
    assert (tmp_path / "download (1).zip").read_bytes() == b"two"
    assert names(target.parent) == ["second.zip"]


def test_a_file_may_be_accepted_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "first.zip").write_bytes(b"one")
    assert accept(OFFICIAL, tmp_path / "first.zip", tmp_path).read_bytes() == b"one"


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "first.zip").write_bytes(b"three")
    with pytest.raises(FairshotError) as caught:
        accept(OFFICIAL, tmp_path / "first.zip", tmp_path / "data")
    assert str(caught.value) == (
        f"{tmp_path / 'first.zip'} has sha256 {hashlib.sha256(b'three').hexdigest()[:16]}..., which is none of the official "
        "archives' (first.zip, second.zip): fetch it again, or list its folder in FAIRSHOT_DATA to use it as it is"
    )
    assert not (tmp_path / "data").exists()


def test_a_web_page_is_not_accepted(tmp_path: Path) -> None:
    (tmp_path / "first.zip").write_bytes(b"<html></html>")
    with pytest.raises(FairshotError) as caught:
        accept(OFFICIAL, tmp_path / "first.zip", tmp_path / "data")
    assert str(caught.value) == (
        f"{tmp_path / 'first.zip'} is a web page, not an archive: the address it came from no longer serves the data"
    )


@pytest.mark.parametrize("missing", ["nothing.zip", ""])
def test_a_file_that_is_not_there_is_refused(tmp_path: Path, missing: str) -> None:
    with pytest.raises(FairshotError) as caught:
        accept(OFFICIAL, tmp_path / missing, tmp_path / "data")
    assert str(caught.value) == f"there is no file {tmp_path / missing}: give one of first.zip, second.zip"
