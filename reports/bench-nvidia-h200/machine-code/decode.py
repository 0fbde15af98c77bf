"""Counts what NVIDIA's compiler made of the inner loop of a WGSL kernel.

python3 decode.py CACHE.bin…   (needs the command zstd)

CACHE.bin is a file of the driver's shader cache: run the kernel with __GL_SHADER_DISK_CACHE_PATH=FOLDER, then look in FOLDER/GLCache.
The cache holds Zstandard frames; the longest is the machine code, of 16 bytes an instruction (compute capability 9.0).
"""

import collections
import struct
import subprocess
import sys
from pathlib import Path

FRAME = b"\x28\xb5\x2f\xfd"
FIRST = 8  # Bytes before the first instruction, modulo 16.
NAMES = {0x223: "FFMA", 0x984: "LDS", 0x388: "STS", 0x981: "LDG", 0xB1D: "BAR", 0x202: "MOV"}
FFMA, BRANCH, ZERO = 0x223, 0x947, 255


def machine_code(cache):
    starts = [at for at in range(len(cache)) if cache.startswith(FRAME, at)]
    frames = [subprocess.run(["zstd", "-dcq"], input=cache[at:], capture_output=True).stdout for at in starts]
    code = max(frames, key=len)
    return [struct.unpack_from("<QQ", code, at) for at in range(FIRST, len(code) - 15, 16)]


def target(at, low):
    """Returns the instruction to which a branch goes: a signed distance in units of 4 bytes."""
    distance = (low >> 16 & 0xFF) | (low >> 34) << 8
    return at + 1 + (distance - (1 << 38) if distance >> 37 else distance) // 4


def inner_loop(code):
    """Returns the instructions of the last backward branch over at least 256 multiply-adds."""
    is_product = [low & 0xFFF == FFMA for low, _ in code]
    for at in reversed(range(len(code))):
        low, _ = code[at]
        to = target(at, low) if low & 0xFFF == BRANCH else at
        if 0 <= to < at and sum(is_product[to:at]) >= 256:
            return code[to : at + 1]
    raise SystemExit("no loop with 256 multiply-adds")


def port_cycles(loop):
    """Returns the cycles of all reads of multiply-adds, if even and odd registers are read one a cycle each. Operands kept from the
    previous multiply-add (bits of reuse) are not read."""
    kept, cycles = {}, 0
    for low, high in loop:
        if low & 0xFFF != FFMA:
            kept = {}
            continue
        operands = [low >> 24 & 0xFF, low >> 32 & 0xFF, high & 0xFF]
        read = {one for place, one in enumerate(operands) if one != ZERO and kept.get(place) != one}
        odd = sum(one & 1 for one in read)
        cycles += max(1, odd, len(read) - odd)
        reuse = high >> 58
        kept = {place: one for place, one in enumerate(operands) if reuse >> place & 1}
    return cycles


for path in sys.argv[1:]:
    loop = inner_loop(machine_code(Path(path).read_bytes()))
    counts = collections.Counter(NAMES.get(low & 0xFFF, "other") for low, _ in loop)
    cycles = port_cycles(loop)
    shown = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    issue = (len(loop) - counts["FFMA"] + cycles) / counts["FFMA"]
    print(f"{path}: {len(loop)} instructions ({shown}), {cycles} port cycles; {issue:.3f} cycles a multiply-add")
