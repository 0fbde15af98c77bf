"""PyTorch's products of few bits on an NVIDIA GPU: torch._scaled_mm, torch._int_mm, and matmul in f16 and bf16.

cuBLASLt and CUTLASS take sizes of whole tiles: here zeros are added behind rows, columns and k, which change no sum.
"""
import paranoia
import torch

ON_GPU = {"array": "torch", "device": "cuda"}
E4M3 = torch.float8_e4m3fn


def up(size, to):
    return -(-size // to) * to


def filled(x, rows, cols, value=0.0):
    out = x.new_full((rows, cols), value)
    out[: x.shape[0], : x.shape[1]] = x
    return out


def scaled(a, b, *, fast, out=torch.float32, tile=16, depth=None, scales=None):
    """op(A) by rows, B by columns. scales(m, n, k) gives factors for these sizes, of ones where there are none."""
    (m, k), n = a.shape, b.shape[1]
    rows, cols, terms = up(m, tile), up(n, tile), up(k, depth or tile)
    x = filled(a, rows, terms).to(E4M3)
    y = filled(b.t(), cols, terms).to(E4M3)
    one = torch.ones((), device="cuda")
    sa, sb = (one, one) if scales is None else scales(rows, cols, terms)
    d = torch._scaled_mm(x, y.t(), scale_a=sa, scale_b=sb, out_dtype=out, use_fast_accum=fast)
    return d[:m, :n].to(torch.float32)


def of_tensor(factors):
    return lambda m, n, k: tuple(factors[side]["scales"][0].float().reshape(()) for side in "ab")


def of_rows(factors):
    def scales(m, n, k):
        sa, sb = (factors[side]["scales"][0].float().reshape(-1, 1) for side in "ab")
        return filled(sa, m, 1, 1.0), filled(sb, n, 1, 1.0).t()

    return scales


def of_blocks(factors):
    """A: a factor for each 128 of a row, lying column by column; B: one for each 128×128."""

    def scales(m, n, k):
        sa = filled(factors["a"]["scales"][0].float(), m, k // 128, 1.0)
        sb = filled(factors["b"]["scales"][0].float(), n // 128, k // 128, 1.0)
        return sa.t().contiguous().t(), sb.t()

    return scales


FAST = {"arithmetic": {"accumulator": {"bits": 14, "terms": 32}}}
SLOW = {"arithmetic": {"accumulator": {"bits": 14, "terms": 32, "promoted": 128}}}
# What a reader of "FP8 with f32 accumulation" believes.
BINARY32 = {"arithmetic": {"accumulator": {"bits": 24}}}


@paranoia.kernel(precision="e4m3-f32", claims=BINARY32, **ON_GPU)
def fast_as_f32(a, b):
    return scaled(a, b, fast=True)


@paranoia.kernel(precision="e4m3-f32", claims=FAST, **ON_GPU)
def fast(a, b):
    return scaled(a, b, fast=True)


@paranoia.kernel(precision="e4m3-f32", claims=BINARY32, **ON_GPU)
def slow_as_f32(a, b):
    return scaled(a, b, fast=False)


@paranoia.kernel(precision="e4m3-f32", claims=SLOW, **ON_GPU)
def slow(a, b):
    return scaled(a, b, fast=False)


@paranoia.kernel(precision="e4m3-f32-bf16", claims=FAST, **ON_GPU)
def fast_bf16(a, b):
    return scaled(a, b, fast=True, out=torch.bfloat16)


@paranoia.kernel(precision="e4m3-f32-bf16", claims=SLOW, **ON_GPU)
def slow_bf16(a, b):
    return scaled(a, b, fast=False, out=torch.bfloat16)


@paranoia.kernel(precision="e4m3-tensor", **ON_GPU)
def tensor_fast(a, b, factors):
    return scaled(a, b, fast=True, scales=of_tensor(factors))


@paranoia.kernel(precision="e4m3-tensor", **ON_GPU)
def tensor_slow(a, b, factors):
    return scaled(a, b, fast=False, scales=of_tensor(factors))


# Results of f32 are refused with factors of rows and blocks on some versions: the error says so.
@paranoia.kernel(precision="e4m3-row", **ON_GPU)
def row_fast(a, b, factors):
    return scaled(a, b, fast=True, scales=of_rows(factors))


@paranoia.kernel(precision="e4m3-row", **ON_GPU)
def row_slow(a, b, factors):
    return scaled(a, b, fast=False, scales=of_rows(factors))


@paranoia.kernel(precision="e4m3-row-f32-bf16", **ON_GPU)
def row_fast_bf16(a, b, factors):
    return scaled(a, b, fast=True, scales=of_rows(factors), out=torch.bfloat16)


@paranoia.kernel(precision="e4m3-row-f32-bf16", **ON_GPU)
def row_slow_bf16(a, b, factors):
    return scaled(a, b, fast=False, scales=of_rows(factors), out=torch.bfloat16)


@paranoia.kernel(precision="e4m3-block", **ON_GPU)
def block(a, b, factors):
    return scaled(a, b, fast=False, scales=of_blocks(factors), tile=128)


@paranoia.kernel(precision="e4m3-block", **ON_GPU)
def block_512(a, b, factors):
    """With zeros up to four blocks of k: cuBLASLt takes columns of four factors of B, whatever PyTorch hands it."""
    return scaled(a, b, fast=False, scales=of_blocks(factors), tile=128, depth=512)


@paranoia.kernel(precision="e4m3-block-f32-bf16", **ON_GPU)
def block_bf16(a, b, factors):
    return scaled(a, b, fast=False, scales=of_blocks(factors), tile=128, out=torch.bfloat16)


@paranoia.kernel(precision="int8-i32", **ON_GPU)
def int_mm(a, b):
    (m, k), n = a.shape, b.shape[1]
    x = filled(a, up(max(m, 17), 32), up(k, 16)).to(torch.int8)
    y = filled(b.t(), up(n, 16), up(k, 16)).to(torch.int8)
    return torch._int_mm(x, y.t())[:m, :n].to(torch.float64)


@paranoia.kernel(precision="int8-row", **ON_GPU)
def int_mm_row(a, b, factors):
    """As libraries quantise: the product of integers, then the factors of rows and columns."""
    sa, sb = (factors[side]["scales"][0].float().reshape(-1, 1) for side in "ab")
    return int_mm(a, b).to(torch.float32) * sa * sb.t()


def matmul(a, b, kind, reduced):
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = reduced
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = reduced
    return (a.to(kind) @ b.to(kind)).to(torch.float32)


@paranoia.kernel(precision="bf16-f32-bf16", **ON_GPU)
def bf16_reduced(a, b):
    return matmul(a, b, torch.bfloat16, True)


@paranoia.kernel(precision="bf16-f32-bf16", **ON_GPU)
def bf16_not_reduced(a, b):
    return matmul(a, b, torch.bfloat16, False)


@paranoia.kernel(precision="f16-f32-f16", **ON_GPU)
def f16_reduced(a, b):
    return matmul(a, b, torch.float16, True)


@paranoia.kernel(precision="f16-f32-f16", **ON_GPU)
def f16_not_reduced(a, b):
    return matmul(a, b, torch.float16, False)


# Parts of k, each rounded to the format of results, and added in f32 or in that format.
def in_parts(kind, **more):
    return {"order": "split-k", "parts": 32, "partialSums": {"format": kind, **more}}


@paranoia.kernel(precision="bf16-f32-bf16", claims=in_parts("bf16", added="bf16"), **ON_GPU)
def bf16_in_parts(a, b):
    return matmul(a, b, torch.bfloat16, True)


@paranoia.kernel(precision="bf16-f32-bf16", claims=in_parts("bf16"), **ON_GPU)
def bf16_added_in_f32(a, b):
    return matmul(a, b, torch.bfloat16, True)


@paranoia.kernel(precision="f16-f32-f16", claims=in_parts("f16", added="f16"), **ON_GPU)
def f16_in_parts(a, b):
    return matmul(a, b, torch.float16, True)


@paranoia.kernel(precision="f16-f32-f16", claims=in_parts("f16"), **ON_GPU)
def f16_added_in_f32(a, b):
    return matmul(a, b, torch.float16, True)
