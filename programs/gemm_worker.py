#!/usr/bin/env python3
"""Matrix products of NumPy or PyTorch, asked for over standard input.

A request is one line of JSON, {"id":1,"problem":{"m":2,"k":3,"n":4,...},"a":152,"b":176}, followed by the a bytes of
A.npy and the b bytes of B.npy; the answer one line, {"id":1,"d":160}, followed by the d bytes of D.npy, or
{"id":1,"error":"why"}. {"ping":1} is answered {"pong":1}. It begins with {"ready":true,"versions":{...},"pings":true},
or {"ready":false,"error":"why"} where it can multiply nothing, and ends with its standard input. A request with
"time":{"trials":...,"warmUp":...,"most":...} is for the same product again and again, no trial beginning after "most"
seconds; the answer then has "seconds", a number a trial, which the product takes with its matrices in place, and "gpu".

  gemm_worker.py --library numpy --dtype f16|f32|f64
  gemm_worker.py --library torch --device cpu   --dtype f16|f32|f64
  gemm_worker.py --library torch --device cuda  --dtype f16|f32|f64|hgemm|tf32|f16-f32|bf16-f32

What the dtypes mean beside the plain ones; entries that a format does not hold are rounded to it, to nearest:
  hgemm     f16, and cuBLAS may sum in f16 too; with f16 it sums in f32 and rounds C once
  tf32      f32 entries, which the tensor cores read as TF32; sums and C in f32
  f16-f32   entries rounded to f16; sums and C in f32
  bf16-f32  entries rounded to bf16; sums and C in f32
"""

import argparse
import io
import json
import os
import sys
import time


def numpy_product(dtype):
    """What computes a product, and versions."""
    import numpy

    kinds = {"f16": numpy.float16, "f32": numpy.float32, "f64": numpy.float64}
    kind = named(kinds, dtype)

    def place(a, b):
        return a.astype(kind, copy=False), b.astype(kind, copy=False)

    library = Library(place, numpy.matmul, lambda c: c, clock)
    return library, {"python": sys.version.split()[0], "numpy": numpy.__version__, **numpy_blas(numpy)}


class Library:
    """How a library multiplies: it places two arrays, multiplies them there, and fetches the product from there."""

    def __init__(self, place, multiply, fetch, timed, gpu=False):
        self.place, self.multiply, self.fetch, self.timed, self.gpu = place, multiply, fetch, timed, gpu

    def product(self, a, b, trials=0, warm_up=0, most=0.0):
        """C, and the seconds of each trial. Without trials it is multiplied once."""
        placed = self.place(a, b)
        c = self.multiply(*placed)
        for _ in range(warm_up - 1 if trials else 0):
            c = self.multiply(*placed)
        seconds = []
        end = time.perf_counter() + most
        while len(seconds) < trials and (len(seconds) < FEWEST or time.perf_counter() < end):
            seconds.append(self.timed(lambda: self.multiply(*placed)))
        return self.fetch(c), seconds


# Trials that are made however long they take.
FEWEST = 5


