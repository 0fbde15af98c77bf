"""The decorator of kernels in files."""

import pytest

import gemm_paranoia as paranoia


def test_marks_a_function_as_the_program_of_the_gate_reads_it():
    @paranoia.kernel(claims={"order": "sequential"}, precision="f16", array="torch", device="cuda", time_limit=5)
    def matmul(a, b):
        return a @ b

    assert matmul.paranoia == {
        "kernel": {"claims": {"order": "sequential"}, "precision": "f16", "timeLimit": 5},
        "array": "torch",
        "device": "cuda",
    }
    assert paranoia.kernel(lambda a, b: a).paranoia["kernel"] == {}


def test_refuses_claims_that_are_no_json():
    with pytest.raises(TypeError, match="what matmul claims or accepts is no JSON"):

        @paranoia.kernel(claims={"bits": float("nan")})
        def matmul(a, b):
            return a @ b
