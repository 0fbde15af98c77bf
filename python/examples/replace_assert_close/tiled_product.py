"""A tiled product of matrices in NumPy, honest or with one defect. Its bits are the same on every machine."""

from __future__ import annotations

from typing import Callable, Optional

import numpy as np

Rounding = Callable[[np.ndarray], np.ndarray]


def f16(x: np.ndarray) -> np.ndarray:
    """Rounds to binary16, to nearest."""
    return x.astype(np.float16).astype(np.float32)


def bf16(x: np.ndarray) -> np.ndarray:
    """Rounds finite numbers to bfloat16, to nearest, ties to even."""
    return _to_nearest(x, 16)


def tf32(x: np.ndarray) -> np.ndarray:
    """Rounds finite numbers to TF32, to nearest, ties to even."""
    return _to_nearest(x, 13)


def truncated_to_bf16(x: np.ndarray) -> np.ndarray:
    """Rounds to bfloat16, toward zero."""
    return (np.asarray(x, np.float32).view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)


def truncated_to_f16(x: np.ndarray) -> np.ndarray:
    """Rounds to binary16, toward zero."""
    near = x.astype(np.float16)
    beyond = np.abs(near.astype(np.float32)) > np.abs(x)
    return np.where(beyond, np.nextafter(near, np.float16(0)), near).astype(np.float32)


def truncated_sum(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Adds in binary32, toward zero, as the sums of some matrix units are."""
    exact = x.astype(np.float64) + y
    near = exact.astype(np.float32)
    return np.where(np.abs(near) > np.abs(exact), np.nextafter(near, np.float32(0)), near)


def matmul(
    a: np.ndarray,
    b: np.ndarray,
    *,
    tile: int = 32,
    operands: Optional[Rounding] = None,
    partial: Optional[Rounding] = None,
    result: Optional[Rounding] = None,
    add: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.add,
    terms: Optional[int] = None,
) -> np.ndarray:
    """Multiplies in binary32: sums the terms of each tile along k, then adds the tiles.

    :param operands: rounds the operands first.
    :param partial: rounds the sum after each tile.
    :param result: rounds the result.
    :param terms: how many terms of each sum are read; by default all.
    """
    a, b = (x.astype(np.float32) if operands is None else operands(x.astype(np.float32)) for x in (a, b))
    k = a.shape[-1] if terms is None else terms
    total = np.zeros((*a.shape[:-1], b.shape[-1]), np.float32)
    for start in range(0, k, tile):
        one = np.zeros_like(total)
        for p in range(start, min(start + tile, k)):
            one = add(one, a[..., p : p + 1] * b[..., p : p + 1, :])
        total = add(total, one)
        total = total if partial is None else partial(total)
    return total if result is None else result(total)


def _to_nearest(x: np.ndarray, dropped: int) -> np.ndarray:
    bits = np.asarray(x, np.float32).view(np.uint32)
    odd = (bits >> np.uint32(dropped)) & np.uint32(1)
    rounded = bits + odd + np.uint32((1 << (dropped - 1)) - 1)
    return (rounded & np.uint32((0xFFFFFFFF << dropped) & 0xFFFFFFFF)).view(np.float32)
