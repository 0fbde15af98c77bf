"""Products that this process holds, against exact ones."""

from __future__ import annotations

import itertools
import json
import math
import os
import shlex
import tempfile
import warnings
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._arrays import Tensor, broadcast, device_of, share_memory, tensor_of
from ._session import ask, in_python

Claims = Mapping[str, Any]

#: A step after the product: its name, or its name with its tensor, its number, its word, or its parameters;
#: `npx gemm-paranoia list epilogues` describes the steps.
Step = Union[str, Tuple[str, Any]]

#: The most bytes of operands that are saved unasked.
MOST_SAVED = 2**28

#: The most bytes of operands that `gemm-paranoia check` replays: an .npz file may have 4 GiB, its headers included.
MOST_REPLAYED = 2**32 - 2**20

#: Types that NumPy's files do not name.
_UNNAMED = ("bf16", "e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz", "uint8")


class MatmulError(AssertionError):
    """A product that is not within what its kernel claims, or that no check can decide.

    `verdict` is "fail" or "inconclusive", `found` is all that the check says (the JSON of `gemm-paranoia check --json`), and `saved` the
    file of the operands, or None.
    """

    def __init__(self, text: str, found: Mapping[str, Any], saved: Optional[str]) -> None:
        super().__init__(text)
        self.verdict: str = found["verdict"]
        self.found = found
        self.saved = saved


def assert_matmul(
    d: Any,
    a: Any,
    b: Any,
    *,
    c: Any = None,
    alpha: float = 1,
    beta: float = 0,
    bias: Any = None,
    epilogue: Sequence[Step] = (),
    precision: Optional[str] = None,
    claims: Optional[Claims] = None,
    sigmas: Optional[float] = None,
) -> None:
    """Asserts that d is alpha·(a @ b) + beta·c, or alpha·(a @ b) + bias, then each step of an epilogue: every entry within what a
    correct kernel may err.

    :param d: the product, as computed, of NumPy, PyTorch, JAX, CuPy or ml_dtypes; in a batch with leading dimensions.
    :param c: what beta multiplies; as in BLAS it is not read where beta is 0.
    :param bias: a row of n entries, added to every row.
    :param epilogue: what follows the product, as [("bias", b), "gelu", ("requantize", {"to": "int8", "scale": 0.05})]:
        `npx gemm-paranoia list epilogues`.
    :param precision: what the kernel computes in: `npx gemm-paranoia list precisions`. By default the one with the types of a, b and d.
    :param claims: what the kernel promises, as {"order": "pairwise"}. By default a classical product, in any order.
    :param sigmas: judge random operands by expected errors too: 6 is usual.
    :raises MatmulError: an AssertionError; it says where, how far off, and how to replay it.
    :raises ValueError: for arguments that fit no product.
    """
    __tracebackhide__ = True
    _require_one_device({"A": a, "B": b, "C": c, "the bias": bias}, d)
    tensors = {"a": tensor_of(a, "A"), "b": tensor_of(b, "B"), "d": tensor_of(d, "D")}
    if bias is not None:
        if c is not None or beta != 0:
            raise ValueError("bias excludes c and beta: pass one of them.")
        tensors["bias"] = tensor_of(bias, "the bias", least=1)
    if beta != 0 and c is None:
        raise ValueError(f"beta={beta} multiplies c, which is missing: pass c.")
    if c is not None:
        tensors["c"] = tensor_of(c, "C")
    _require_shapes(tensors, bool(epilogue))
    _require_apart(tensors)
    terms = _terms(precision, claims, sigmas)
    steps, extra = _steps(epilogue)
    if steps and sigmas is not None:
        raise ValueError("sigmas excludes epilogue: pass one of them.")
    terms.update({name: _real(name, value) for name, value in (("alpha", alpha), ("beta", beta)) if name == "alpha" or c is not None})
    tensors = {name: broadcast(one, tensors["d"].shape[:-2]) if name in ("a", "b", "c") else one for name, one in tensors.items()}
    _require_named(tensors, precision)
    found, _ = _ask("check", tensors, {**terms, **({"epilogue": steps} if steps else {})}, extra)
    if found.get("special"):
        warnings.warn(
            f"A or B has NaN or infinities, which reach {found['special']} of {tensors['d'].bits.size} entries of D: "
            "these are compared as NaN and infinities, not by their errors.",
            RuntimeWarning,
            stacklevel=2,
        )
    if found["verdict"] != "pass":
        text = in_python(found.pop("text"))
        saved, how = _save(tensors, terms, found.pop("dtypes"), steps, extra)
        raise MatmulError(f"{text}\n{how}", found, saved)


