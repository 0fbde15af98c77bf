"""Operands that a hash of 32-bit integers makes of their place, so that any language makes the same again.

mix(x): x ^= x >> 16; x *= 0x7feb352d; x ^= x >> 15; x *= 0x846ca68b; x ^= x >> 16   (all modulo 2^32)
hash(stream, index) = mix(index * 0x9e3779b1 + mix(stream))
stream = ((FORMATS index * 64 + KINDS index) * 8 + steps) * 16 + role

An element of 32 hashed bits h: sign h >> 31, chance (h >> 25) & 63, u = (h >> 13) & 4095 (chooses the exponent),
mantissa h & (2^M - 1). The index of an element of A is (tile * 64 + row) * k + place, of B (tile * 8 + column) * k + place, of C
(tile * 64 + row) * 8 + column, where k is that of the whole tile.
"""
import numpy as np

# name: bytes of an element as stored, exponent bits, mantissa bits, bias, lowest exponent of a wide draw and their number,
# exponent of a large element, number of gaps below it
FORMATS = {
    'f16': (2, 5, 10, 15, 3, 24, 25, 18),
    'bf16': (2, 8, 7, 127, 107, 40, 137, 24),
    'tf32': (4, 8, 10, 127, 107, 40, 137, 24),
    'e4m3': (1, 4, 3, 7, 0, 16, 13, 14),
    'e5m2': (1, 5, 2, 15, 0, 31, 24, 20),
    'int8': (1,),
}
KINDS = ['integers', 'bits', 'narrow', 'wide', 'cancel', 'one-large', 'cancel-c', 'subnormal', 'special', 'zeros', 'low-bits', 'underflow', 'zeros-c', 'all-subnormal']
INTEGER_KINDS = ['integers', 'bits', 'extreme']
A, B, C, C2, LOW, POSITION, GAP_A, GAP_B, UNUSED, LIB_A, LIB_B = range(11)
U = np.uint32


def mix(x):
    x = x ^ (x >> U(16))
    x = x * U(0x7FEB352D)
    x = x ^ (x >> U(15))
    x = x * U(0x846CA68B)
    return x ^ (x >> U(16))


def hashed(stream, index):
    with np.errstate(over='ignore'):
        start = mix(np.array([stream], dtype=U))[0]
        return mix(np.asarray(index).astype(U) * U(0x9E3779B1) + start)


def stream(name, kind, steps, role):
    kinds = INTEGER_KINDS if name == 'int8' else KINDS
    return ((list(FORMATS).index(name) * 64 + kinds.index(kind)) * 8 + steps) * 16 + role


def parts(h):
    return (h >> U(31)).astype(np.int64), ((h >> U(25)) & U(63)).astype(np.int64), ((h >> U(13)) & U(4095)).astype(np.int64)


def largest_exponent(name):
    """The greatest exponent field of finite numbers."""
    return 15 if name == 'e4m3' else 2 ** FORMATS[name][1] - 2


def of_integer(name, v):
    """Bit patterns of small integers."""
    _, e, m, bias = FORMATS[name][:4]
    mag = np.abs(v)
    top = np.where(mag > 0, np.floor(np.log2(np.maximum(mag, 1))), 0).astype(np.int64)
    code = np.where(mag > 0, ((top + bias) << m) | (((mag << m) >> top) - (1 << m)), 0)
    return code | ((v < 0).astype(np.int64) << (e + m))


