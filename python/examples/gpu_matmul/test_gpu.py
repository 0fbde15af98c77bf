"""Products on a GPU, each entry against the exact sum: PyTorch, a kernel in Triton, CuPy and JAX."""

import os

import numpy as np
import pytest

import gemm_paranoia as paranoia

# JAX would take most of the memory of the card, which PyTorch needs too.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

SHAPES = [(129, 511, 65), (256, 1024, 128), (1, 4096, 8)]

#: What a Hopper card does with fp8: 32 products at a time, in sums of 14 bits.
FP8_SUMS = {"arithmetic": {"accumulator": {"bits": 14, "terms": 32}}}


def draw(m, k, n):
    rng = np.random.default_rng([m, k, n])
    return rng.uniform(-1, 1, (m, k)).astype(np.float32), rng.uniform(-1, 1, (k, n)).astype(np.float32)


@pytest.fixture
def on_gpu(torch):
    return lambda *arrays, dtype=None: [torch.from_numpy(x).to("cuda", dtype) for x in arrays]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32", "float64"])
def test_matmul(torch, on_gpu, dtype, shape):
    a, b = on_gpu(*draw(*shape), dtype=getattr(torch, dtype))
    paranoia.assert_matmul(a @ b, a, b, sigmas=6)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
def test_transposes_and_batches(torch, on_gpu, dtype):
    a, b = on_gpu(*draw(96, 200, 64), dtype=getattr(torch, dtype))
    paranoia.assert_matmul(b.t() @ a.t(), b.t(), a.t(), sigmas=6)
    batch = torch.stack([a, -a, a.roll(1, 0)])
    paranoia.assert_matmul(batch @ b, batch, b, sigmas=6)


def test_tf32_is_not_f32(torch, on_gpu):
    if torch.cuda.get_device_capability() < (8, 0):
        pytest.skip("this card has no TF32")
    a, b = on_gpu(*draw(256, 1024, 128))
    torch.backends.cuda.matmul.allow_tf32 = True
    d = a @ b
    paranoia.assert_matmul(d, a, b, precision="tf32-f32", sigmas=6)
    # Within the bound of any kernel in f32, which grows with k, but not within its expected errors.
    with pytest.raises(paranoia.MatmulError):
        paranoia.assert_matmul(d, a, b, sigmas=6)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
def test_addmm(torch, on_gpu, dtype):
    a, b = on_gpu(*draw(129, 511, 65), dtype=getattr(torch, dtype))
    c, row = a[:, :65].contiguous(), b[0].clone()
    paranoia.assert_matmul(torch.addmm(c, a, b, beta=0.5, alpha=2), a, b, c=c, beta=0.5, alpha=2, sigmas=6)
    # A row of bf16 is added to the product after that was rounded to bf16.
    claims = {"beta": "result"} if dtype == "bfloat16" else None
    paranoia.assert_matmul(torch.addmm(row, a, b), a, b, bias=row, claims=claims, sigmas=6)
    with pytest.raises(paranoia.MatmulError):
        paranoia.assert_matmul(torch.addmm(c, a, b, beta=0.5), a, b, c=c, beta=0.5, alpha=2)


@pytest.mark.parametrize("result", ["bfloat16", "float32"])
def test_fp8(torch, on_gpu, result):
    if torch.cuda.get_device_capability() != (9, 0):
        pytest.skip("the claim is one of Hopper cards (compute capability 9.0)")
    a, b = on_gpu(*draw(256, 1024, 128), dtype=torch.float8_e4m3fn)
    b = b.t().contiguous().t()
    one = torch.ones((), device="cuda")
    d = torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=getattr(torch, result), use_fast_accum=True)
    paranoia.assert_matmul(d, a, b, claims=FP8_SUMS, sigmas=6)
    if result == "float32":
        with pytest.raises(paranoia.MatmulError):  # Sums of 24 bits would be far better.
            paranoia.assert_matmul(d, a, b, claims={"arithmetic": {"accumulator": {"bits": 24}}}, sigmas=6)


def test_tensors_on_two_devices(torch, on_gpu):
    a, b = on_gpu(*draw(8, 8, 8))
    paranoia.assert_matmul((a @ b).cpu(), a, b)
    with pytest.raises(ValueError, match="A is on cuda:0 and B on cpu"):
        paranoia.assert_matmul(a @ b, a, b.cpu())


@pytest.fixture
def matmul(torch):
    pytest.importorskip("triton", reason="Triton is not installed")
    from triton_matmul import matmul

    return matmul


@pytest.mark.parametrize("shape", [(64, 64, 64), (100, 200, 70), (256, 256, 256)])
def test_triton(torch, on_gpu, matmul, shape):
    a, b = on_gpu(*draw(*shape), dtype=torch.float16)
    paranoia.assert_matmul(matmul(a, b), a, b, sigmas=6)


def test_triton_without_the_mask_of_k(torch, on_gpu, matmul):
    a, b = on_gpu(*draw(100, 200, 70), dtype=torch.float16)
    with pytest.raises(paranoia.MatmulError):
        paranoia.assert_matmul(matmul(a, b, drop_tail=True), a, b)


def test_triton_with_sums_in_f16(torch, on_gpu, matmul):
    a, b = on_gpu(*draw(256, 256, 256), dtype=torch.float16)
    d = matmul(a, b, sums_in_f16=True)
    torch.testing.assert_close(d, a.float() @ b.float(), rtol=1e-2, atol=1e-2)
    with pytest.raises(paranoia.MatmulError):
        paranoia.assert_matmul(d, a, b)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_cupy(dtype):
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
    if not cupy.is_available():
        pytest.skip("CuPy sees no CUDA device")
    a, b = (cupy.asarray(x.astype(dtype)) for x in draw(129, 511, 65))
    d = a @ b
    paranoia.assert_matmul(d, a, b, sigmas=6)
    d[3, 5] += 1
    with pytest.raises(paranoia.MatmulError, match=r"only entry \(3, 5\)"):
        paranoia.assert_matmul(d, a, b)


def test_jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    if jax.default_backend() != "gpu":
        pytest.skip("JAX sees no GPU")
    a, b = (jax.numpy.asarray(x) for x in draw(129, 511, 65))
    paranoia.assert_matmul(jax.numpy.matmul(a, b, precision="highest"), a, b, sigmas=6)
    # Unasked, JAX multiplies f32 in TF32 where the card has it.
    paranoia.assert_matmul(a @ b, a, b, precision="tf32-f32")
    half, other = a.astype("bfloat16"), b.astype("bfloat16")
    paranoia.assert_matmul(half @ other, half, other, sigmas=6)
