"""Files that are written whole or not at all, and temporary ones that leave with their process."""

from __future__ import annotations

import atexit
import errno
import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from deadheat.errors import DeadheatError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PREFIX = "deadheat-"
LOCK = "lock"
DESCRIPTORS = re.compile(r"/proc/[^/]+(/task/\d+)?/fd|/dev/fd")
# Process id and folder for temporary files -> the process's own folder there, and the lock that it holds.
_own: dict[tuple[int, str], tuple[Path, int]] = {}
# Drafts that have a name.
_drafts: set[str] = set()


def write_whole(path: Path, content: str | bytes | Iterable[str]) -> None:
    """Write a file, text (or its pieces) as UTF-8, so that a crash or a full disk leaves the old one.

    Raises
    ------
    DeadheatError
        It cannot be written.
    """
    with placing(path) as draft, open(draft, "wb") as stream:
        parts: Iterable[str | bytes] = [content] if isinstance(content, str | bytes) else content
        stream.writelines(part.encode() if isinstance(part, str) else part for part in parts)


@contextmanager
def placing(path: Path) -> Iterator[str]:
    """Yield the name of an empty draft, which takes the place of the file once it is complete.

    A plain file is replaced whole: it keeps its mode and owner, and a symbolic link to it stays. A device, a
    pipe, an open descriptor such as ``/dev/stdout`` and a file of several names are written through instead,
    from the complete draft. On Linux a draft has no name in its folder: not even `kill -9` leaves one.

    Raises
    ------
    DeadheatError
        The file cannot be written.
    """
    try:
        before = _before(path)
        special = before is not None and (not stat.S_ISREG(before.st_mode) or _descriptor(path))
        real = Path(os.path.realpath(path))
        with _draft(Path(tempfile.gettempdir()) if special else real.parent) as (handle, name):
            yield name
            if special or _several(before) or not _replace(handle, name, real, before):
                _copy(handle, path, append=special)
    except OSError as error:
        raise DeadheatError(f"{path}: cannot be written ({error.strerror or error})") from error


def _before(path: Path) -> os.stat_result | None:
    """What the name leads to now; None for nothing."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if stat.S_ISREG(found.st_mode) and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return found


def _descriptor(path: Path) -> bool:
    """Whether a name leads to what is open already, as ``/dev/stdout`` and ``/dev/fd/63`` do."""
    for _ in range(40):  # as many links as the kernel follows
        if DESCRIPTORS.fullmatch(os.path.realpath(path.parent)):
            return True
        if not path.is_symlink():
            return False
        path = path.parent / path.readlink()
    return False


def _several(before: os.stat_result | None) -> bool:
    """Whether a file has several names, each of which must go on to mean it."""
    return before is not None and before.st_nlink > 1


@contextmanager
def _draft(folder: Path) -> Iterator[tuple[int, str]]:
    """Open an empty file of a folder: without a name where the system can, else under a hidden one."""
    handle = -1
    if hasattr(os, "O_TMPFILE") and os.path.isdir("/proc/self/fd"):
        with suppress(OSError):  # what is the matter is told by the other way
            handle = os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o666)
    if handle >= 0:
        try:
            yield handle, f"/proc/self/fd/{handle}"
        finally:
            os.close(handle)
        return
    handle, name = tempfile.mkstemp(dir=folder, prefix=f".{PREFIX}")
    _drafts.add(name)
    try:
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        yield handle, name
    finally:
        os.close(handle)
        _remove(name)


def _remove(name: str) -> None:
    """Remove a draft, where it still has that name."""
    Path(name).unlink(missing_ok=True)
    _drafts.discard(name)


def _replace(handle: int, name: str, real: Path, before: os.stat_result | None) -> bool:
    """Put a draft in the place of a plain file; False where only its content can be replaced."""
    now = os.fstat(handle)
    if before is not None:
        if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
            try:
                os.chown(name, before.st_uid, before.st_gid)
            except PermissionError:
                return False
        os.chmod(name, stat.S_IMODE(before.st_mode))
    os.fsync(handle)
    if now.st_nlink == 0:
        hidden = real.parent / f".{PREFIX}{secrets.token_hex(8)}"
        _drafts.add(str(hidden))
        # A folder's descriptor, though both names are absolute, makes Python follow the link of /proc.
        root = os.open("/", os.O_RDONLY)
        try:
            os.link(name, hidden, src_dir_fd=root, dst_dir_fd=root, follow_symlinks=True)
        finally:
            os.close(root)
        name = str(hidden)
    try:
        os.replace(name, real)
        _drafts.discard(name)
    except OSError as error:
        _remove(name)
        if error.errno in (errno.EBUSY, errno.EXDEV):  # a file mounted by itself
            return False
        raise
    return True


def _copy(handle: int, path: Path, *, append: bool) -> None:
    """Copy a draft into a file that stays the same file; `append` keeps what was written to it before."""
    os.lseek(handle, 0, os.SEEK_SET)
    size = os.fstat(handle).st_size
    target = os.open(path, os.O_WRONLY | (os.O_APPEND if append else 0))
    with open(handle, "rb", closefd=False) as source, open(target, "wb", buffering=0) as stream:
        if not append:
            _room(target, size)
        while part := source.read(2**20):
            rest = memoryview(part)
            while rest:
                rest = rest[stream.write(rest) :]
        if not append:
            os.ftruncate(target, size)


def _room(target: int, size: int) -> None:
    """Take the room on the disk before a byte of the old content is lost."""
    before = os.fstat(target).st_size
    if size <= before or not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(target, 0, size)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            os.ftruncate(target, before)
            raise


def scratch() -> Path:
    """Return this process's folder for temporary files; what killed processes left behind is removed first.

    Raises
    ------
    OSError
        No folder for temporary files can be written.
    """
    key = os.getpid(), tempfile.gettempdir()
    if key not in _own:
        _sweep()
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = os.open(folder / "new", os.O_CREAT | os.O_RDWR, 0o600)
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        os.rename(folder / "new", folder / LOCK)  # found by others only now that it is held
        _own[key] = folder, lock
        atexit.register(clear)
    return _own[key][0]


def clear() -> None:
    """Remove this process's temporary folders and drafts, if it made any; also from within itself."""
    for key in [key for key in _own if key[0] == os.getpid()]:
        shutil.rmtree(_own[key][0], ignore_errors=True)
        os.close(_own.pop(key)[1])
    for name in list(_drafts):
        _remove(name)


def _sweep() -> None:
    """Remove folders of temporary files whose process has ended: the system has let go of their locks."""
    if fcntl is None:
        return
    for lock in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{LOCK}"):
        with suppress(OSError):
            if lock.parent.is_symlink() or lock.stat().st_uid != os.getuid():
                continue
            handle = os.open(lock, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)
            finally:
                os.close(handle)
