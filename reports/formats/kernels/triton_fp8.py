"""FP8 products in Triton: sums left in the matrix unit, brought to binary32 every so many terms, and block by block with factors.

Zeros are added behind rows, columns and k to whole tiles.
"""
import paranoia
import torch
import triton
import triton.language as tl

ON_GPU = {"array": "torch", "device": "cuda"}
E4M3 = torch.float8_e4m3fn
TILE = 64
BLOCK = 128


@triton.jit
def _product(a, b, d, sa, sb, n, k, TILE: tl.constexpr, BLOCK: tl.constexpr, SCALED: tl.constexpr, IMPRECISE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    j = tl.program_id(1) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for first in range(0, k, BLOCK):
        p = first + tl.arange(0, BLOCK)
        x = tl.load(a + i[:, None] * k + p[None, :])
        y = tl.load(b + j[None, :] * k + p[:, None])
        if SCALED:
            u = tl.load(sa + i * (k // BLOCK) + first // BLOCK)
            v = tl.load(sb + (j // BLOCK) * (k // BLOCK) + first // BLOCK)
            total += tl.dot(x, y) * u[:, None] * v[None, :]
        else:
            total = tl.dot(x, y, total, max_num_imprecise_acc=IMPRECISE)
    tl.store(d + i[:, None] * n + j[None, :], total)


def up(size, to):
    return -(-size // to) * to


def filled(x, rows, cols, value=0.0):
    out = x.new_full((rows, cols), value)
    out[: x.shape[0], : x.shape[1]] = x
    return out


def product(a, b, *, imprecise=BLOCK, factors=None):
    (m, k), n = a.shape, b.shape[1]
    rows, cols, terms = up(m, BLOCK), up(n, BLOCK), up(k, BLOCK)
    x, y = filled(a, rows, terms).to(E4M3), filled(b.t(), cols, terms).to(E4M3)
    d = torch.empty(rows, cols, device="cuda", dtype=torch.float32)
    sa = sb = d
    if factors is not None:
        sa = filled(factors["a"]["scales"][0].float(), rows, terms // BLOCK, 1.0)
        sb = filled(factors["b"]["scales"][0].float(), cols // BLOCK, terms // BLOCK, 1.0)
    grid = (rows // TILE, cols // TILE)
    _product[grid](x, y, d, sa, sb, cols, terms, TILE, BLOCK, factors is not None, imprecise)
    return d[:m, :n]


def promoted(terms):
    return {"arithmetic": {"accumulator": {"bits": 14, "terms": 32, "promoted": terms}}}


@paranoia.kernel(precision="e4m3-f32", claims=promoted(32), **ON_GPU)
def promoted_32(a, b):
    return product(a, b, imprecise=32)


@paranoia.kernel(precision="e4m3-f32", claims=promoted(64), **ON_GPU)
def promoted_64(a, b):
    return product(a, b, imprecise=64)


@paranoia.kernel(precision="e4m3-f32", claims=promoted(128), **ON_GPU)
def promoted_128(a, b):
    return product(a, b, imprecise=128)


@paranoia.kernel(precision="e4m3-block", **ON_GPU)
def block(a, b, factors):
    """As DeepSeek's: each 128 terms by the matrix unit, times their factors, added in binary32."""
    return product(a, b, factors=factors)
