"""The one process of gemm-paranoia that answers this process, over pipes."""

from __future__ import annotations

import atexit
import json
import os
import re
import subprocess
import tempfile
import threading
import warnings
from typing import Any, Dict, IO, Mapping, Optional, Sequence, Tuple

from ._command import USAGE, RefusedError, SessionError, find_command, node_complaint, too_old

__all__ = ["SessionError", "ask"]

#: The version of the protocol of `gemm-paranoia serve`.
PROTOCOL = 2

#: Seconds that a process has to end after its input was closed, before it is killed.
PATIENCE = 5


def in_python(text: str) -> str:
    """Writes options of the command line, `--sigmas 6`, as arguments: `sigmas=6`."""
    text = re.sub(r"--(precision|sigmas|alpha|beta) ([\d.]+)(?![\w-])", r"\1=\2", text)
    text = re.sub(r"--(precision|algorithm) ([a-z][\w:-]*)", r"\1='\2'", text)
    return re.sub(r"--(precision|claims|sigmas|alpha|beta)\b", r"\1=", text)


class _Ended(Exception):
    """The process ended before it answered."""


class _Session:
    """A running `gemm-paranoia serve`."""

    def __init__(self) -> None:
        self.command = find_command()
        # A pipe would fill up unread.
        self.errors: IO[bytes] = tempfile.TemporaryFile()
        try:
            # A group of its own: Ctrl-C in a terminal is for Python, which ends this process.
            self.process = subprocess.Popen(
                [*self.command, "serve"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                start_new_session=True,
            )
        except OSError as error:
            self.errors.close()
            raise SessionError(f"Cannot start {' '.join(self.command)}: {error.strerror}.") from error
        _widen(self.process.stdin)
        try:
            self._greet()
        except BaseException:
            self.kill()
            raise

    def _greet(self) -> None:
        try:
            said = self._read_line()
        except (_Ended, ValueError):
            raise SessionError(node_complaint() or f"{self.why()} Run: {' '.join(self.command)} --version") from None
        complaint = too_old(str(said.get("node", "")))
        if complaint is not None:
            raise SessionError(complaint)
        if said.get("protocol") != PROTOCOL:
            raise SessionError(
                f"{' '.join(self.command)} speaks protocol {said.get('protocol')}, and this package {PROTOCOL}. "
                "Install gemm-paranoia of the same version with npm and pip."
            )

    def ask(self, head: Mapping[str, Any], tensors: Sequence[memoryview]) -> Tuple[Dict[str, Any], bytes]:
        stdin = self.process.stdin
        assert stdin is not None
        try:
            stdin.write(json.dumps(head, allow_nan=False).encode() + b"\n")
            for tensor in tensors:
                stdin.write(tensor)
            stdin.flush()
        except (OSError, ValueError):
            raise _Ended from None
        said = self._read_line()
        if "error" in said:
            error = said["error"]
            raise (RefusedError if error["exitCode"] == USAGE else SessionError)(in_python(error["message"]), error["code"])
        answer = said["answer"]
        length = answer.get("bytes", 0)
        return answer, self._read(length) if length else b""

    def _read_line(self) -> Dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise _Ended
        said = json.loads(line)
        if not isinstance(said, dict):
            raise ValueError("no object")
        return said

    def _read(self, length: int) -> bytes:
        assert self.process.stdout is not None
        data = self.process.stdout.read(length)
        if len(data) < length:
            raise _Ended
        return data

    def why(self) -> str:
        """The sentence on an end: the exit code, and the last line of standard error."""
        code = self.end()
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").strip().splitlines()
        self.errors.close()
        return f"gemm-paranoia ended with exit code {code}{': ' + lines[-1] if lines else '.'}"

    def end(self) -> int:
        """Closes the input, after which the process ends."""
        self._close()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return self.kill()

    def kill(self) -> int:
        self._close()
        try:
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, 9)
            else:
                self.process.kill()
        except OSError:
            pass
        return self.process.wait()

    def leave(self) -> None:
        """Forgets the process of a parent, in a child: the parent goes on with it."""
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                # Not closed as objects: what the parent has not flushed is the parent's to send.
                _close_quietly(stream.fileno())
        # It is no child of ours, and nothing to wait for.
        self.process.returncode = 0

    def _close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                pass


def _widen(pipe: Optional[IO[bytes]]) -> None:
    """Lets a pipe hold 1 MiB where the system allows it: Linux gives 64 KiB, and every refill wakes both processes."""
    try:
        import fcntl

        if pipe is not None:
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 2**20)  # type: ignore[attr-defined]
    except (ImportError, AttributeError, OSError):
        pass


def _close_quietly(descriptor: int) -> None:
    """Replaces a descriptor by one that leads nowhere, so that its object may close it."""
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)
    except OSError:
        pass


_lock = threading.RLock()
_session: Optional[_Session] = None


def ask(head: Mapping[str, Any], tensors: Sequence[memoryview] = ()) -> Tuple[Dict[str, Any], bytes]:
    """Asks the process, which is started by the first question, and once more where it has ended."""
    global _session
    with _lock:
        try:
            if _session is None:
                _session = _Session()
                return _first(head, tensors)
            try:
                return _session.ask({"id": 0, **head}, tensors)
            except _Ended:
                why = _session.why()
                _session = None
                warnings.warn(f"{why.rstrip('.')}. It was started again.", RuntimeWarning, stacklevel=4)
                _session = _Session()
                return _first(head, tensors)
        except (SessionError, Warning):
            raise
        except BaseException:
            # An answer may be on its way: whoever asks next must not get it.
            if _session is not None:
                _session.kill()
                _session.errors.close()
                _session = None
            raise


def _first(head: Mapping[str, Any], tensors: Sequence[memoryview]) -> Tuple[Dict[str, Any], bytes]:
    """Asks a process that has just started."""
    global _session
    assert _session is not None
    try:
        return _session.ask({"id": 0, **head}, tensors)
    except _Ended:
        why = _session.why()
        _session = None
        raise SessionError(f"{why.rstrip('.')}. It ended while it answered: report this with the shapes and types.") from None


def close() -> None:
    """Ends the process. The next question starts another one."""
    global _session
    with _lock:
        if _session is not None:
            _session.end()
            _session.errors.close()
            _session = None


def _after_fork() -> None:
    global _lock, _session
    _lock = threading.RLock()
    if _session is not None:
        _session.leave()
        _session = None


atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
