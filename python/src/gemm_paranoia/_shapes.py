"""Shapes of products at which kernels go wrong: drawn, and shrunk where a test fails."""

from __future__ import annotations

import random
from typing import Callable, Iterator, List, NamedTuple, Sequence, Tuple, Union


class Shape(NamedTuple):
    """A (m, k) by B (k, n)."""

    m: int
    k: int
    n: int

    def __str__(self) -> str:
        return f"{self.m}x{self.k}x{self.n}"


#: Sides of tiles of kernels, and the size up to which sizes are drawn.
TILES = (4, 8, 16, 32, 64, 128)
LARGEST = 160


def _odd(draw: random.Random) -> Shape:
    return Shape(*(2 * draw.randrange(LARGEST // 2) + 1 for _ in range(3)))


def _tile_edge(draw: random.Random) -> Shape:
    return Shape(*(draw.choice(TILES) + draw.choice((-1, 0, 1)) for _ in range(3)))


def _ones(draw: random.Random) -> Shape:
    sizes = [draw.randrange(1, LARGEST) for _ in range(3)]
    for at in draw.sample(range(3), draw.choice((1, 1, 2))):
        sizes[at] = 1
    return Shape(*sizes)


def _tall(draw: random.Random) -> Shape:
    return Shape(draw.randrange(LARGEST, 3 * LARGEST), draw.randrange(1, 24), draw.randrange(1, 24))


def _wide(draw: random.Random) -> Shape:
    tall = _tall(draw)
    return Shape(tall.n, tall.k, tall.m)


def _deep(draw: random.Random) -> Shape:
    tall = _tall(draw)
    return Shape(tall.k, tall.m, tall.n)


_KINDS: Sequence[Callable[[random.Random], Shape]] = (_tile_edge, _odd, _ones, _tall, _wide, _deep)


def drawn_shapes(count: int, seed: str) -> List[Shape]:
    """Draws different shapes: kinds in turn, the same for the same seed."""
    draw = random.Random(seed)
    found: List[Shape] = []
    for at in range(100 * count):
        if len(found) == count:
            break
        shape = _KINDS[at % len(_KINDS)](draw)
        if shape not in found:
            found.append(shape)
    return found


def shape_of(given: Union[int, str, Sequence[int]]) -> Shape:
    """Reads a shape: 64, (64, 32, 16) or "64x32x16".

    :raises ValueError: for anything else
    """
    sizes: Sequence[int]
    try:
        sizes = [int(size) for size in given.split("x")] if isinstance(given, str) else [given] if isinstance(given, int) else list(given)
    except (TypeError, ValueError):
        sizes = []
    if len(sizes) == 1:
        sizes = [sizes[0]] * 3
    if len(sizes) != 3 or not all(isinstance(size, int) and size >= 0 for size in sizes):
        raise ValueError(f"{given!r} is no shape of a product. Example: (64, 32, 16), for A of 64x32 and B of 32x16.")
    return Shape(*sizes)


def smaller(shape: Shape) -> Iterator[Shape]:
    """Yields shapes with one size 1, then with one size halved, then with one size less."""
    for step in (lambda size: 1, lambda size: size // 2, lambda size: size - 1):
        for at in range(3):
            size = step(shape[at])
            if 1 <= size < shape[at]:
                yield Shape._make((*shape[:at], size, *shape[at + 1 :]))


#: The most shapes that are tried to make a failing one smaller.
MOST_TRIES = 100


def shrunk(shape: Shape, fails: Callable[[Shape], bool]) -> Tuple[Shape, int]:
    """Returns the smallest failing shape that halving and decrementing sizes lead to, and the number of shapes that were tried."""
    tried = {shape}
    progress = True
    while progress and len(tried) <= MOST_TRIES:
        progress = False
        for one in smaller(shape):
            if one in tried or len(tried) > MOST_TRIES:
                continue
            tried.add(one)
            if fails(one):
                shape, progress = one, True
                break
    return shape, len(tried) - 1
