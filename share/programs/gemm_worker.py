#!/usr/bin/env python3
"""Matrix products of NumPy or PyTorch, requested over standard input.

A request is a line of JSON, {"id":1,"problem":{"m":2,"k":3,"n":4,...},"a":152,"b":176}. The a bytes of A.npy and the b bytes
of B.npy follow it and, if beta is not 0, the c bytes of C.npy. The answer is a line {"id":1,"d":160}, followed by the d bytes
of D.npy, or {"id":1,"error":"why"}. {"ping":1} is answered {"pong":1}. The first line of output is
{"ready":true,"versions":{...},"pings":true}, or {"ready":false,"error":"why"} if it cannot multiply. It ends with its
standard input. A request with "time":{"trials":...,"warmUp":...,"most":...} repeats the product; no trial begins after "most"
seconds. Its answer also has "seconds", the time of each trial with the matrices in place, and "gpu".

The product is D = alpha*op(A)*op(B) + beta*C, "batch" times. A file of one dimension is the memory of a matrix or of a batch,
as "problem" describes, with NaN in its gaps. The library gets a view of it, with strides of 0 if all products share a matrix.
NumPy multiplies by alpha and adds beta*C afterwards, in the dtype; PyTorch's addmm and baddbmm get both. If alpha or k is 0,
A and B are not read. D.npy is m x n, or batch x m x n unless batch is 1.

  gemm_worker.py --library numpy --dtype f16|f32|f64|c32|c64
  gemm_worker.py --library torch --device cpu   --dtype f16|f32|f64|c32|c64
  gemm_worker.py --library torch --device cuda  --dtype f16|f32|f64|c32|c64|hgemm|tf32|f16-f32|bf16-f32

Further dtypes; entries that a format does not hold are rounded to nearest:
  hgemm     f16, and cuBLAS may sum in f16 too; with f16 it sums in f32 and rounds D once
  tf32      f32 entries, which the tensor cores read as TF32; sums, C and D in f32
  f16-f32   entries of A and B rounded to f16; sums, C and D in f32
  bf16-f32  entries of A and B rounded to bf16; sums, C and D in f32
"""

import argparse
import sys
import time

# Bytecode must not be written into the folder of a package.
sys.dont_write_bytecode = True
from paranoia import conjugated, factors_in, output, serve, view  # noqa: E402


def numpy_product(dtype):
    """Returns the library that computes products, and versions."""
    import numpy

    kinds = {"f16": numpy.float16, "f32": numpy.float32, "f64": numpy.float64}
    kinds = {**kinds, "c32": numpy.complex64, "c64": numpy.complex128}
    kind = named(kinds, dtype)

    def place(x, lies, is_sum):
        x = x.astype(kind, copy=False)
        if lies is None:
            return x
        shape, strides, offset = lies
        strides = [x.itemsize * step for step in strides]
        return numpy.lib.stride_tricks.as_strided(x[offset:], shape, strides, writeable=False)

    def multiply(shape, alpha, a, b, beta, c):
        if a is None:
            return numpy.zeros(shape, kind) if c is None else kind(beta) * c
        d = numpy.matmul(a, b)
        if alpha != 1:
            d *= kind(alpha)
        if c is not None:
            d += kind(beta) * c
        return d

    library = Library(place, multiply, lambda d: d, clock)
    return library, {"python": sys.version.split()[0], "numpy": numpy.__version__, **numpy_blas(numpy)}


class Library:
    """A library for products: it converts arrays or views of them, multiplies, and converts D back."""

    def __init__(self, place, multiply, fetch, timed, gpu=False):
        self.place, self.multiply, self.fetch, self.timed, self.gpu = place, multiply, fetch, timed, gpu

    def product(self, problem, a, b, c=None, trials=0, warm_up=0, most=0.0):
        """Returns D, and the seconds of each trial. Without trials it multiplies once."""
        m, k, n, batch = (problem[name] for name in ("m", "k", "n", "batch"))
        alpha, beta = factors_in(problem)
        a_lies, b_lies = view(a, problem["a"], batch, m, k), view(b, problem["b"], batch, k, n)
        is_read = alpha != 0 and k != 0
        a, b = (self.place(a, a_lies, False), self.place(b, b_lies, False)) if is_read else (None, None)
        if is_read:
            a, b = conjugated(a, problem["a"]), conjugated(b, problem["b"])
        c = None if beta == 0 else self.place(c, view(c, problem["c"], batch, m, n), True)
        shape = (m, n) if batch == 1 else (batch, m, n)

        def once():
            return self.multiply(shape, alpha, a, b, beta, c)

        d = once()
        for _ in range(warm_up - 1 if trials else 0):
            d = once()
        seconds = []
        end = time.perf_counter() + most
        while len(seconds) < trials and (len(seconds) < FEWEST or time.perf_counter() < end):
            seconds.append(self.timed(once))
        return self.fetch(d), seconds

    def answer(self, problem, arrays, time):
        """Returns D, and further fields of the answer."""
        times = (time.get(name, 0) for name in ("trials", "warmUp", "most"))
        d, seconds = self.product(problem, *arrays[:2], arrays[2] if len(arrays) > 2 else None, *times)
        return d, {"seconds": seconds, "gpu": self.gpu} if seconds else {}


# Minimum number of trials, without a time limit.
FEWEST = 5


