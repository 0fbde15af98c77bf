"""What PyTorch fuses behind a product on a GPU: bias and activation in cuBLASLt, compiled functions, factors of int8 sums."""

import numpy as np
import pytest

import gemm_paranoia as paranoia

SHAPES = [(129, 512, 64), (256, 1024, 128), (64, 4096, 512)]
NAMES = {"bfloat16": "bf16", "float16": "f16", "float32": "f32"}


@pytest.fixture
def drawn(torch):
    def draw(m, k, n, dtype):
        rng = np.random.default_rng([m, k, n])
        arrays = [rng.uniform(-1, 1, shape).astype(np.float32) for shape in ((m, k), (k, n), (n,))]
        a, b, row = (torch.from_numpy(x).to("cuda", getattr(torch, dtype)) for x in arrays)
        return a, b, 8 * row

    return draw


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", NAMES)
def test_relu_in_cublaslt(torch, drawn, dtype, shape):
    a, b, row = drawn(*shape, dtype)
    d = torch._addmm_activation(row, a, b)
    paranoia.assert_matmul(d, a, b, epilogue=[("bias", row), "relu"])
    with pytest.raises(paranoia.MatmulError):
        paranoia.assert_matmul(d, a, b, epilogue=["relu"])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", NAMES)
def test_gelu_in_cublaslt(torch, drawn, dtype, shape):
    a, b, row = drawn(*shape, dtype)
    d = torch._addmm_activation(row, a, b, use_gelu=True)
    # The formula by tanh, with a fast tanh.
    paranoia.assert_matmul(d, a, b, epilogue=[("bias", row), ("gelu-tanh", {"accuracy": "cuda-fast"})])
    if dtype != "bfloat16":  # In bf16 both formulas often have one rounded result.
        with pytest.raises(paranoia.MatmulError):
            paranoia.assert_matmul(d, a, b, epilogue=[("bias", row), "gelu"])


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("activation", ["gelu", "silu"])
@pytest.mark.parametrize("dtype", NAMES)
def test_linear(torch, drawn, dtype, activation, compiled):
    a, b, row = drawn(*SHAPES[0], dtype)
    functional = torch.nn.functional

    def layer(x, weights, bias):
        return getattr(functional, activation)(functional.linear(x, weights.t(), bias))

    d = (torch.compile(layer, dynamic=False) if compiled else layer)(a, b, row)
    # The layer's result is stored before the activation reads it.
    paranoia.assert_matmul(d, a, b, epilogue=[("bias", row), ("round", NAMES[dtype]), activation])


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_gated_layer(torch, drawn, dtype):
    a, b, _ = drawn(*SHAPES[1], dtype)
    kept = ("round", NAMES[dtype])

    def layer(x, weights):
        gate, up = (x @ weights).chunk(2, dim=1)
        return torch.nn.functional.silu(gate) * up

    paranoia.assert_matmul(torch.compile(layer, dynamic=False)(a, b), a, b, epilogue=[kept, "swiglu"])
    # In steps, the activated half is stored, too.
    paranoia.assert_matmul(layer(a, b), a, b, epilogue=[kept, ("swiglu", {"stored": NAMES[dtype]})])
    with pytest.raises(paranoia.MatmulError):
        paranoia.assert_matmul(layer(a, b), a, b, epilogue=[kept, "swiglu"])


def test_factors_of_int8_sums(torch):
    rng = np.random.default_rng(5)
    a, b = (
        torch.from_numpy(rng.integers(-128, 128, shape, dtype=np.int8)).cuda() for shape in ((64, 256), (256, 32))
    )
    row = torch.from_numpy(rng.uniform(0, 1e-3, 32).astype(np.float32)).cuda()
    column = torch.from_numpy(rng.uniform(0, 1, (64, 1)).astype(np.float32)).cuda()
    d = torch._int_mm(a, b).float() * row * column
    paranoia.assert_matmul(d, a, b, epilogue=[("scale", row), ("scale", column)])
    with pytest.raises(paranoia.MatmulError):
        paranoia.assert_matmul(d, a, b, epilogue=[("scale", row)])