@dataclass(frozen=True)
class Tolerance:
    """What error a correct kernel may have: `np.testing.assert_allclose(d, expected, rtol=t.rtol, atol=t.atol)`."""

    #: The smallest tolerance that no entry of a correct kernel fails: |found - expected| <= atol + rtol * |expected|.
    rtol: float
    atol: float
    #: The expected error of the median entry, of random operands.
    sigma: float
    #: The rigorous bound of the median entry, for all operands.
    bound: float
    k: int
    precision: str
    algorithm: str
    #: How tolerances that are common fit: each has name, rtol, atol, loose (times too wide; below 1 too strict) and failing (a share).
    known: Sequence[Mapping[str, Any]] = field(default=(), repr=False)


def tolerance(
    k: Optional[int] = None,
    *,
    a: Any = None,
    b: Any = None,
    precision: Optional[str] = None,
    claims: Optional[Claims] = None,
    sigmas: Optional[float] = None,
    seed: Optional[int] = None,
) -> Tolerance:
    """Says what error a correct kernel may have: of random sums of k terms, or of a product of a and b.

    :param precision: what the kernel computes in. By default f32; with a and b their own type, where it is f32 or f64.
    """
    if (k is None) == (a is None and b is None) or (a is None) != (b is None):
        raise ValueError("tolerance needs k, or else a and b.")
    if k is not None and (isinstance(k, bool) or int(k) != k or k < 1):
        raise ValueError(f"k is {k}: a whole number of at least 1 is needed.")
    terms = _terms(precision, claims, sigmas)
    tensors: Dict[str, Tensor] = {}
    if k is None:
        _require_one_device({"A": a, "B": b})
        tensors = {"a": tensor_of(a, "A"), "b": tensor_of(b, "B")}
        _require_matrices(tensors)
        types = {one.name for one in tensors.values()}
        if precision is None and types not in ({"f32"}, {"f64"}):
            raise ValueError(f"A and B have entries of {' and '.join(sorted(types))}, which several kernels take. Pass precision='…'.")
        if precision is None:
            terms["precision"] = types.pop()
    else:
        terms["k"] = int(k)
    if seed is not None:
        terms["seed"] = int(seed)
    found, _ = _ask("tolerance", tensors, terms)
    return Tolerance(
        **found["fitting"],
        sigma=found["sigma"]["median"],
        bound=found["bound"]["median"],
        **{name: found[name] for name in ("k", "precision", "algorithm", "known")},
    )


def exact_matmul(a: Any, b: Any) -> np.ndarray:
    """Returns a @ b, each entry the exact sum rounded once to float64."""
    _require_one_device({"A": a, "B": b})
    one, other = tensor_of(a, "A"), tensor_of(b, "B")
    leading = _batch_of(one, other)
    _require_inner(one, other)
    for name, x in (("A", one), ("B", other)):
        if x.name == "uint8":
            raise ValueError(f"{name} has entries of type uint8, which may be fp8. Convert it to int32, or view it as its own type.")
    one, other = (x if leading == () else x._replace(bits=np.ascontiguousarray(np.broadcast_to(x.bits, (*leading, *x.shape[-2:])))) for x in (one, other))
    out = np.zeros((*leading, one.shape[-2], other.shape[-1]))
    if out.size == 0 or one.shape[-1] == 0:
        return out
    for at in np.ndindex(*leading):
        pair = {"a": one._replace(bits=one.bits[at], shape=one.shape[-2:]), "b": other._replace(bits=other.bits[at], shape=other.shape[-2:])}
        _, data = _ask("exact", pair, {})
        out[at] = np.frombuffer(data, np.float64).reshape(out.shape[-2:])
    return out


def _ask(
    what: str, tensors: Mapping[str, Tensor], terms: Mapping[str, Any], extra: Sequence[Tensor] = ()
) -> Tuple[Dict[str, Any], bytes]:
    order = [name for name in ("a", "b", "c", "bias", "d") if name in tensors]
    head = {"do": what, **terms, **{name: tensors[name].head() for name in order}}
    return ask(head, [*(tensors[name].view() for name in order), *(one.view() for one in extra)])


