"""Time assert_matmul beside NumPy's assert_allclose and a float64 product: python3 warm.py"""

import statistics
import time

import numpy as np
from gemm_paranoia import assert_matmul


def median_ms(call, runs):
    """Return the median and the least time of a call, in milliseconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - start))
    return f"{statistics.median(times):.3g} ({min(times):.3g})"


for n, runs in ((64, 60), (256, 30), (1024, 15)):
    random = np.random.default_rng(1)
    a, b = (random.uniform(-1, 1, (n, n)).astype(np.float32) for _ in "ab")
    d = a @ b
    for _ in range(3):
        assert_matmul(d, a, b)
    ways = {
        "assert_matmul": lambda: assert_matmul(d, a, b),
        "assert_allclose of a new product": lambda: np.testing.assert_allclose(d, a @ b, rtol=1e-4, atol=1e-4),
        "float64 product": lambda: a.astype(np.float64) @ b.astype(np.float64),
    }
    for name, call in ways.items():
        print(f"n = {n}: {name}: {median_ms(call, runs)} ms")
