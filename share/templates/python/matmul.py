"""C = A·B. Put your own kernel here.

Arrays are NumPy arrays. An annotation of `a` selects PyTorch, JAX or CuPy (a: torch.Tensor), and --device cuda a GPU.
To claim more than a classical product in binary32:

    import paranoia  # node_modules/gemm-paranoia/share/programs/paranoia.py, on the path when gemm-paranoia runs this file

    @paranoia.kernel(claims={"order": "sequential"}, precision="f64", array="torch", device="cuda")
"""

import numpy as np


def matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a @ b