def _steps(epilogue: Sequence[Step]) -> Tuple[List[Any], List[Tensor]]:
    """Returns steps as the program reads them, and their tensors in order."""
    if not isinstance(epilogue, (list, tuple)):
        raise TypeError(f"epilogue is {epilogue!r}: a list of steps is needed, as ['relu'].")
    steps: List[Any] = []
    extra: List[Tensor] = []
    for step in epilogue:
        if isinstance(step, str):
            steps.append(step)
            continue
        if not (isinstance(step, (tuple, list)) and len(step) == 2 and isinstance(step[0], str)):
            raise TypeError(f"{step!r} is no step of an epilogue: a name is needed, or a name and its value, as ('scale', 0.5).")
        name, value = step
        if isinstance(value, Mapping):
            settings = {str(key): _parameter(f"the {key} of {name}", one, extra) for key, one in value.items()}
            steps.append({**settings, "step": name})
        else:
            steps.append([name, _parameter(f"the value of {name}", value, extra)])
    return steps, extra


def _parameter(name: str, value: Any, extra: List[Tensor]) -> Any:
    """Returns the value of a parameter as the program reads it; the bytes of a tensor follow in `extra`."""
    if isinstance(value, (list, tuple)):
        try:
            value = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"{name} is {value!r}: numbers are needed.") from None
    if getattr(value, "ndim", 0) > 0:
        extra.append(tensor_of(value, name, least=1))
        return extra[-1].head()
    return value if isinstance(value, (str, bool)) or value is None else _real(name, value)


def _terms(precision: Optional[str], claims: Optional[Claims], sigmas: Optional[float]) -> Dict[str, Any]:
    if claims is not None and not isinstance(claims, Mapping):
        raise TypeError(f"claims is {claims!r}: a dict is needed, as {{'order': 'pairwise'}}.")
    terms: Dict[str, Any] = {}
    if precision is not None:
        terms["precision"] = precision
    if claims is not None:
        try:
            terms["claims"] = json.loads(json.dumps(dict(claims), allow_nan=False))
        except (TypeError, ValueError) as error:
            raise TypeError(f"claims is no JSON: {error}.") from None
    if sigmas is not None:
        if not _real("sigmas", sigmas) > 0:
            raise ValueError(f"sigmas is {sigmas}: a number above 0 is needed.")
        terms["sigmas"] = float(sigmas)
    return terms


def _real(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {value!r}: a real number is needed.") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} is {value}: a finite number is needed.")
    return number


def _batch_of(a: Tensor, b: Tensor) -> Tuple[int, ...]:
    try:
        return np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        raise ValueError(f"The batches do not match: A is {a.shape}, B is {b.shape}.") from None


def _require_one_device(operands: Mapping[str, Any], d: Any = None) -> None:
    """Refuses operands that no kernel reads together. D may have been copied back to the memory of this process."""
    devices = {name: device_of(x) for name, x in operands.items() if x is not None}
    for name, device in {**devices, "D": device_of(d)}.items():
        if device == "meta":
            raise ValueError(f"{name} is on the device meta, which holds no entries. Pass a tensor with entries.")
        if device != devices["A"] and (name, device) != ("D", "cpu"):
            raise ValueError(f"A is on {devices['A']} and {name} on {device}. Pass tensors of one device: a copy of A or of {name}.")


def _require_inner(a: Tensor, b: Tensor) -> None:
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(
            f"The shapes do not match: A is {a.shape} and B is {b.shape}. "
            f"A has {a.shape[-1]} columns and B {b.shape[-2]} rows."
        )


def _require_matrices(tensors: Mapping[str, Tensor]) -> None:
    for name, one in tensors.items():
        if len(one.shape) != 2:
            raise ValueError(f"{name.upper()} has shape {one.shape}: one matrix is needed.")
        if 0 in one.shape:
            raise ValueError(f"{name.upper()} has shape {one.shape}: it has no entries.")
    _require_inner(tensors["a"], tensors["b"])


