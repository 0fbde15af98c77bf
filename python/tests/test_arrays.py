"""Arrays of other libraries, where they are installed."""

import numpy as np
import pytest

import gemm_paranoia as paranoia


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"])
def test_ml_dtypes(pair, dtype):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a, b = (x.astype(getattr(ml_dtypes, dtype)) for x in pair(9, 33, 7))
    # The precision bf16-f32 has other rules for its sums, so that bfloat16 is tried with results of its own.
    d = (a.astype("f4") @ b.astype("f4")).astype(a.dtype if dtype == "bfloat16" else "f4")
    paranoia.assert_matmul(d, a, b)
    wrong = (d.astype("f4") + 1).astype(d.dtype)
    with pytest.raises(paranoia.MatmulError, match="--dtype") as caught:
        paranoia.assert_matmul(wrong, a, b)
    from test_assert_matmul import replayed

    done = replayed(caught.value)
    assert done.returncode == 1, done.stderr


def test_bytes_are_what_the_precision_says(pair):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a, b = (x.astype(ml_dtypes.float8_e4m3fn) for x in pair(9, 33, 7))
    d = a.astype("f4") @ b.astype("f4")
    paranoia.assert_matmul(d, a.view("u1"), b.view("u1"), precision="e4m3-f32")
    with pytest.raises(paranoia.MatmulError):
        paranoia.assert_matmul(d, a.view("u1"), b.view("u1"), precision="e5m2-f32")


def test_unsigned_bytes_may_be_whole_numbers():
    a, b = np.array([[200, 3]], "u1"), np.array([[-5], [7]], "i1")
    paranoia.assert_matmul(np.array([[-979]], "i4"), a, b, precision="uint8-i32")


def test_jax(pair):
    jnp = pytest.importorskip("jax.numpy")
    a, b = (jnp.asarray(x) for x in pair(9, 33, 7))
    paranoia.assert_matmul(np.asarray(a) @ np.asarray(b), a, b)
    half, other = a.astype("bfloat16"), b.astype("bfloat16")
    paranoia.assert_matmul((half.astype("float32") @ other.astype("float32")).astype("bfloat16"), half, other)


def test_torch(pair):
    torch = pytest.importorskip("torch")
    a, b = (torch.from_numpy(x) for x in pair(9, 33, 7))
    paranoia.assert_matmul(a @ b, a.requires_grad_(), b)
    half, other = a.detach().bfloat16(), b.bfloat16()
    paranoia.assert_matmul(half @ other, half, other)
    paranoia.assert_matmul((half @ other).t(), other.t(), half.t())
    eight = b.to(torch.float8_e4m3fn)
    paranoia.assert_matmul(eight.t().float() @ eight.float(), eight.t(), eight)
    square = torch.eye(4)
    with pytest.raises(ValueError, match="D shares memory with A"):
        paranoia.assert_matmul(square.t(), square, square.clone())
    with pytest.raises(TypeError, match="A is a sparse tensor"):
        paranoia.assert_matmul(square, square.to_sparse(), square)
