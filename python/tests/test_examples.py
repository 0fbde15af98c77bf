"""The examples: the six tests of docs/how-to/replace-assert-close.md, on their first product of an honest and of a wrong kernel; a GPU's."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "replace_assert_close"))

import tiled_product as product  # noqa: E402
from measure import measured, passes, table_of  # noqa: E402
from six_tests import EXAMPLES  # noqa: E402

#: A wrong kernel of each, whether the project's own comparison passes it, and whether assert_matmul does.
WRONG = [
    ("llama.cpp", "one entry without its last 32 terms", True, False),
    ("TileOPs", "last term of each sum lost", False, False),
    ("HipKittens", "result truncated to bf16", True, False),
    ("ONNX Runtime, f16", "sums in f16", True, False),
    ("ONNX Runtime, f32", "sums truncated", True, False),
    ("TensorFlow.js", "sums in f16", True, True),
    ("TensorFlow.js, drawn", "sums in f16", False, False),
    ("NumPy", "sums truncated", True, False),
]


def test_each_example_is_tried():
    assert [name for name, *_ in WRONG] == list(EXAMPLES)


@pytest.mark.parametrize(("name", "kernel", "before", "after"), WRONG)
def test_an_honest_kernel_passes_and_a_wrong_one_as_the_page_says(name, kernel, before, after):
    example = EXAMPLES[name]
    a, b = example.draw(0)
    own = list(example.before.values())[-1]
    honest, wrong = example.honest(a, b), example.wrong[kernel](a, b)
    assert [passes(how, honest, a, b) for how in (own, example.after)] == [True, True]
    assert [passes(how, wrong, a, b) for how in (own, example.after)] == [before, after]


def test_the_tolerance_of_hipkittens_before_its_repair_fails_an_honest_kernel():
    example = EXAMPLES["HipKittens"]
    a, b = example.draw(0)
    assert not passes(example.before["rtol 1e-2, atol 1e-8"], example.honest(a, b), a, b)


def test_a_table_has_a_row_per_kernel():
    rows = measured(EXAMPLES["TensorFlow.js"])
    assert table_of("TensorFlow.js", rows).splitlines()[2:5] == [
        "| kernel | atol 1e-3 | `assert_matmul` |",
        "| --- | --- | --- |",
        "| honest | 1 of 1 | 1 of 1 |",
    ]


def test_formats_round_as_their_names_say():
    above = np.float32(1 + 2**-8 + 2**-20)
    assert product.bf16(np.array([above, 1 + 2**-8, -above], "f4")).tolist() == [1 + 2**-7, 1, -1 - 2**-7]
    assert product.tf32(np.array([1 + 2**-11 + 2**-20, 1 + 2**-11], "f4")).tolist() == [1 + 2**-10, 1]
    assert product.truncated_to_bf16(np.array([above, -above], "f4")).tolist() == [1, -1]
    assert product.truncated_to_f16(np.array([1 + 2**-11 + 2**-20, -1.5], "f4")).tolist() == [1, -1.5]
    assert product.truncated_sum(np.float32([1, -1]), np.float32([2**-24 + 2**-30, -(2**-24)])).tolist() == [1, -1]


def test_products_on_a_gpu_name_what_is_absent():
    folder = Path(__file__).resolve().parents[1] / "examples" / "gpu_matmul"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    for library, name in {"torch": "PyTorch", "cupy": "CuPy", "jax": "JAX"}.items():
        if importlib.util.find_spec(library) is None:
            assert f"{name} is not installed" in done.stdout