def clock(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def cuda_clock(torch):
    """Times work between two events of the GPU, which excludes the launch and the wait."""

    def timed(work):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        begin.record()
        work()
        end.record()
        torch.cuda.synchronize()
        return begin.elapsed_time(end) / 1000

    return timed


def named(kinds, dtype):
    if dtype not in kinds:
        raise RuntimeError(f"unknown dtype {dtype}. Known: {', '.join(kinds)}")
    return kinds[dtype]


def numpy_blas(numpy):
    try:
        blas = numpy.show_config(mode="dicts")["Build Dependencies"]["blas"]
        return {"blas": f"{blas['name']} {blas['version']}"}
    except Exception:  # The description of a build differs between versions of NumPy.
        return {}


def torch_product(dtype, device):
    """Returns the library that computes products, and versions."""
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        raise RuntimeError(f"PyTorch {torch.__version__} found no CUDA device")
    kinds = {"f16": torch.float16, "f32": torch.float32, "f64": torch.float64}
    kinds = {**kinds, "c32": torch.complex64, "c64": torch.complex128}
    if device == "cuda":
        halves = {"hgemm": torch.float16, "f16-f32": torch.float16, "bf16-f32": torch.bfloat16}
        kinds = {**kinds, **halves, "tf32": torch.float32}
        choose_cuda_sums(torch, dtype)
    stored = named(kinds, dtype)
    summed = torch.float32 if dtype in ("f16-f32", "bf16-f32") else stored
    wide = {"out_dtype": summed} if summed != stored else {}
    # Placeholder for a C that beta = 0 keeps from being read.
    unread = torch.full((), float("nan"), device=device, dtype=summed)

    def place(x, lies, is_sum):
        x = torch.from_numpy(x).to(device=device, dtype=summed if is_sum else stored)
        return x if lies is None else torch.as_strided(x, *lies)

    def multiply(shape, alpha, a, b, beta, c):
        if a is None:
            return torch.zeros(shape, device=device, dtype=summed) if c is None else beta * c
        plain, scaled = (torch.mm, torch.addmm) if len(shape) == 2 else (torch.bmm, torch.baddbmm)
        if alpha == 1 and c is None:
            return plain(a, b, **wide)
        return scaled(unread.expand(shape) if c is None else c, a, b, **wide, beta=beta, alpha=alpha)

    timed = cuda_clock(torch) if device == "cuda" else clock
    library = Library(place, multiply, lambda d: d.cpu().numpy(), timed, device == "cuda")

    if wide:
        try:
            torch.mm(*(torch.ones(16, 16, device=device, dtype=stored) for _ in range(2)), **wide)
        except TypeError as error:
            raise RuntimeError(f"PyTorch {torch.__version__} cannot return D in f32; this needs 2.8 or later") from error

    return library, {"python": sys.version.split()[0], **torch_versions(torch, device)}


def choose_cuda_sums(torch, dtype):
    """Sets every switch that decides the rounding of cuBLAS, so that none has its default."""
    matmul = torch.backends.cuda.matmul
    matmul.allow_tf32 = dtype == "tf32"
    # Permission to add partial sums over k in the format of entries.
    matmul.allow_fp16_reduced_precision_reduction = dtype == "hgemm"
    matmul.allow_bf16_reduced_precision_reduction = False
    if hasattr(matmul, "allow_fp16_accumulation"):
        matmul.allow_fp16_accumulation = dtype == "hgemm"
    elif dtype == "hgemm":
        raise RuntimeError(f"PyTorch {torch.__version__} cannot sum in f16; this needs 2.7 or later")


def torch_versions(torch, device):
    versions = {"torch": torch.__version__}
    if device == "cpu":
        return versions
    versions["CUDA"] = str(torch.version.cuda)
    versions["device"] = torch.cuda.get_device_name()
    cublas = cublas_version()
    if cublas is not None:
        versions["cuBLAS"] = cublas
    return versions


def cublas_version():
    """Returns the version of the cuBLAS that PyTorch has loaded; None if it is unknown."""
    import ctypes

    try:
        with open("/proc/self/maps", encoding="utf8") as maps:
            paths = {line.split()[-1] for line in maps if "libcublas.so" in line}
        library = ctypes.CDLL(paths.pop())
        # MAJOR_VERSION, MINOR_VERSION and PATCH_LEVEL of the enumeration libraryPropertyType.
        parts = [ctypes.c_int() for _ in range(3)]
        for kind, part in enumerate(parts):
            if library.cublasGetProperty(kind, ctypes.byref(part)) != 0:
                return None
        return ".".join(str(part.value) for part in parts)
    except (OSError, KeyError, AttributeError):
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", dest="package", required=True, choices=["numpy", "torch"])
    parser.add_argument("--dtype", required=True)
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    options = parser.parse_args()

    say = output()

    try:
        made = numpy_product(options.dtype) if options.package == "numpy" else torch_product(options.dtype, options.device)
        library, versions = made
    except ImportError as error:
        title = {"numpy": "NumPy", "torch": "PyTorch"}[options.package]
        install = f"Run: {sys.executable} -m pip install {options.package}"
        return say({"ready": False, "error": f"{sys.executable} has no {title} ({error}). {install}"})
    except Exception as error:
        return say({"ready": False, "error": f"{error}"})
    serve(say, versions, library.answer)


if __name__ == "__main__":
    main()
