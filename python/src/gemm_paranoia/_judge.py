"""Kernels in files, judged by many products."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from typing import Any, Callable, Dict, List, Union

from ._command import USAGE, RefusedError, SessionError, find_command


def judge(file_or_function: Union[str, "os.PathLike[str]", Callable[..., Any]], *options: str) -> Dict[str, Any]:
    """Judges a kernel in a process of its own, and returns the verdict: the JSON that `gemm-paranoia judge` prints.

    :param file_or_function: "kernel.py#matmul", or a function at the top of a module that has a file.
    :param options: options of the command, as "--precision", "f16": `npx gemm-paranoia judge --help`.
    :raises ValueError: for options that the command refuses.
    :raises SessionError: where there is no verdict.
    """
    command = [*find_command(), "judge", _place_of(file_or_function), "--python", sys.executable, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        lines: List[str] = done.stderr.strip().splitlines()
        raise SessionError(f"No verdict: gemm-paranoia ended with exit code {done.returncode}{': ' + lines[-1] if lines else '.'}") from None
    if not isinstance(found, dict):
        raise SessionError("No verdict: gemm-paranoia printed no JSON object.")
    if found.get("exitCode") == USAGE:
        raise RefusedError(str(found.get("reason")))
    return found


def _place_of(of: Union[str, "os.PathLike[str]", Callable[..., Any]]) -> str:
    if isinstance(of, (str, os.PathLike)):
        return os.fspath(of)
    name = getattr(of, "__qualname__", "")
    try:
        file = inspect.getsourcefile(of)
    except TypeError:
        file = None
    if file is None or not os.path.exists(file) or not name.isidentifier():
        raise ValueError(f"{name or of!r} is no function at the top of a file. Pass 'file.py#function'.")
    return f"{file}#{name}"
