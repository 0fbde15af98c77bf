"""The command of gemm-paranoia on this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import List, Optional, Tuple

#: The oldest Node that gemm-paranoia runs on.
OLDEST_NODE = (20, 19)

#: The exit code of a wrong request.
USAGE = 2


class SessionError(RuntimeError):
    """No verdict: gemm-paranoia cannot be started, or refuses a request. `code` names the error."""

    def __init__(self, message: str, code: str = "no-session") -> None:
        super().__init__(message)
        self.code = code


class RefusedError(SessionError, ValueError):
    """gemm-paranoia refuses what it is given, and says why."""


def find_command() -> List[str]:
    """The words that start gemm-paranoia: GEMM_PARANOIA, else the nearest node_modules, else npx."""
    named = os.environ.get("GEMM_PARANOIA")
    if named:
        if not os.path.exists(named) and shutil.which(named) is None:
            raise SessionError(f"GEMM_PARANOIA names {named}, which does not exist. Set it to the path of gemm-paranoia.")
        return [_node(), named] if named.endswith((".js", ".mjs")) else [named]
    script = "gemm-paranoia.cmd" if os.name == "nt" else "gemm-paranoia"
    here = Path.cwd()
    for folder in (here, *here.parents):
        found = folder / "node_modules" / ".bin" / script
        if found.exists():
            _node()
            return [str(found)]
    npx = shutil.which("npx")
    if npx is None:
        raise SessionError(_without_node("npx"))
    return [npx, "--yes", "gemm-paranoia"]


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        raise SessionError(_without_node("node"))
    return node


def _without_node(program: str) -> str:
    return (
        f"Cannot find {program} in PATH: gemm-paranoia runs on Node {_text(OLDEST_NODE)} or later. "
        "Install Node from https://nodejs.org."
    )


def node_complaint() -> Optional[str]:
    """The sentence on a Node that is missing or too old; None for one that is neither."""
    node = shutil.which("node")
    if node is None:
        return _without_node("node")
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError as error:
        return f"Cannot start {node}: {error.strerror}."
    return too_old(said)


def too_old(version: str) -> Optional[str]:
    """The sentence on a Node of this version; None where it is new enough, or the version unreadable."""
    found = re.match(r"v?(\d+)\.(\d+)", version.strip())
    if found is None or _pair(found) >= OLDEST_NODE:
        return None
    return f"Node {version.strip().lstrip('v')} is too old: gemm-paranoia runs on {_text(OLDEST_NODE)} or later. Update Node."


def _pair(found: "re.Match[str]") -> Tuple[int, int]:
    return int(found[1]), int(found[2])


def _text(version: Tuple[int, int]) -> str:
    return ".".join(map(str, version))
