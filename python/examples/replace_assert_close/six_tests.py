"""Six tests of matrix products from public projects, written anew: shapes, operands and tolerances are theirs.

Each has `draw`, its operands; `before`, its comparison; and `after`, the line that replaces it. Sources are in docs/how-to/replace-assert-close.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, Mapping, NamedTuple, Tuple

import numpy as np

import gemm_paranoia as paranoia

from tiled_product import bf16, f16, matmul, tf32, truncated_sum, truncated_to_bf16, truncated_to_f16

Kernel = Callable[[Any, Any], np.ndarray]


@dataclass(frozen=True)
class Example:
    """A test, and the kernels that it is tried on."""

    draw: Callable[[int], Tuple[Any, Any]]
    #: Comparisons by their tolerances: the project's own, and an earlier or later one where it changed.
    before: Mapping[str, Callable[[np.ndarray, Any, Any], None]]
    after: Callable[[np.ndarray, Any, Any], None]
    honest: Kernel
    wrong: Mapping[str, Kernel]
    #: How many products of the honest kernel are drawn; of a wrong one a tenth, but at least 3.
    seeds: int


def _exact(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a.astype(np.float64) @ b.astype(np.float64)


def _assert_close(found: np.ndarray, expected: np.ndarray, rtol: float, atol: float) -> None:
    np.testing.assert_allclose(found.astype(np.float64), expected.astype(np.float64), rtol=rtol, atol=atol)


def _with_entry(kernel: Kernel, other: Kernel) -> Kernel:
    """One entry of each product is another kernel's."""

    def mixed(a: Any, b: Any) -> np.ndarray:
        d = kernel(a, b)
        d[(0,) * d.ndim] = other(a, b)[(0,) * d.ndim]
        return d

    return mixed


# llama.cpp: MUL_MAT of binary16 weights, m=16, n=16, k=256, a batch of 2×3.


def _llama_draw(seed: int) -> Tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (6, 16, 256)).astype(np.float16), rng.uniform(-1, 1, (6, 256, 16)).astype(np.float32)


