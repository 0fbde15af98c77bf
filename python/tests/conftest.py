"""Tests of gemm_paranoia: they need NumPy, Node, and the command that GEMM_PARANOIA names or the build of this repository."""

import os
from pathlib import Path

import numpy as np
import pytest

pytest_plugins = ["pytester"]

BUILT = Path(__file__).resolve().parents[2] / "dist" / "cli" / "main.js"
if BUILT.exists():
    os.environ.setdefault("GEMM_PARANOIA", str(BUILT))

#: Where PARANOIA_TESTS is whole, tests that repeat something repeat it as often as users may.
IS_WHOLE = os.environ.get("PARANOIA_TESTS") == "whole"


@pytest.fixture(autouse=True)
def saved(tmp_path, monkeypatch):
    """Operands of failures go to the folder of the test."""
    monkeypatch.setenv("GEMM_PARANOIA_SAVE", str(tmp_path / "saved"))
    return tmp_path / "saved"


@pytest.fixture
def pair():
    """Draws A and B: the same ones for the same sizes."""

    def draw(m, k, n, dtype="float32"):
        rng = np.random.default_rng([m, k, n])
        return rng.uniform(-1, 1, (m, k)).astype(dtype), rng.uniform(-1, 1, (k, n)).astype(dtype)

    return draw