def element(name, kind, h, u_gap=None, pair_odd=None, own=None):
    """Codes (exponent bits then mantissa bits below the sign) of hashed bits h."""
    _, e, m, bias, lo, span, large, _gaps = FORMATS[name]
    sign, chance, u = parts(h)
    man = (h & U(2 ** m - 1)).astype(np.int64)
    if kind == 'integers':
        return of_integer(name, u % 17 - 8)
    if kind == 'bits':
        exp = u & (2 ** e - 1)
    elif kind in ('wide', 'cancel', 'zeros-c'):
        exp = lo + u % span
    elif kind == 'one-large':
        exp = np.maximum(u_gap - np.where(u_gap < large, u & 1, 0), 0)
    elif kind == 'subnormal':
        exp = u & 3
    elif kind == 'all-subnormal':
        exp, man = 0 * u, man >> (u % (m + 1))
    elif kind == 'underflow':
        exp = bias - (76 if e == 8 else 13) + u % 3
    else:
        exp = bias - 2 + u % 4
    exp = np.minimum(exp, largest_exponent(name))
    if name == 'e4m3':
        man = np.where((exp == 15) & (man == 7), 6, man)
    if kind == 'special':
        hit = chance == 0
        which = u & 3
        top = 15 if name == 'e4m3' else 2 ** e - 1
        exp = np.where(hit, np.where(which < 2, top, 0), exp)
        infinite = 7 if name == 'e4m3' else 0
        man = np.where(hit, np.where(which == 0, infinite, np.where(which == 1, 2 ** m - 1, 0)), man)
    if kind in ('zeros', 'zeros-c'):
        zero = chance < (60 if kind == 'zeros' else 48)
        exp = np.where(zero, 0, exp)
        man = np.where(zero, 0, man)
    if pair_odd is not None:
        perturbed = pair_odd & (parts(own)[1] < 32)
        man = np.where(perturbed, man ^ 1, man)
        if name == 'e4m3':
            man = np.where((exp == 15) & (man == 7), 6, man)
        sign = sign ^ pair_odd.astype(np.int64)
    return (sign << (e + m)) | (exp << m) | man


def operand(name, kind, steps, side, tiles, k):
    """Codes of A (side 'a') or of B, as tiles × lines × k."""
    lines = 64 if side == 'a' else 8
    tile = np.arange(tiles).reshape(-1, 1, 1)
    line = np.arange(lines).reshape(1, -1, 1)
    place = np.arange(k).reshape(1, 1, -1)
    index = (tile * lines + line) * k + place
    st = stream(name, kind, steps, A if side == 'a' else B)
    if name == 'int8':
        h = hashed(st, index)
        u = parts(h)[2]
        if kind == 'integers':
            return u % 17 - 8 & 255
        if kind == 'bits':
            return u & 255
        return np.choose(u & 3, [128, 127, 129, 128])
    if kind == 'cancel':
        distance = 1 << (tile % (k.bit_length() - 1))
        first = place & ~distance
        h = hashed(st, (tile * lines + line) * k + first)
        if side == 'b':
            return element(name, kind, h)
        return element(name, kind, h, pair_odd=np.broadcast_to((place & distance) != 0, index.shape), own=hashed(st, index))
    if kind == 'one-large':
        large, gaps = FORMATS[name][6:8]
        position = hashed(stream(name, kind, steps, POSITION), tile).astype(np.int64) % k
        gap = hashed(stream(name, kind, steps, GAP_A if side == 'a' else GAP_B), tile * lines + line).astype(np.int64) % gaps
        return element(name, kind, hashed(st, index), u_gap=np.where(place == position, large, large - gap))
    if kind in ('subnormal', 'all-subnormal') and side == 'b':
        return element(name, 'narrow', hashed(st, index))
    code = element(name, kind, hashed(st, index))
    if kind == 'low-bits':
        # tf32 alone: the 13 bits that the unit should not read.
        low = hashed(stream(name, kind, steps, LOW), index if side == 'a' else index + 0x40000000)
        return (code << 13) | (low & U(8191)).astype(np.int64)
    return code


def words(name, kind, code):
    """Codes as the elements of memory."""
    size = FORMATS[name][0]
    if name == 'tf32' and kind != 'low-bits':
        code = code << 13
    return code.astype({1: np.uint8, 2: np.uint16, 4: np.uint32}[size])


def decode(name, code):
    """Codes as doubles. An int8 is signed."""
    code = code.astype(np.int64)
    if name == 'int8':
        return np.where(code > 127, code - 256, code).astype(np.float64)
    _, e, m, bias = FORMATS[name][:4]
    if name == 'tf32' and code.max() >= 1 << 19:
        code = code >> 13
    sign = np.where((code >> (e + m)) & 1, -1.0, 1.0)
    exp = (code >> m) & (2 ** e - 1)
    man = code & (2 ** m - 1)
    value = np.where(exp > 0, np.ldexp(1 + man / 2 ** m, exp - bias), np.ldexp(man / 2 ** m, 1 - bias))
    if name == 'e4m3':
        value = np.where((exp == 15) & (man == 7), np.nan, value)
    else:
        value = np.where(exp == 2 ** e - 1, np.where(man == 0, np.inf, np.nan), value)
    return sign * value


def f32(sign, exp, man):
    return ((sign << 31) | (exp << 23) | man).astype(np.uint32)


