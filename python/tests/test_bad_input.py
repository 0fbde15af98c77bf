"""Arguments that fit no product: each is refused in one sentence, and none passes."""

import numpy as np
import pytest

import gemm_paranoia as paranoia

A, B = np.ones((3, 4), "f4"), np.ones((4, 2), "f4")
D = A @ B

REFUSED = {
    "inner sizes": (lambda: (D, A, B[:3]), {}, "A has 4 columns and B 3 rows."),
    "outer sizes": (lambda: (D[:2], A, B), {}, r"D is \(2, 2\), and A·B of \(3, 4\) by \(4, 2\) is \(3, 2\)."),
    "transposed": (lambda: (D.T.copy(), A, B), {}, r"D is \(2, 3\)"),
    "batches": (lambda: (D, np.ones((2, 3, 4), "f4"), np.ones((3, 4, 2), "f4")), {}, "The batches do not match"),
    "batch of D": (lambda: (D, np.ones((2, 3, 4), "f4"), B), {}, r"is \(2, 3, 2\)"),
    "same count of another batch": (
        lambda: (np.ones((3, 2, 3, 2), "f4"), np.ones((2, 3, 3, 4), "f4"), B),
        {},
        r"D is \(3, 2, 3, 2\)",
    ),
    "vector": (lambda: (D, A[0], B), {}, r"A has shape \(4,\): a matrix is needed"),
    "no rows": (lambda: (D[:0], A[:0], B), {}, r"D has shape \(0, 2\): it has no entries to check."),
    "no columns": (lambda: (D[:, :0], A, B[:, :0]), {}, "no entries"),
    "no batch": (lambda: (D[None][:0], A[None][:0], B), {}, "no entries"),
    "D is A": (lambda: (SQUARE, SQUARE, SQUARE.copy()), {}, "D shares memory with A"),
    "D is a view of B": (lambda: (SQUARE.T, SQUARE.copy(), SQUARE), {}, "D shares memory with B"),
    "D is C": (lambda: (D, A, B), {"c": D, "beta": 1}, "D shares memory with C"),
    "uint8": (lambda: (D, A.astype("u1"), B.astype("u1")), {}, "A has entries of type uint8, which may be fp8"),
    "int64": (lambda: (D, A.astype("i8"), B), {}, "A has entries of type int64"),
    "complex": (lambda: (D, A.astype("c8"), B), {}, "entries of type complex64"),
    "objects": (lambda: (D, A.astype(object), B), {}, "entries of type object"),
    "text": (lambda: (D, "abc", B), {}, "entries of type str"),
    "nothing": (lambda: (None, A, B), {}, "D has entries of type object"),
    "masked": (lambda: (D, np.ma.masked_array(A, A > 0), B), {}, "A is a masked array"),
    "mixed types": (lambda: (D.astype("f8"), A, B), {}, "No precision has A in f32, B in f32 and D in f64."),
    "unknown precision": (lambda: (D, A, B), {"precision": "f31"}, 'Unknown precision "f31"'),
    "wrong claim": (lambda: (D, A, B), {"claims": {"order": "pair-wise"}}, "must be one of"),
    "claims as text": (lambda: (D, A, B), {"claims": "pairwise"}, "claims is 'pairwise': a dict is needed"),
    "claims of NaN": (lambda: (D, A, B), {"claims": {"order": float("nan")}}, "claims is no JSON"),
    "sigmas": (lambda: (D, A, B), {"sigmas": 0}, "sigmas is 0: a number above 0 is needed"),
    "alpha of NaN": (lambda: (D, A, B), {"alpha": float("nan")}, "alpha is nan: a finite number is needed"),
    "complex alpha": (lambda: (D, A, B), {"alpha": 1j}, "alpha is 1j: a real number is needed"),
    "beta alone": (lambda: (D, A, B), {"beta": 1}, "beta=1 multiplies c, which is missing"),
    "bias and C": (lambda: (D, A, B), {"c": D.copy(), "bias": D[0]}, "bias excludes c and beta"),
    "long bias": (lambda: (D, A, B), {"bias": np.ones(3, "f4")}, "D has 2 columns"),
    "shape of C": (lambda: (D, A, B), {"c": D[:1].copy(), "beta": 1}, r"C is \(1, 2\), and D is \(3, 2\)"),
}
SQUARE = np.eye(3, dtype="f4")


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name):
    given, terms, sentence = REFUSED[name]
    with pytest.raises((TypeError, ValueError), match=sentence) as caught:
        paranoia.assert_matmul(*given(), **terms)
    assert not isinstance(caught.value, AssertionError)
    assert "\n" not in str(caught.value) and "--" not in str(caught.value)


@pytest.mark.parametrize(
    "given, sentence",
    [
        ({}, "tolerance needs k, or else a and b"),
        ({"k": 3, "a": A, "b": B}, "tolerance needs k"),
        ({"a": A}, "tolerance needs k"),
        ({"k": 0}, "k is 0: a whole number of at least 1"),
        ({"k": 2.5}, "k is 2.5"),
        ({"a": A.astype("f2"), "b": B.astype("f2")}, "several kernels take"),
        ({"a": A[None], "b": B}, "one matrix is needed"),
        ({"k": 3, "precision": "f31"}, "Unknown precision"),
    ],
)
def test_tolerance_refuses(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        paranoia.tolerance(**given)


def test_the_session_goes_on_after_a_refusal():
    with pytest.raises(ValueError):
        paranoia.assert_matmul(D, A, B, precision="f31")
    paranoia.assert_matmul(D, A, B)
