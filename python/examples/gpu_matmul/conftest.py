"""PyTorch with a GPU, for the tests of this folder."""

import pytest


@pytest.fixture
def torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    if not torch.cuda.is_available():
        pytest.skip("PyTorch sees no CUDA device")
    matmul = torch.backends.cuda.matmul
    matmul.allow_tf32 = False
    # By default PyTorch may add parts of k in bf16 or f16, with errors far beyond one rounding of the result.
    matmul.allow_bf16_reduced_precision_reduction = matmul.allow_fp16_reduced_precision_reduction = False
    return torch