def clock(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def cuda_clock(torch):
    """Times work between two events of the GPU, which sees neither the launch nor the wait."""

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
        raise RuntimeError(f"there is no dtype {dtype} here; known are {', '.join(kinds)}")
    return kinds[dtype]


def numpy_blas(numpy):
    try:
        blas = numpy.show_config(mode="dicts")["Build Dependencies"]["blas"]
        return {"blas": f"{blas['name']} {blas['version']}"}
    except Exception:  # What NumPy tells of its build differs from one version to the next.
        return {}


def torch_product(dtype, device):
    """What computes a product, and versions."""
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        raise RuntimeError(f"PyTorch {torch.__version__} finds no CUDA device")
    kinds = {"f16": torch.float16, "f32": torch.float32, "f64": torch.float64}
    if device == "cuda":
        halves = {"hgemm": torch.float16, "f16-f32": torch.float16, "bf16-f32": torch.bfloat16}
        kinds = {**kinds, **halves, "tf32": torch.float32}
        choose_cuda_sums(torch, dtype)
    stored = named(kinds, dtype)
    wide = {"out_dtype": torch.float32} if dtype in ("f16-f32", "bf16-f32") else {}

    def place(a, b):
        return tuple(torch.from_numpy(x).to(device=device, dtype=stored) for x in (a, b))

    def multiply(a, b):
        return torch.mm(a, b, **wide)

    timed = cuda_clock(torch) if device == "cuda" else clock
    library = Library(place, multiply, lambda c: c.cpu().numpy(), timed, device == "cuda")

    if wide:
        try:
            torch.mm(*(torch.ones(16, 16, device=device, dtype=stored) for _ in range(2)), **wide)
        except TypeError as error:
            raise RuntimeError(f"PyTorch {torch.__version__} cannot give C in f32; 2.8 and later can") from error

    return library, {"python": sys.version.split()[0], **torch_versions(torch, device)}


def choose_cuda_sums(torch, dtype):
    """Every switch that decides what cuBLAS rounds, so that none is left to its default."""
    matmul = torch.backends.cuda.matmul
    matmul.allow_tf32 = dtype == "tf32"
    # Whether parts of a sum over k that were computed apart may be added in the entries' format.
    matmul.allow_fp16_reduced_precision_reduction = dtype == "hgemm"
    matmul.allow_bf16_reduced_precision_reduction = False
    if hasattr(matmul, "allow_fp16_accumulation"):
        matmul.allow_fp16_accumulation = dtype == "hgemm"
    elif dtype == "hgemm":
        raise RuntimeError(f"PyTorch {torch.__version__} cannot sum in f16; 2.7 and later can")


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
    """The version of the cuBLAS that PyTorch has loaded; None where it cannot be asked."""
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


def exactly(stream, length):
    data = stream.read(length)
    if len(data) < length:
        raise EOFError(f"{length} bytes were announced, but {len(data)} came")
    return data


def answer(library, request, files):
    """D.npy, and what the answer says beside its length."""
    import numpy

    a, b = (numpy.load(io.BytesIO(file), allow_pickle=False) for file in files)
    time, problem = request.get("time", {}), request["problem"]
    d, seconds = library.product(a, b, *(time.get(name, 0) for name in ("trials", "warmUp", "most")))
    if d.shape != (problem["m"], problem["n"]):
        raise ValueError(f"D is {d.shape}")
    out = io.BytesIO()
    numpy.save(out, d, allow_pickle=False)
    return out.getvalue(), {"seconds": seconds, "gpu": library.gpu} if seconds else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", dest="package", required=True, choices=["numpy", "torch"])
    parser.add_argument("--dtype", required=True)
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    options = parser.parse_args()

    # Libraries may print: what is not an answer goes to standard error.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def say(line, tail=b""):
        out.write(json.dumps(line).encode() + b"\n" + tail)
        out.flush()

    try:
        made = numpy_product(options.dtype) if options.package == "numpy" else torch_product(options.dtype, options.device)
        library, versions = made
    except ImportError as error:
        title = {"numpy": "NumPy", "torch": "PyTorch"}[options.package]
        install = f"run: {sys.executable} -m pip install {options.package}"
        return say({"ready": False, "error": f"{sys.executable} has no {title} ({error}); {install}"})
    except Exception as error:
        return say({"ready": False, "error": f"{error}"})
    say({"ready": True, "versions": versions, "pings": True})

    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "ping" in request:
            say({"pong": request["ping"]})
            continue
        try:
            files = [exactly(sys.stdin.buffer, request[name]) for name in ("a", "b")]
            d, times = answer(library, request, files)
            say({"id": request["id"], "d": len(d), **times}, d)
        except EOFError:
            return
        except Exception as error:
            say({"id": request["id"], "error": str(error) or type(error).__name__})


if __name__ == "__main__":
    main()
