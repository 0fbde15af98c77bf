"""Arrays of any library as bytes of rows without gaps, with the name of their type."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Tuple

import numpy as np

#: Names of types by those of NumPy and ml_dtypes.
NAMES = {
    "float64": "f64",
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "float8_e4m3fn": "e4m3",
    "float8_e5m2": "e5m2",
    "float8_e4m3fnuz": "e4m3fnuz",
    "float8_e5m2fnuz": "e5m2fnuz",
    "int8": "int8",
    "uint8": "uint8",
    "int32": "i32",
}

#: Types that NumPy lacks, and PyTorch's views of their bits.
_BITS = {name: ("int16" if name == "bfloat16" else "uint8") for name in NAMES if name.startswith(("bfloat", "float8"))}


class Tensor(NamedTuple):
    """An array: the name of its type, its bits in NumPy, and where its own memory lies."""

    name: str
    #: Contiguous bits, of NumPy's type of that size.
    bits: np.ndarray
    shape: Tuple[int, ...]
    #: The array as NumPy sees it before it is copied, or a range of addresses of a device.
    memory: Any

    def head(self) -> Dict[str, Any]:
        return {"dtype": self.name, "shape": list(self.shape), "bytes": self.bits.nbytes}

    def view(self) -> memoryview:
        return memoryview(self.bits.reshape(-1).view(np.uint8))


def tensor_of(x: Any, name: str, least: int = 2) -> Tensor:
    """Reads an array of NumPy, PyTorch, JAX, CuPy or another library that NumPy can read."""
    module = _library_of(x)
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, whose hidden entries have no product. Pass {name}.filled(0).")
    if module == "torch":
        array, kind, memory = _of_torch(x, name)
    else:
        array = x.get() if module == "cupy" else np.asarray(x)
        kind = array.dtype.name
        memory = (x.data.ptr, x.data.ptr + x.nbytes) if module == "cupy" else array
    known = NAMES.get(kind)
    if known is None:
        raise TypeError(f"{name} has entries of type {kind}, which no product here has. Convert it to one of {', '.join(NAMES)}.")
    if array.ndim < least:
        raise ValueError(f"{name} has shape {array.shape}: a matrix is needed. Reshape a vector to (1, n) or (n, 1).")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    bits = np.ascontiguousarray(array)
    if bits.dtype.kind not in "fiu":
        bits = bits.view(np.dtype(f"u{bits.dtype.itemsize}"))
    return Tensor(known, bits, array.shape, memory)


def _library_of(x: Any) -> str:
    """The library that a class, or one that it extends, is from: torch, cupy, jax, or another."""
    roots = {base.__module__.partition(".")[0] for base in type(x).__mro__}
    known = {"torch": "torch", "cupy": "cupy", "jax": "jax", "jaxlib": "jax"}
    return next((name for root, name in known.items() if root in roots), "other")


def device_of(x: Any) -> str:
    """Names the device that holds an array, such as "cuda:0"; "cpu" for the memory of this process."""
    library = _library_of(x)
    if library == "torch":
        kind, index = x.device.type, x.device.index
        return kind if kind == "cpu" or index is None else f"{kind}:{index}"
    if library == "cupy":
        return f"cuda:{x.device.id}"
    if library == "jax":
        return ",".join(sorted({_jax_device(one) for one in x.devices()}))
    return "cpu"


def _jax_device(device: Any) -> str:
    # PyTorch and CuPy say cuda where JAX says gpu.
    kind = "cuda" if device.platform == "gpu" else device.platform
    return "cpu" if kind == "cpu" else f"{kind}:{device.id}"


def _of_torch(x: Any, name: str) -> Tuple[np.ndarray, str, Any]:
    import torch

    if x.layout != torch.strided:
        raise TypeError(f"{name} is a sparse tensor. Pass {name}.to_dense().")
    kind = str(x.dtype).rpartition(".")[2]
    x = x.detach().resolve_conj().resolve_neg()
    if kind in _BITS:
        x = x.view(getattr(torch, _BITS[kind]))
    if x.device.type == "cpu":
        array = x.numpy()
        return array, kind, array
    last = sum((size - 1) * step for size, step in zip(x.shape, x.stride())) if x.numel() else -1
    return x.cpu().numpy(), kind, (x.data_ptr(), x.data_ptr() + (last + 1) * x.element_size())


def share_memory(one: Tensor, other: Tensor) -> bool:
    """True if two arrays have an entry in the same place."""
    if isinstance(one.memory, tuple) and isinstance(other.memory, tuple):
        return max(one.memory[0], other.memory[0]) < min(one.memory[1], other.memory[1])
    if isinstance(one.memory, tuple) or isinstance(other.memory, tuple):
        return False
    try:
        # Exact for all but the most intricate strides, which count as shared.
        return bool(np.shares_memory(one.memory, other.memory, max_work=10_000))
    except (RuntimeError, ValueError):  # TooHardError is a RuntimeError.
        return True


def broadcast(x: Tensor, leading: Tuple[int, ...]) -> Tensor:
    """Repeats the matrices of an operand for a batch, where the batch is not a plain repetition of one."""
    own = x.shape[:-2]
    if all(size == 1 for size in own) or own == leading:
        return x
    shape = (*leading, *x.shape[-2:])
    bits = np.ascontiguousarray(np.broadcast_to(x.bits, shape))
    return x._replace(bits=bits, shape=shape)

