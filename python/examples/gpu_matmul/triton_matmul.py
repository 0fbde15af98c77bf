"""A product of f16 with a result in f32, in Triton, and two faults that it may be given."""

import torch
import triton
import triton.language as tl

TILE = 32


@triton.jit
def _product(a, b, d, m, k, n, TILE: tl.constexpr, DROP_TAIL: tl.constexpr, SUMS_IN_F16: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    j = tl.program_id(1) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    last = k // TILE * TILE if DROP_TAIL else k
    for first in range(0, last, TILE):
        p = first + tl.arange(0, TILE)
        x = tl.load(a + i[:, None] * k + p[None, :], mask=(i[:, None] < m) & (p[None, :] < k), other=0.0)
        y = tl.load(b + p[:, None] * n + j[None, :], mask=(p[:, None] < k) & (j[None, :] < n), other=0.0)
        total += tl.dot(x, y)
        if SUMS_IN_F16:
            total = total.to(tl.float16).to(tl.float32)
    tl.store(d + i[:, None] * n + j[None, :], total, mask=(i[:, None] < m) & (j[None, :] < n))


def matmul(a, b, *, drop_tail=False, sums_in_f16=False):
    a, b = a.contiguous(), b.contiguous()
    (m, k), n = a.shape, b.shape[1]
    d = torch.empty((m, n), dtype=torch.float32, device=a.device)
    _product[(triton.cdiv(m, TILE), triton.cdiv(n, TILE))](a, b, d, m, k, n, TILE, drop_tail, sums_in_f16)
    return d