def _llama_before(d: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    expected = _exact(a, b)
    assert np.sum((d - expected) ** 2) <= 5e-4 * np.sum(expected**2)


def _llama_after(d: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    paranoia.assert_matmul(d, a, b, precision="f16-f32", sigmas=6)


# TileOPs: a vector by a matrix in binary16, k=16384. Of its 7168 columns, 256.


def _tileops_draw(seed: int) -> Tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return tuple(rng.standard_normal(shape, np.float32).astype(np.float16) for shape in ((1, 16384), (16384, 256)))


def _tileops_before(atol: float, d: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    _assert_close(d, _f16_kernel(a, b, tile=4096), rtol=1e-3, atol=atol)


def _tileops_after(d: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    paranoia.assert_matmul(d, a, b, claims={"order": "blocked", "partition": 128}, sigmas=6)


def _f16_kernel(a: np.ndarray, b: np.ndarray, **how: Any) -> np.ndarray:
    return matmul(a, b, **how).astype(np.float16)


# HipKittens: bfloat16, m=512, k=1024, n=1024. Its bfloat16 numbers are in float32 here.


def _hip_draw(seed: int) -> Tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return bf16(rng.standard_normal((512, 1024), np.float32)), bf16(rng.standard_normal((1024, 1024), np.float32))


def _hip_before(d: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    _assert_close(d, bf16(_exact(a, b).astype(np.float32)), rtol=1e-2, atol=1e-8)


def _hip_proposed(d: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    _assert_close(d, _exact(a, b), rtol=1e-2, atol=1e-1)


def _hip_after(d: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    paranoia.assert_matmul(d, a, b, precision="bf16-f32-bf16", sigmas=6)


# ONNX Runtime: MatMulNBits of binary16, m=100, n=288, k=1234, in blocks of 16.


class Weights(NamedTuple):
    """Numbers of 4 bits less 8, and a factor for each 16 of a column."""

    numbers: np.ndarray
    factors: np.ndarray

    def dense(self, factors: Any = None) -> np.ndarray:
        each = np.repeat(self.factors if factors is None else factors, 16, axis=0)[: len(self.numbers)]
        return (self.numbers * each.astype(np.float32)).astype(np.float16)


def _ort_draw(seed: int) -> Tuple[np.ndarray, Weights]:
    rng = np.random.default_rng(seed)
    a = rng.normal(0, 0.25, (100, 1234)).astype(np.float32)
    b = np.pad(rng.normal(0, 0.25, (1234, 288)), ((0, 14), (0, 0))).reshape(78, 16, 288)
    factors = (np.abs(b).max(axis=1) / 8).astype(np.float16)
    numbers = np.clip(np.rint(b / factors[:, None].astype(np.float32)), -8, 7).reshape(1248, 288)[:1234]
    return a, Weights(numbers.astype(np.float32), factors)


def _ort_before(d: np.ndarray, a: np.ndarray, b: Weights) -> None:
    _assert_close(d, f16(matmul(a, b.numbers * np.repeat(b.factors, 16, axis=0)[:1234].astype(np.float32))), rtol=0.02, atol=0.055)


def _ort_after(d: np.ndarray, a: np.ndarray, b: Weights) -> None:
    paranoia.assert_matmul(d, a.astype(np.float16), b.dense(), sigmas=6)


def _ort(a: np.ndarray, b: Weights, **how: Any) -> np.ndarray:
    return matmul(f16(a), b.dense(), **how).astype(np.float16)


def _ort_last_factor(a: np.ndarray, b: Weights) -> np.ndarray:
    return matmul(f16(a), b.dense(np.concatenate([b.factors[:-1], b.factors[-2:-1]]))).astype(np.float16)


def _ort_int8(a: np.ndarray, b: Weights) -> np.ndarray:
    blocks = np.pad(a, ((0, 0), (0, 14))).reshape(100, 78, 16)
    step = np.abs(blocks).max(axis=2, keepdims=True) / 127
    return matmul((np.rint(blocks / step) * step).reshape(100, 1248)[:, :1234], b.dense()).astype(np.float16)


# ONNX Runtime: the same of binary32, with a bias.


class Biased(NamedTuple):
    """A matrix, and a row that is added to each row of the product."""

    dense: np.ndarray
    bias: np.ndarray


def _biased_draw(seed: int) -> Tuple[np.ndarray, Biased]:
    a, b = _ort_draw(seed)
    factors = np.repeat(b.factors, 16, axis=0)[:1234].astype(np.float32)
    return a, Biased(b.numbers * factors, np.random.default_rng([seed, 1]).uniform(1, 5, 288).astype(np.float32))


def _biased_before(atol: float, d: np.ndarray, a: np.ndarray, b: Biased) -> None:
    _assert_close(d, matmul(a, b.dense, tile=1234) + b.bias, rtol=1e-4, atol=atol)


def _biased_after(d: np.ndarray, a: np.ndarray, b: Biased) -> None:
    paranoia.assert_matmul(d, a, b.dense, bias=b.bias, claims={"order": "blocked", "partition": 16}, sigmas=6)


def _biased(a: np.ndarray, b: Biased, **how: Any) -> np.ndarray:
    return matmul(a, b.dense, **how) + b.bias


# TensorFlow.js: 8×4 by 4×8, written by hand.


def _tfjs_draw(seed: int) -> Tuple[np.ndarray, np.ndarray]:
    return (np.arange(32).reshape(8, 4) % 24 + 1).astype(np.float32), (np.arange(32).reshape(4, 8) * 7 % 15 - 3).astype(np.float32)


def _tfjs_before(d: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    assert np.all(np.abs(d - _exact(a, b)) <= 1e-3)


def _tfjs_after(d: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    paranoia.assert_matmul(d, a, b, sigmas=6)


def _drawn(seed: int) -> Tuple[np.ndarray, np.ndarray]:
    """What `@pytest.mark.matmul` draws instead: a shape beyond 8, and no whole numbers."""
    rng = np.random.default_rng(seed)
    m, k, n = rng.integers(1, 70, 3)
    return rng.uniform(-1, 1, (m, k)).astype(np.float32), rng.uniform(-1, 1, (k, n)).astype(np.float32)


def _without_tail(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return matmul(a, b, terms=a.shape[-1] // 4 * 4)


_TFJS_WRONG = {
    "k mod 4 terms lost": _without_tail,
    "operands rounded to bf16": partial(matmul, operands=bf16),
    "sums in f16": partial(matmul, tile=1, partial=f16),
}


# NumPy: a matrix of 10000×200 by a vector in binary32. The expected product is that of the operands before rounding.


def _numpy_draw(seed: int) -> Tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.random((10000, 200)), rng.random((200, 1))


def _numpy_before(d: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    np.testing.assert_allclose(d, a @ b, rtol=1e-5, atol=1e-7)


def _numpy_after(d: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    paranoia.assert_matmul(d, a.astype(np.float32), b.astype(np.float32), sigmas=6)


EXAMPLES: Mapping[str, Example] = {
    "llama.cpp": Example(
        draw=_llama_draw,
        before={"squared error ≤ 5e-4": _llama_before},
        after=_llama_after,
        honest=partial(matmul, operands=f16),
        wrong={
            "one entry without its last 32 terms": _with_entry(partial(matmul, operands=f16), partial(matmul, operands=f16, terms=224)),
            "sums in f16": partial(matmul, operands=f16, tile=1, partial=f16),
            "operands rounded to bf16": partial(matmul, operands=bf16),
            "last term of each sum lost": partial(matmul, operands=f16, terms=255),
        },
        seeds=200,
    ),
    "TileOPs": Example(
        draw=_tileops_draw,
        before={"rtol 1e-3, atol 1e-3": partial(_tileops_before, 1e-3), "rtol 1e-3, atol 8e-3": partial(_tileops_before, 8e-3)},
        after=_tileops_after,
        honest=partial(_f16_kernel, tile=128),
        wrong={
            "result truncated to f16": partial(_f16_kernel, tile=128, result=truncated_to_f16),
            "sums of tiles in f16": partial(_f16_kernel, tile=128, partial=f16),
            "last term of each sum lost": partial(_f16_kernel, tile=128, terms=16383),
        },
        seeds=40,
    ),
    "HipKittens": Example(
        draw=_hip_draw,
        before={"rtol 1e-2, atol 1e-8": _hip_before, "rtol 1e-2, atol 1e-1": _hip_proposed},
        after=_hip_after,
        honest=partial(matmul, tile=64, result=bf16),
        wrong={
            "result truncated to bf16": partial(matmul, tile=64, result=truncated_to_bf16),
            "halves of k added in bf16": partial(matmul, tile=512, partial=bf16),
            "last term of each sum lost": partial(matmul, tile=64, terms=1023, result=bf16),
        },
        seeds=10,
    ),
    "ONNX Runtime, f16": Example(
        draw=_ort_draw,
        before={"rtol 0.02, atol 0.055": _ort_before},
        after=_ort_after,
        honest=_ort,
        wrong={
            "sums in f16": partial(_ort, tile=1, partial=f16),
            "A rounded to 8 bits": _ort_int8,
            "factor of the last block from its neighbor": _ort_last_factor,
            "k mod 4 terms lost": partial(_ort, terms=1232),
        },
        seeds=100,
    ),
    "ONNX Runtime, f32": Example(
        draw=_biased_draw,
        before={"rtol 1e-4, atol 1e-5": partial(_biased_before, 1e-5), "rtol 1e-4, atol 1e-4": partial(_biased_before, 1e-4)},
        after=_biased_after,
        honest=partial(_biased, tile=16),
        wrong={
            "sums truncated": partial(_biased, tile=16, add=truncated_sum),
            "operands rounded to tf32": partial(_biased, tile=16, operands=tf32),
        },
        seeds=100,
    ),
    "TensorFlow.js": Example(
        draw=_tfjs_draw,
        before={"atol 1e-3": _tfjs_before},
        after=_tfjs_after,
        honest=matmul,
        wrong=_TFJS_WRONG,
        seeds=1,
    ),
    "TensorFlow.js, drawn": Example(
        draw=_drawn,
        before={"atol 1e-3": _tfjs_before},
        after=_tfjs_after,
        honest=matmul,
        wrong=_TFJS_WRONG,
        seeds=100,
    ),
    "NumPy": Example(
        draw=_numpy_draw,
        before={"rtol 1e-5, atol 1e-7": _numpy_before},
        after=_numpy_after,
        honest=matmul,
        wrong={
            "sums truncated": partial(matmul, tile=200, add=truncated_sum),
            "operands rounded to tf32": partial(matmul, operands=tf32),
            "one entry without its last term": _with_entry(matmul, partial(matmul, terms=199)),
        },
        seeds=100,
    ),
}