def accumulator(name, kind, steps, tiles, k, a, b):
    """C as words, tiles × 64 × 8."""
    tile = np.arange(tiles).reshape(-1, 1, 1)
    index = (tile * 64 + np.arange(64).reshape(1, -1, 1)) * 8 + np.arange(8).reshape(1, 1, -1)
    h = hashed(stream(name, kind, steps, C), index)
    h2 = hashed(stream(name, kind, steps, C2), index)
    if name == 'int8':
        near = np.where(h & U(1), (h2 >> U(16)).astype(np.int64), 0x7FFFFFFF - (h2 >> U(16)).astype(np.int64))
        extreme = np.where(h & U(2), near, -near)
        value = {'integers': (h2 % U(2048)).astype(np.int64) - 1024, 'bits': h.astype(np.int64), 'extreme': extreme}[kind]
        return (value & 0xFFFFFFFF).astype(np.uint32)
    sign = (h >> U(31)).astype(np.int64)
    man = (h & U(0x7FFFFF)).astype(np.int64)
    u = (h2 & U(0xFFFFFF)).astype(np.int64)
    if kind == 'integers':
        return (u % 2048 - 1024).astype(np.float32).view(np.uint32)
    if kind == 'bits':
        exp = (h >> U(23)).astype(np.int64) & 255
        return f32(sign, np.minimum(exp, 254), man)
    if kind == 'zeros':
        return f32(sign, 0 * u, 0 * u)
    if kind == 'cancel-c':
        x, y = decode(name, a), decode(name, b)
        total = np.zeros((tiles, 64, 8))
        for p in range(k):
            total = total + x[:, :, p, None] * y[:, None, :, p]
        return (-total).astype(np.float32).view(np.uint32)
    large = 0 if kind != 'one-large' else 127 + 2 * (FORMATS[name][6] - FORMATS[name][3])
    lowest = (0, 4) if FORMATS[name][1] == 8 else (127 - 45, 12)
    least = (0, 2) if FORMATS[name][1] == 8 else (127 - 27, 4)
    exp = {
        'narrow': 123 + u % 8, 'low-bits': 123 + u % 8, 'special': 123 + u % 8,
        'zeros-c': 97 + u % 60, 'wide': 103 + u % 48, 'cancel': 103 + u % 24,
        'one-large': np.where(tile % 3 == 1, large, 97 + u % 60),
        'subnormal': lowest[0] + u % lowest[1],
        'all-subnormal': lowest[0] + u % lowest[1],
        'underflow': least[0] + u % least[1],
    }[kind] + 0 * tile
    if kind == 'underflow' and least[0] == 0:
        man = man & 15
        exp = 0 * exp
    zero = (tile % 3 == 0) if kind == 'one-large' else (tile % 2 == 0) if kind in ('narrow', 'cancel', 'low-bits', 'underflow', 'all-subnormal') else tile < 0
    if kind == 'special':
        hit = h2 >> U(26) == 0
        which = u & 3
        exp = np.where(hit, np.where(which < 2, 255, 0), exp)
        man = np.where(hit, np.where(which == 1, 0x7FFFFF, 0), man)
    return f32(np.where(zero, 0, sign), np.where(zero, 0, exp), np.where(zero, 0, man))


def tile_k(name, steps):
    return 32 // FORMATS[name][0] * steps


def case(name, kind, steps, tiles):
    """Codes of A and B, words of C, for a kind of operands."""
    k = tile_k(name, steps)
    a, b = operand(name, kind, steps, 'a', tiles, k), operand(name, kind, steps, 'b', tiles, k)
    return a, b, accumulator(name, kind, steps, tiles, k, a, b)


def kinds_of(name):
    if name == 'int8':
        return INTEGER_KINDS
    # Products of four bits of exponent are normal in all results.
    apart = {'tf32': [], 'e4m3': ['low-bits', 'underflow']}.get(name, ['low-bits'])
    return [kind for kind in KINDS if kind not in apart]


def tiles_of(name):
    """Tiles of a kind, so that a format has over 2^20 results of a unit."""
    return -(-1025 // len(kinds_of(name)))


LIBRARY_LD = 4096


def library_operand(name, kind, side, rows, k):
    """Codes of the first rows of op(A), or of the first columns of B, `rows × k`; the index is row * 4096 + place."""
    index = np.arange(rows).reshape(-1, 1) * LIBRARY_LD + np.arange(k).reshape(1, -1)
    h = hashed(stream(name, kind, 0, LIB_A if side == 'a' else LIB_B), index)
    return parts(h)[2] & 255 if name == 'int8' else element(name, kind, h)
