"""Products in f64 from exact ones of int8, by the scheme of Ozaki: 3 to 12 slices of 7 bits of each row of A and column of B.

Ootomo, Ozaki, Yokota, DGEMM on integer matrix multiplication unit, 2024. Slices i and j are multiplied where i + j is at most the
number of slices; their products, exact in 32 bits up to k = 2^17, are added in f64 from the smallest on. Infinities and NaN have no slices.
"""
import paranoia
import torch

BITS = 7


def up(size, to):
    return -(-size // to) * to


def power(exponent):
    """2^exponent, of whole numbers from -1022 to 1023: torch.ldexp makes it in f32."""
    return ((exponent.to(torch.int64) + 1023) << 52).view(torch.float64)


def scaled_by(x, exponent):
    """x · 2^exponent, in two steps: 2^exponent alone may be no number."""
    half = torch.div(exponent, 2, rounding_mode="floor")
    return x * power(half) * power(exponent - half)


def sliced(x, count):
    """Slices of the rows of x, from the leading bits on, and the exponent of each row."""
    _, exponent = torch.frexp(x.abs().amax(dim=1, keepdim=True))
    rest = scaled_by(x, -exponent)
    slices = []
    for _ in range(count):
        rest = rest * 2**BITS
        whole = rest.trunc()
        rest = rest - whole
        slices.append(whole.to(torch.int8))
    return slices, exponent


def filled(x, rows, cols):
    out = x.new_zeros(rows, cols)
    out[: x.shape[0], : x.shape[1]] = x
    return out


def product(a, b, count, multiply=torch._int_mm):
    (m, k), n = a.shape, b.shape[1]
    x, ex = sliced(filled(a, up(max(m, 17), 32), up(k, 16)), count)
    y, ey = sliced(filled(b.t(), up(n, 16), up(k, 16)), count)
    total = torch.zeros(x[0].shape[0], y[0].shape[0], dtype=torch.float64, device=a.device)
    for level in range(count + 1, 1, -1):
        for i in range(1, level):
            whole = multiply(x[i - 1], y[level - i - 1].t())
            total += whole.to(torch.float64) * 2.0 ** (-BITS * level)
    return scaled_by(total, ex + ey.t())[:m, :n]


def of(count):
    @paranoia.kernel(precision="f64", claims={"arithmetic": {"exceptions": False}}, array="torch", device="cuda")
    def ozaki(a, b):
        return product(a, b, count)

    return ozaki


ozaki_3, ozaki_4, ozaki_5, ozaki_6, ozaki_7 = (of(count) for count in range(3, 8))
ozaki_8, ozaki_9, ozaki_10, ozaki_11, ozaki_12 = (of(count) for count in range(8, 13))
