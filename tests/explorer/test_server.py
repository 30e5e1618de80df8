"""The server against those who ask badly: idle, slow, too large, gone in the middle, dear."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from deadheat.errors import DeadheatError, MethodError
from deadheat.explorer import app, cost, patience
from deadheat.explorer.board_view import Held
from deadheat.explorer.cost import affordable
from deadheat.output import scratch

CSV = b"entry,item,score\na,1,1\na,2,0\nb,1,0\nb,2,1\n"


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[int]:
    """A server with little patience; whatever it logs as an error fails the test."""
    monkeypatch.setattr(patience, "HEAD", 0.3)
    monkeypatch.setattr(app, "PAUSE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        number = listening.getsockname()[1]
        settings = uvicorn.Config(
            app.application(Held(), number),
            http=patience.Patient,
            log_level="error",
            lifespan="off",
            ws="none",
        )
        server = uvicorn.Server(settings)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        with caplog.at_level(logging.ERROR):
            yield number
        server.should_exit = True
        thread.join()
    assert not caplog.records, caplog.text


def upload(port: int, content: bytes, length: int, name: str = "my%20file.csv") -> socket.socket:
    """Begin an upload of a stated length."""
    connection = socket.create_connection(("127.0.0.1", port))
    head = f"POST /api/file?name={name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
    connection.sendall(f"{head}Connection: close\r\nContent-Length: {length}\r\n\r\n".encode() + content)
    return connection


def answer(connection: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    with connection:
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize("words", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "])
def test_a_connection_that_asks_nothing_is_closed(words: bytes, port: int) -> None:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(words)
    assert answer(connection) == b""


def test_an_upload_that_stands_still_is_refused(port: int) -> None:
    assert b"408 Request Timeout" in answer(upload(port, CSV[:10], len(CSV)))


def test_an_upload_that_is_too_large_is_refused_before_it_comes(port: int) -> None:
    assert b"413" in answer(upload(port, b"", app.MOST_BYTES + 1)).partition(b"\r\n")[0]


def test_an_upload_that_is_broken_off_is_quiet(port: int) -> None:
    """And leaves nothing on the disk, and nothing that keeps the next one out."""
    for _ in range(2 * app.AT_ONCE):
        upload(port, CSV[:10], len(CSV)).close()
    got = b"503"
    while b"503" in got.partition(b"\r\n")[0]:  # until the server has seen that they are gone
        got = answer(upload(port, CSV, len(CSV)))
    assert b"2 entries, 2 items" in got
    assert len([*scratch().rglob("my_file.csv")]) == 1


def test_an_error_names_the_file_as_it_was_called(tmp_path: Path) -> None:
    held = Held()
    with held.incoming("../my file.csv") as path:
        path.write_bytes(CSV.replace(b"a,2,0", b"a,2,many"))
        with pytest.raises(DeadheatError, match=r"my file\.csv") as caught:
            held.drop(path, "../my file.csv")
    assert str(scratch()) not in str(caught.value)
    assert not path.exists()


def test_a_dear_board_is_refused() -> None:
    affordable(300, 1000, 1, None, "none")
    affordable(300, 1000, 11, None, "holm")
    affordable(12, 250, 1, "bootstrap", "max-t")
    for options in (
        (300, 1000, 1, "bootstrap", "none"),
        (300, 1000, 400, None, "none"),
        (300, 9, 9, None, "max-t"),
    ):
        with pytest.raises(MethodError, match=rf"would take some .* less than {cost.LONGEST:.0f} s"):
            affordable(*options)
