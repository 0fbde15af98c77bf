"""C = A·B. Put your own kernel here.

It gets arrays of NumPy; of PyTorch, JAX or CuPy where the annotation of `a` says so (a: torch.Tensor), on a GPU with
--device cuda. To promise more than a classical product in binary32:

    import paranoia  # node_modules/gemm-paranoia/share/programs/paranoia.py, found where gemm-paranoia runs this file

    @paranoia.kernel(claims={"order": "sequential"}, precision="f64", array="torch", device="cuda")
"""

import numpy as np


def matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a @ b
