"""cuBLAS's f64 of integer slices and f32 of nine bfloat16 products, by ctypes, asked for eagerly.

python3 emulation.py prints what each call answers, and whether its bits are those of the native product.
"""
import ctypes

import paranoia
import torch

ON_GPU = {"array": "torch", "device": "cuda"}
# cublas_api.h of CUDA 13: cublasComputeType_t, cudaDataType, cublasEmulationStrategy_t.
COMPUTE = {"f32": 68, "f32_bf16x9": 78, "f64": 70, "f64_fixed": 79}
TYPES = {torch.float32: 0, torch.float64: 1}
EAGER = 2


def library():
    for name in ("libcublas.so.13", "libcublas.so"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if "libcublas.so" in line}
    return ctypes.CDLL(paths.pop())


class Cublas:
    def __init__(self):
        # PyTorch loads its own cuBLAS.
        torch.ones(2, 2, device="cuda") @ torch.ones(2, 2, device="cuda")
        self.library = library()
        self.handle = ctypes.c_void_p()
        self.check("cublasCreate", self.library.cublasCreate_v2(ctypes.byref(self.handle)))
        self.strategy = self.library.cublasSetEmulationStrategy(self.handle, EAGER)

    def check(self, name, status):
        if status != 0:
            self.library.cublasGetStatusString.restype = ctypes.c_char_p
            said = self.library.cublasGetStatusString(status)
            raise RuntimeError(f"{name} answers {status}: {said.decode() if said else 'no words'}")

    def multiply(self, a, b, compute):
        (m, k), n = a.shape, b.shape[1]
        a, b = a.contiguous(), b.contiguous()
        d = torch.empty(m, n, dtype=a.dtype, device="cuda")
        kind = TYPES[a.dtype]
        scalar = ctypes.c_double if a.dtype == torch.float64 else ctypes.c_float
        one, zero = scalar(1), scalar(0)
        at = lambda x: ctypes.c_void_p(x.data_ptr())
        self.check("cublasSetStream", self.library.cublasSetStream_v2(self.handle, ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)))
        # Columns of cuBLAS are rows here: D^T = B^T A^T.
        status = self.library.cublasGemmEx(
            self.handle, 0, 0, n, m, k, ctypes.byref(one), at(b), kind, n, at(a), kind, k, ctypes.byref(zero), at(d), kind, n, COMPUTE[compute], -1
        )
        self.check(f"cublasGemmEx ({compute})", status)
        torch.cuda.synchronize()
        return d


made = []


def cublas():
    if not made:
        made.append(Cublas())
    return made[0]


@paranoia.kernel(precision="f64", **ON_GPU)
def f64_fixed(a, b):
    return cublas().multiply(a, b, "f64_fixed")


@paranoia.kernel(precision="f32", **ON_GPU)
def f32_bf16x9(a, b):
    return cublas().multiply(a, b, "f32_bf16x9")


def main():
    library = cublas()
    version = ctypes.c_int()
    library.library.cublasGetVersion_v2(library.handle, ctypes.byref(version))
    print("cuBLAS", version.value, "on", torch.cuda.get_device_name(0), "; cublasSetEmulationStrategy(eager) answers", library.strategy)
    torch.manual_seed(1)
    for size in (64, 512, 2048):
        for kind, native, emulated in ((torch.float64, "f64", "f64_fixed"), (torch.float32, "f32", "f32_bf16x9")):
            a, b = (torch.randn(size, size, dtype=kind, device="cuda") for _ in "ab")
            try:
                right, found = library.multiply(a, b, native), library.multiply(a, b, emulated)
                same = int((right == found).sum())
                print(f"{emulated} {size}: {same} of {size * size} entries are those of {native}, largest difference {float((right - found).abs().max()):.3g}")
            except RuntimeError as error:
                print(f"{emulated} {size}: {error}")


if __name__ == "__main__":
    main()
