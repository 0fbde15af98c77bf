"""llama.cpp's products of quantised weights: ggml_mul_mat of q4_0 and q8_0 by activations in f32, on the processor.

GGML names a folder that has libggml-base.so and libggml-cpu-….so, such as node_modules/@node-llama-cpp/linux-x64/bins/linux-x64 of
npm; GGML_CPU the second's name. ggml rounds activations to blocks of 32 whole numbers of 8 bits (q8_0) before it multiplies.
"""
import ctypes
import os

import numpy
import paranoia

F32, Q4_0, Q8_0 = 0, 2, 8
BLOCK = 32


class Init(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("memory", ctypes.c_void_p), ("no_alloc", ctypes.c_bool)]


class Ggml:
    def __init__(self):
        folder = os.environ.get("GGML", ".")
        self.base = ctypes.CDLL(os.path.join(folder, "libggml-base.so"), mode=ctypes.RTLD_GLOBAL)
        self.cpu = ctypes.CDLL(os.path.join(folder, os.environ.get("GGML_CPU", "libggml-cpu-haswell.so")))
        for name in ("ggml_init", "ggml_new_tensor_2d", "ggml_mul_mat", "ggml_new_graph", "ggml_get_data"):
            getattr(self.base, name).restype = ctypes.c_void_p
        self.base.ggml_init.argtypes = [Init]
        self.cpu.ggml_cpu_init()

    def multiply(self, weights, kind, a, n):
        """D (m × n) of A (m × k, f32) and the bytes of B's columns, each k entries in blocks."""
        m, k = a.shape
        size = len(weights) + 8 * a.nbytes + 8 * m * n + 16 * k * (m + n) + (1 << 24)
        context = ctypes.c_void_p(self.base.ggml_init(Init(size, None, False)))
        if not context:
            raise MemoryError(f"ggml_init refuses {size} bytes")
        try:
            new = lambda type_, rows: ctypes.c_void_p(self.base.ggml_new_tensor_2d(context, type_, ctypes.c_int64(k), ctypes.c_int64(rows)))
            w, x = new(kind, n), new(F32, m)
            a = numpy.ascontiguousarray(a, numpy.float32)
            ctypes.memmove(self.base.ggml_get_data(w), weights, len(weights))
            ctypes.memmove(self.base.ggml_get_data(x), a.ctypes.data, a.nbytes)
            d = ctypes.c_void_p(self.base.ggml_mul_mat(context, w, x))
            graph = ctypes.c_void_p(self.base.ggml_new_graph(context))
            self.base.ggml_build_forward_expand(graph, d)
            status = self.cpu.ggml_graph_compute_with_ctx(context, graph, 1)
            if status != 0:
                raise RuntimeError(f"ggml_graph_compute answers {status}")
            out = numpy.empty((m, n), numpy.float32)
            ctypes.memmove(out.ctypes.data, self.base.ggml_get_data(d), out.nbytes)
            return out
        finally:
            self.base.ggml_free(context)


made = []


def library():
    if not made:
        made.append(Ggml())
        made[0].base.ggml_get_data.argtypes = [ctypes.c_void_p]
        made[0].base.ggml_free.argtypes = [ctypes.c_void_p]
    return made[0]


def padded(x, k):
    out = numpy.zeros((x.shape[0], k), x.dtype)
    out[:, : x.shape[1]] = x
    return out


def product(a, b, factors, kind):
    (m, k), n = a.shape, b.shape[1]
    terms = -(-k // BLOCK) * BLOCK
    whole = padded(b.T, terms).astype(numpy.int8).reshape(n, terms // BLOCK, BLOCK)
    scale = factors["b"]["scales"][0].astype(numpy.float16).reshape(n, terms // BLOCK, 1)
    if kind == Q4_0:
        # The first half of a block lies in the low nibbles.
        nibbles = (whole + 8).astype(numpy.uint8)
        quants = nibbles[:, :, :16] | nibbles[:, :, 16:] << 4
    else:
        quants = whole.view(numpy.uint8)
    weights = numpy.concatenate([scale.view(numpy.uint8), quants], axis=2).tobytes()
    return library().multiply(weights, kind, padded(a, terms), n)


@paranoia.kernel(precision="q4_0")
def q4_0(a, b, factors):
    return product(a, b, factors, Q4_0)


@paranoia.kernel(precision="q8_0")
def q8_0(a, b, factors):
    return product(a, b, factors, Q8_0)