def _require_shapes(tensors: Mapping[str, Tensor], has_epilogue: bool) -> None:
    a, b, d = (tensors[name] for name in "abd")
    _require_inner(a, b)
    expected = (*_batch_of(a, b), a.shape[-2], b.shape[-1])
    # The program knows how many columns an epilogue leaves.
    if d.shape != expected and not (has_epilogue and d.shape[:-1] == expected[:-1]):
        raise ValueError(f"The shapes do not match: D is {d.shape}, and A·B of {a.shape} by {b.shape} is {expected}.")
    if 0 in d.shape:
        raise ValueError(f"D has shape {d.shape}: it has no entries to check.")
    if "c" in tensors and tensors["c"].shape != expected:
        raise ValueError(f"The shapes do not match: C is {tensors['c'].shape}, and D is {expected}.")
    if "bias" in tensors and tensors["bias"].bits.size != expected[-1]:
        raise ValueError(f"The bias has shape {tensors['bias'].shape}, and D has {expected[-1]} columns: one entry for each is needed.")


def _require_apart(tensors: Mapping[str, Tensor]) -> None:
    for name in ("a", "b", "c"):
        if name in tensors and share_memory(tensors["d"], tensors[name]):
            own = name.upper()
            raise ValueError(
                f"D shares memory with {own}: the product has overwritten its operand. "
                f"Pass a copy of {own} that was made before the product."
            )


def _require_named(tensors: Mapping[str, Tensor], precision: Optional[str]) -> None:
    for name in ("a", "b"):
        if tensors[name].name == "uint8" and precision is None:
            raise ValueError(
                f"{name.upper()} has entries of type uint8, which may be fp8. "
                "Say what they are: precision='e4m3-f32', or precision='uint8-i32' for whole numbers."
            )


def _save(
    tensors: Mapping[str, Tensor], terms: Mapping[str, Any], dtypes: Sequence[str], steps: Sequence[Any], extra: Sequence[Tensor]
) -> Tuple[Optional[str], str]:
    """Saves the operands. Returns the file, and the sentence on how to replay the check."""
    folder = os.environ.get("GEMM_PARANOIA_SAVE")
    stored = {**tensors, **{f"epilogue{at}": one for at, one in enumerate(extra)}}
    size = sum(one.bits.nbytes for one in stored.values())
    if folder is None and size > MOST_SAVED:
        return None, f"Not saved: the operands have {size / 2**20:.0f} MiB. To save them, set GEMM_PARANOIA_SAVE to a folder."
    if size > MOST_REPLAYED:
        return None, f"Not saved: the operands have {size / 2**20:.0f} MiB, and a replay reads 4095. Save them as .npy files with numpy.save."
    try:
        if folder is not None:
            os.makedirs(folder, exist_ok=True)
        handle, path = tempfile.mkstemp(".npz", "gemm-paranoia-", folder)
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **{name: _savable(one) for name, one in stored.items()})
    except OSError as error:
        return None, f"Not saved: {error.strerror}. To save the operands elsewhere, set GEMM_PARANOIA_SAVE to a folder."
    return path, f"Replay: {_replay(path, tensors, terms, dtypes, steps)}"


def _savable(tensor: Tensor) -> np.ndarray:
    bits = tensor.bits.reshape(tensor.shape)
    return bits.view(f"u{bits.itemsize}") if tensor.name in _UNNAMED else bits


def _replay(path: str, tensors: Mapping[str, Tensor], terms: Mapping[str, Any], dtypes: Sequence[str], steps: Sequence[Any]) -> str:
    words = ["npx gemm-paranoia check"]
    words += [f"--{name} {shlex.quote(path)}#{name}" for name in ("a", "b", "c", "bias", "d") if name in tensors]
    if steps:
        words.append(f"--epilogue {shlex.quote(_written(path, steps))}")
    if any(one.name in _UNNAMED for one in tensors.values()):
        words.append(f"--dtype {','.join(dtypes)}")
    for name, value in terms.items():
        text = json.dumps(value, separators=(",", ":")) if name == "claims" else f"{value:.17g}" if isinstance(value, float) else str(value)
        if (name, text) != ("alpha", "1"):
            words.append(f"--{name} {shlex.quote(text)}")
    return " ".join(words)


def _written(path: str, steps: Sequence[Any]) -> str:
    """Writes steps as `check --epilogue` reads them, their tensors by the file."""
    places = (f"{path}#epilogue{at}" for at in itertools.count())

    def placed(value: Any) -> Any:
        return next(places) if isinstance(value, dict) else value

    def word(step: Any) -> str:
        if isinstance(step, str):
            return step
        if isinstance(step, list):
            return f"{step[0]}:{json.dumps(placed(step[1]))}"
        return f"{step['step']}:{json.dumps({key: placed(value) for key, value in step.items() if key != 'step'})}"

    return " ".join(word(step) for step in steps)
