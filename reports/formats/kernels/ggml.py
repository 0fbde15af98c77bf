"""llama.cpp's products of quantised weights: ggml_mul_mat of q4_0, q8_0, mxfp4, iq4_nl, q4_K and q6_K by activations in f32, on
the processor.

GGML names a folder that has libggml-base.so and libggml-cpu-….so, such as node_modules/@node-llama-cpp/linux-x64/bins/linux-x64 of
npm; GGML_CPU the second's name. ggml rounds activations to blocks of whole numbers of 8 bits before it multiplies: 32 in q8_0, 256 in
q8_K. Kernels with a name in _claimed claim that.
"""
import ctypes
import os

import numpy
import paranoia

F32, Q4_0, Q8_0, Q4_K, Q6_K, IQ4_NL, MXFP4 = 0, 2, 8, 12, 14, 20, 39
BLOCK, SUPERBLOCK = 32, 256


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


def q4_k_bytes(whole, scales, n):
    """Superblocks of q4_K: two factors in binary16, scales and minima of 6 bits, elements 32 apart in a byte."""
    count = whole.shape[1] // SUPERBLOCK
    q = whole.astype(numpy.uint8).reshape(n, count, 4, 2, 32)
    sc, low = (padded(one, 8 * count).astype(numpy.uint8).reshape(n, count, 8) for one in scales[:2])
    d, dmin = (one.astype(numpy.float16).reshape(n, count, 1) for one in scales[2:])
    fields = [
        sc[..., :4] | sc[..., 4:] >> 4 << 6,
        low[..., :4] | low[..., 4:] >> 4 << 6,
        sc[..., 4:] & 15 | (low[..., 4:] & 15) << 4,
    ]
    quants = (q[:, :, :, 0] | q[:, :, :, 1] << 4).reshape(n, count, 128)
    return numpy.concatenate([d.view(numpy.uint8), dmin.view(numpy.uint8), *fields, quants], axis=2).tobytes()


def q6_k_bytes(whole, scales, n):
    """Superblocks of q6_K: low nibbles, pairs of high bits, scales of 8 bits, a factor in binary16."""
    count = whole.shape[1] // SUPERBLOCK
    q = (whole + 32).astype(numpy.uint8).reshape(n, count, 2, 4, 32)
    low = (q[:, :, :, :2] & 15 | (q[:, :, :, 2:] & 15) << 4).reshape(n, count, 128)
    high = sum(q[:, :, :, t] >> 4 << 2 * t for t in range(4)).astype(numpy.uint8).reshape(n, count, 64)
    sc = padded(scales[0], 16 * count).astype(numpy.int8).reshape(n, count, 16).view(numpy.uint8)
    d = scales[1].astype(numpy.float16).reshape(n, count, 1).view(numpy.uint8)
    return numpy.concatenate([low, high, sc, d], axis=2).tobytes()


def superblock_product(a, b, factors, kind, pack):
    k, n = b.shape
    terms = -(-k // SUPERBLOCK) * SUPERBLOCK
    return library().multiply(pack(padded(b.T, terms), factors["b"]["scales"], n), kind, padded(a, terms), n)


Q8_0_CLAIM = {"activations": {"scheme": "q8_0"}}


@paranoia.kernel(precision="q4_0", claims=Q8_0_CLAIM)
def q4_0_claimed(a, b, factors):
    return product(a, b, factors, Q4_0)


@paranoia.kernel(precision="q8_0", claims=Q8_0_CLAIM)
def q8_0_claimed(a, b, factors):
    return product(a, b, factors, Q8_0)


def mxfp4_bytes(elements, scales):
    """Blocks of mxfp4: the exponent of a power of two, then patterns of e2m1 as q4_0 has its own."""
    n, count = scales.shape
    sizes = numpy.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], numpy.float32)
    patterns = numpy.searchsorted(sizes, abs(elements)) + 8 * (elements < 0)
    q = patterns.astype(numpy.uint8).reshape(n, count, 2, BLOCK // 2)
    exponents = (numpy.log2(scales).astype(numpy.int32) + 127).astype(numpy.uint8)[..., None]
    return numpy.concatenate([exponents, q[:, :, 0] | q[:, :, 1] << 4], axis=2).tobytes()


@paranoia.kernel(precision="mxfp4-weights", claims=Q8_0_CLAIM)
def mxfp4_claimed(a, b, factors):
    k, n = b.shape
    terms = -(-k // BLOCK) * BLOCK
    scales = factors["b"]["scales"][0].reshape(n, terms // BLOCK)
    return library().multiply(mxfp4_bytes(padded(b.T, terms), scales), MXFP4, padded(a, terms), n)


IQ4_NL_NUMBERS = numpy.array([-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113])


def iq4_nl_bytes(elements, scales):
    """Blocks of iq4_nl: a factor in binary16, then indices into a table as q4_0 has its numbers."""
    n, count = scales.shape
    q = numpy.searchsorted(IQ4_NL_NUMBERS, elements).astype(numpy.uint8).reshape(n, count, 2, BLOCK // 2)
    d = scales.astype(numpy.float16)[..., None].view(numpy.uint8)
    return numpy.concatenate([d, q[:, :, 0] | q[:, :, 1] << 4], axis=2).tobytes()


def iq4_nl_product(a, b, factors, pack=iq4_nl_bytes):
    k, n = b.shape
    terms = -(-k // BLOCK) * BLOCK
    scales = factors["b"]["scales"][0].reshape(n, terms // BLOCK)
    return library().multiply(pack(padded(b.T, terms), scales), IQ4_NL, padded(a, terms), n)


@paranoia.kernel(precision="iq4_nl")
def iq4_nl(a, b, factors):
    return iq4_nl_product(a, b, factors)


@paranoia.kernel(precision="iq4_nl", claims=Q8_0_CLAIM)
def iq4_nl_claimed(a, b, factors):
    return iq4_nl_product(a, b, factors)


Q8_K_CLAIM = {"activations": {"scheme": "q8_K"}, "arithmetic": {"zeroPoints": "last"}}


@paranoia.kernel(precision="q4_K", claims=Q8_K_CLAIM)
def q4_K_claimed(a, b, factors):
    return superblock_product(a, b, factors, Q4_K, q4_k_bytes)


@paranoia.kernel(precision="q6_K", claims=Q8_K_CLAIM)
def q6_K_claimed(a, b, factors):
    return superblock_product(a, b, factors, Q6_K, q6_k_bytes)
