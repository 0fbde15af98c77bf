"""Checks of matrix products: each entry against the exact one, within what a correct kernel may err.

    import gemm_paranoia as paranoia

    paranoia.assert_matmul(d, a, b)
"""

from ._checks import MatmulError, Tolerance, assert_matmul, exact_matmul, tolerance
from ._judge import judge
from ._kernel import kernel
from ._session import SessionError

__all__ = [
    "MatmulError",
    "SessionError",
    "Tolerance",
    "assert_matmul",
    "exact_matmul",
    "judge",
    "kernel",
    "tolerance",
]
