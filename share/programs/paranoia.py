#!/usr/bin/env python3
"""Kernels in Python for gemm-paranoia: npx gemm-paranoia gate matmul.py#matmul

A kernel is a function of two matrices, from any array library:

    def matmul(a, b):
        return a @ b

By default it gets NumPy arrays in f32 (see --precision), and is tested with A·B only. A decorator states more:

    import paranoia
    import torch

    @paranoia.kernel(claims={"order": "sequential"}, precision="f16", array="torch", device="cuda")
    def matmul(a, b): ...

  claims     what the kernel promises, which decides its bound; same keys as "claims" of a config
  precision  f32, f64, f16, c32, c64 (complex64 and complex128), or f16-f32, bf16-f32, tf32-f32: A and B in the first format, sums and
             the result in the second
  accepts    products beyond A·B, as "accepts" of a config: a dict, or "everything".
             Transposes, leading dimensions, offsets and column-major matrices come as views; conjugate transposes as conj() of a view;
             a batch in three dimensions. General strides ("strides") come as views, too.
             With "addresses" the matrices of a batch come as lists, each matrix somewhere in memory and some of them shared; the function
             returns a list, or an array of three dimensions.
             With "alpha" and "beta" the call is matmul(a, b, alpha=…, beta=…, c=…). c is None if beta is 0; A and B are zeros if alpha is 0.
             With "structure": "syrk-lower|trmm-*" the call is matmul(a, b, structure="syrk-lower"); b is None for syrk and herk. What is not
             stored of a triangle is NaN; of D, only the written triangle is judged.
             With "complexFactors" (c32, c64), alpha and beta are both complex if one has an imaginary part.
             In a precision with block factors, such as mxfp8-e4m3, a and b are the elements in float32, and the call is
             matmul(a, b, factors={"a": {"scales": […]}, "b": {"scales": […], "zeros": …}}). Each kind of block has one matrix of
             factors, a factor for each block, with consecutive blocks along k side by side
             With "epilogue" the call is matmul(a, b, epilogue=[{"step": "bias", "values": …}, {"step": "relu"}]); it is empty if nothing
             follows the product. Values are numbers or arrays that broadcast to D: 1 x n, m x 1, or the shape of D
  scales     layout of block factors: plain, or swizzled, in tiles of 128 x 4 as cuBLASLt's matrix units read them
  array      numpy, torch, jax, cupy, or another module with from_dlpack; default: the annotation of the first
             parameter (a: torch.Tensor), else numpy
  device     device of the arrays: "cuda", "cuda:1"; --device sets it for all kernels
  time_limit time limit of one product in seconds

gemm-paranoia finds this module without installation. Elsewhere, add this folder to PYTHONPATH.

  paranoia.py describe FILE            describes the functions of FILE in a line of JSON
  paranoia.py serve FILE FUNCTION      multiplies, with the protocol of gemm_worker.py
"""

import argparse
import datetime
import functools
import importlib
import importlib.util
import inspect
import io
import json
import os
import re
import sys
import time
import traceback
import typing
import zlib


def kernel(function=None, *, claims=None, precision=None, accepts=None, scales=None, array=None, device=None, time_limit=None):
    """Marks a function as a kernel, with its claims and options."""

    def mark(target):
        said = {"claims": claims, "precision": precision, "accepts": accepts, "scales": scales, "timeLimit": time_limit}
        said = {name: value for name, value in said.items() if value is not None}
        try:
            json.dumps(said, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise TypeError(f"claims and accepts of {target.__name__} must be JSON values. Write functions of sizes in a config") from error
        target.paranoia = {"kernel": said, "array": array, "device": device}
        return target

    return mark if function is None else mark(function)


def said_of(function):
    return getattr(function, "paranoia", None) or {"kernel": {}, "array": None, "device": None}


# Formats of A and B, and of the result, by precision. Other precisions keep the format of entries.
FORMATS = {
    "f16": ("float16", "float16"),
    "f32": ("float32", "float32"),
    "f64": ("float64", "float64"),
    "f16-f32": ("float16", "float32"),
    "bf16-f32": ("bfloat16", "float32"),
    "tf32-f32": ("float32", "float32"),
    "c32": ("complex64", "complex64"),
    "c64": ("complex128", "complex128"),
}


class NumPy:
    """Converts NumPy arrays, or views of them, to arrays of a library, and results back; here for NumPy itself."""

    def __init__(self, module, device):
        self.module, self.device = module, device

    def place(self, x, lies, format):
        x = self.typed(self.moved(x), format)
        if lies is None:
            return x
        shape, steps, offset = lies
        return self.view(x[offset:], shape, steps)

    def moved(self, x):
        return x

    def typed(self, x, format):
        if format is None:
            return x
        dtype = getattr(self.module, format, None)
        if dtype is None:
            raise TypeError(f"{self.module.__name__} has no {format}")
        return x.astype(dtype, copy=False)

    def view(self, x, shape, steps):
        return self.module.lib.stride_tricks.as_strided(x, shape, [x.itemsize * step for step in steps])

    def several(self, x, lie, format):
        """Returns the matrices of a batch as views of one memory."""
        x = self.place(x, None, format)
        return [self.view(x[offset:], shape, steps) for shape, steps, offset in lie]

    def fetch(self, d):
        return tools().asarray(d)


class CuPy(NumPy):
    def moved(self, x):
        number = (self.device or "cuda:0").partition(":")[2]
        self.module.cuda.Device(int(number or 0)).use()
        return self.module.asarray(x)

    def fetch(self, d):
        return d.get()


class Torch(NumPy):
    def moved(self, x):
        return self.module.from_dlpack(x).to(self.device or "cpu")

    def typed(self, x, format):
        return x if format is None else x.to(getattr(self.module, format))

    def view(self, x, shape, steps):
        return self.module.as_strided(x, shape, steps)

    def fetch(self, d):
        d = d.detach().cpu()
        # NumPy has no bfloat16; float32 holds all its numbers.
        return (d.float() if d.dtype == self.module.bfloat16 else d).numpy()


class Dense(NumPy):
    """A library whose arrays are not views of memory."""

    def place(self, x, lies, format):
        import numpy

        if lies is not None:
            shape, steps, offset = lies
            x = numpy.lib.stride_tricks.as_strided(x[offset:], shape, [x.itemsize * step for step in steps])
        return self.typed(self.moved(numpy.ascontiguousarray(x).reshape(x.shape)), format)

    def several(self, x, lie, format):
        return [self.place(x, one, format) for one in lie]

    def moved(self, x):
        return self.module.from_dlpack(x)


class Jax(Dense):
    def __init__(self, module, device):
        super().__init__(importlib.import_module("jax.numpy"), device)
        self.jax = module
        # Without it, float64 is float32.
        module.config.update("jax_enable_x64", True)

    def moved(self, x):
        kind, _, number = (self.device or "").partition(":")
        return self.jax.device_put(x, self.jax.devices(kind)[int(number or 0)] if kind else None)


LIBRARIES = {"numpy": NumPy, "cupy": CuPy, "torch": Torch, "jax": Jax}


def library_of(function):
    """Returns the name of the module whose arrays a function accepts."""
    named = said_of(function)["array"]
    if named is not None:
        return named
    try:
        hints = typing.get_type_hints(function)
        first = next(iter(inspect.signature(function).parameters))
    except (NameError, TypeError, ValueError, StopIteration):
        return "numpy"
    root = getattr(hints.get(first), "__module__", "").partition(".")[0]
    root = {"jaxlib": "jax"}.get(root, root)
    return root if root in LIBRARIES else "numpy"


# Shapes of B in structured products, from m, k and n, where they are not k by n; None where B is not stored.
OTHER_SHAPES = {
    "syrk": lambda m, k, n: None,
    "herk": lambda m, k, n: None,
    "syr2k": lambda m, k, n: (m, k),
    "her2k": lambda m, k, n: (m, k),
}


class Function:
    """A function, and the arrays that it accepts."""

    def __init__(self, function, precision, device, answers=None, views=None):
        said = said_of(function)
        self.answers, self.views = answers, views
        name = library_of(function)
        module = importlib.import_module(name)
        self.function = function
        self.arrays = LIBRARIES.get(name, Dense)(module, device or said["device"])
        self.entries, self.sums = FORMATS.get(precision, (None, None))
        accepts = said["kernel"].get("accepts") or {}
        self.takes_epilogue = isinstance(accepts, dict) and "epilogue" in accepts
        self.keywords = [key for key in ("alpha", "beta") if accepts == "everything" or takes(accepts, key)]
        self.takes_lists = takes(accepts, "addresses")
        self.is_structured = isinstance(accepts, dict) and "structure" in accepts
        self.versions = {"python": sys.version.split()[0]}
        for one in ("numpy", name):
            self.versions[one] = str(getattr(importlib.import_module(one), "__version__", "unknown"))

    def answer(self, problem, files, time, factors=None, epilogue=()):
        """Returns D, and the number of entries of A, B and the epilogue that the function changed."""
        m, k, n, batch = (problem[name] for name in ("m", "k", "n", "batch"))
        alpha, beta = factors_in(problem)
        a, b = (file if alpha != 0 else tools().zeros_like(file) for file in files[:2])
        listed = self.takes_lists and batch > 1

        def place(x, laid, rows, cols, format):
            if listed:
                return [conjugated(one, laid) for one in self.arrays.several(x, views(x, laid, batch, rows, cols), format)]
            return conjugated(self.arrays.place(x, view(x, laid, batch, rows, cols), format), laid)

        structure = problem.get("structure", "general")
        shape = OTHER_SHAPES.get(structure.partition("-")[0], lambda m, k, n: (k, n))(m, k, n)
        operands = (
            place(a, problem["a"], m, k, self.entries),
            shape and place(b, problem["b"], *shape, self.entries),
        )
        if self.views is not None and type(self.arrays) is NumPy and a.ndim == b.ndim == 2:
            a, b = operands = self.views.of(*operands)
        steps = [self.step(one, batch, m) for one in epilogue]
        kept = [a, b, *(x for one in epilogue for x in one.values() if hasattr(x, "dtype"))]
        before = [bits(x).copy() for x in kept]
        more = {key: {"alpha": alpha, "beta": beta}[key] for key in self.keywords}
        if self.is_structured:
            more["structure"] = structure
        if "beta" in more:
            more["c"] = None if beta == 0 else place(files[2], problem["c"], m, n, self.sums)
        if factors is not None:
            more["factors"] = {of: self.placed(one) for of, one in factors.items()}
        if self.takes_epilogue:
            more["epilogue"] = steps
        d = self.function(*operands, **more)
        if listed and isinstance(d, (list, tuple)):
            d = tools().array([self.arrays.fetch(one) for one in d])
        elif self.answers is None:
            d = self.arrays.fetch(d)
        else:
            # The file may have replaced functions of NumPy, so they must not convert its result.
            d = self.answers.kept(d if isinstance(d, self.answers.array) else self.arrays.fetch(d))
        changed = sum(int(tools().count_nonzero(bits(x) != old)) for x, old in zip(kept, before))
        return d, {"changed": changed}

    def step(self, said, batch, m):
        """Returns a step with its tensors as arrays of the library; those of all entries of a batch in three dimensions."""
        put = lambda x: self.arrays.place(x if batch == 1 or len(x) != batch * m else x.reshape(batch, m, x.shape[1]), None, None)
        return {key: put(value) if hasattr(value, "dtype") else value for key, value in said.items()}

    def placed(self, factors):
        """Returns factors of blocks as arrays of the library, in their own format."""
        put = lambda x: self.arrays.place(x, None, None)
        found = {"scales": [put(x) for x in factors["scales"]]}
        return {**found, "zeros": put(factors["zeros"])} if "zeros" in factors else found


class Tools:
    """Functions of NumPy, taken before a file is loaded that may replace them."""

    NAMES = ("load", "zeros_like", "count_nonzero", "asarray", "array", "array_equal", "broadcast_to", "full", "ndarray")

    def __init__(self):
        import numpy

        for name in self.NAMES:
            setattr(self, name, getattr(numpy, name))


@functools.cache
def tools():
    return Tools()


class Views:
    """
    Memory layouts of the matrices of an untrusted function, as in NumPy programs: half are views of other memory. A matrix times itself
    is one array; a matrix times its transpose is an array and its view. The simulated time of a product and its sizes decide the layout,
    so a repetition has the same one.
    """

    def __init__(self, clock):
        self.clock = clock

    def of(self, a, b):
        if a.shape == b.shape and a.size > 1 and tools().array_equal(a, b):
            a = self.laid(a, self.drawn(a, b))
            return a, a
        if a.shape == b.T.shape and a.size > 1 and tools().array_equal(a, b.T):
            a = self.laid(a, self.drawn(a, b))
            return a, a.T
        drawn = self.drawn(a, b)
        return self.laid(a, drawn), self.laid(b, drawn >> 8)

    def drawn(self, a, b):
        """Returns a random number; 0 means that both matrices keep their layout."""
        last = None if self.clock is None else self.clock.last
        number = zlib.crc32(repr((last, a.shape, b.shape)).encode())
        return 0 if number & 1 else number >> 1

    @staticmethod
    def laid(x, drawn):
        """Returns the same numbers: column-major, with gaps, reversed, inside of another matrix, or as one repeated row."""
        rows, cols = x.shape
        if x.size == 0:
            return x
        gaps = lambda *shape: tools().full(shape, float("nan"), x.dtype)
        ways = (
            lambda: None,
            lambda: gaps(cols, rows).T,
            lambda: gaps(rows, 2 * cols)[:, ::2],
            lambda: gaps(3 * rows, cols)[::3],
            lambda: gaps(rows, cols)[::-1],
            lambda: gaps(rows, cols)[:, ::-1],
            lambda: gaps(rows + 2, cols + 3)[1:-1, 2:-1],
            lambda: gaps(2 * cols, 2 * rows)[::-2, ::-2].T,
        )
        if rows > 1 and drawn % len(ways) > 0 and tools().count_nonzero(bits(x[1:]) != bits(x[:-1])) == 0:
            return tools().broadcast_to(x[:1], x.shape)
        view = ways[drawn % len(ways)]()
        if view is None:
            return x
        view[...] = x
        return view


class Clock:
    """
    Simulated clock for all Python code of this process, in `time` and `datetime`. Running clocks (monotonic, perf_counter) get an offset,
    which grows when the time is set; waits with a timeout use the real clock of the interpreter.
    """

    # The largest age of a process at its start, as a power of two in seconds, and the largest step of its clock in seconds.
    LONGEST, PAUSE, REMAINDERS = 21, 600, 997

    def __init__(self, milliseconds):
        self.true, self.last, self.is_asked = time.time_ns, None, False
        self.more = int(1e9 * 2 ** (self.LONGEST * (milliseconds % self.REMAINDERS) / self.REMAINDERS))
        self.set(milliseconds)
        now, now_ns = lambda: self.now() / 1e9, self.now
        whole = lambda seconds: int(now()) if seconds is None else seconds
        time.time, time.time_ns = now, now_ns
        for name in ("gmtime", "localtime", "ctime"):
            setattr(time, name, self.reading(getattr(time, name), whole))
        strftime, asctime = time.strftime, time.asctime
        time.strftime = lambda format, t=None: strftime(format, time.localtime() if t is None else t)
        time.asctime = lambda t=None: asctime(time.localtime() if t is None else t)
        for name, told, of in (("clock_gettime", now, lambda ns: ns / 1e9), ("clock_gettime_ns", now_ns, int)):
            if hasattr(time, name):  # Windows has none.
                setattr(time, name, self.clock(getattr(time, name), told, of))
        for name in ("monotonic", "perf_counter"):
            ticks = getattr(time, name + "_ns")
            setattr(time, name, lambda ticks=ticks: (ticks() + self.more) / 1e9)
            setattr(time, name + "_ns", lambda ticks=ticks: ticks() + self.more)
        datetime.date, datetime.datetime = self.dates(datetime.date, datetime.datetime, now)

    def set(self, milliseconds):
        is_asked, self.is_asked = self.is_asked, self.last is not None
        if milliseconds == self.last:
            return  # It runs on.
        if is_asked:  # The first time that is set does not age the process.
            self.more += milliseconds % self.PAUSE * 1_000_000_000
        self.last = milliseconds
        self.shift = milliseconds * 1_000_000 - self.true()

    def now(self):
        return self.true() + self.shift

    @staticmethod
    def reading(function, whole):
        return lambda seconds=None: function(whole(seconds))

    def clock(self, function, told, unit):
        running = {getattr(time, name, None) for name in ("CLOCK_MONOTONIC", "CLOCK_MONOTONIC_RAW", "CLOCK_BOOTTIME")} - {None}
        later = lambda of: unit(self.more) if of in running else 0
        return lambda of: told() if of == time.CLOCK_REALTIME else function(of) + later(of)

    @staticmethod
    def dates(date, moment, now):
        """Returns substitutes for classes of `datetime`; objects of the interpreter are their instances, too."""

        class Told(type):
            def __instancecheck__(cls, one):
                return isinstance(one, shown.get(cls)) if cls in shown else type.__instancecheck__(cls, one)

            def __subclasscheck__(cls, one):
                return issubclass(one, shown.get(cls)) if cls in shown else type.__subclasscheck__(cls, one)

        def told(base, **methods):
            made = {name: classmethod(method) for name, method in methods.items()}
            return Told(base.__name__, (base,), {"__module__": base.__module__, "__slots__": (), **made})

        utc = datetime.timezone.utc
        shown = {}
        day = told(date, today=lambda cls: cls.fromtimestamp(now()))
        instant = told(
            moment,
            now=lambda cls, tz=None: cls.fromtimestamp(now(), tz),
            utcnow=lambda cls: cls.fromtimestamp(now(), utc).replace(tzinfo=None),
            today=lambda cls: cls.fromtimestamp(now()),
        )
        shown.update({day: date, instant: moment})
        return day, instant


class Looks:
    """Accesses of an untrusted file that reveal its caller, by audit events of the interpreter. Accesses by libraries do not count."""

    TELLING = re.compile(
        r"/proc/?$|/proc/(self|thread-self|\d+)(?!/(maps|statm|smaps|smaps_rollup|io|numa_maps|auxv)$)"
        r"|/proc/(net|mounts|keys|sys/kernel/(hostname|domainname|random/boot_id|seccomp))"
        r"|/(\.dockerenv|run/(\.containerenv|systemd/container))|/etc/(hostname|hosts|machine-id|resolv\.conf)$"
        r"|/sys/(class/(dmi|net)|hypervisor|kernel/security)"
    )
    COMMANDS = re.compile(
        r"/proc/(self|\d|\$)|(^|[\s\"'/;|&])(ps|pgrep|pstree|hostname|systemd-detect-virt|printenv|lsof|strace)([\"'\s;|&]|$)"
    )
    FILES = ("open", "os.listdir", "os.scandir")
    NETWORK = ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostname")
    FRAMES = ("sys._getframe", "sys._current_frames", "gc.get_objects", "gc.get_referrers", "gc.get_referents")
    PROGRAMS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn")

    def __init__(self, path):
        self.path, self.told, self.found = path, set(), []
        # Local names, which the file cannot replace.
        frame, match, text, search = sys._getframe, self.TELLING.match, os.fsdecode, self.COMMANDS.search
        files, network, frames, programs = map(frozenset, (self.FILES, self.NETWORK, self.FRAMES, self.PROGRAMS))
        every = files | network | frames | programs
        told, found, library = self.told, self.found, re.compile(r"[/\\](site|dist)-packages[/\\]").search
        busy = []

        def own(inner):
            """Returns True if the file is the caller, itself or through the standard library."""
            at = inner
            while at is not None:
                name = at.f_code.co_filename
                if name == path:
                    return True
                if library(name):
                    return False
                at = at.f_back
            return False

        def hook(event, given):
            if event not in every or busy:
                return
            busy.append(1)
            try:
                if event in files:
                    what = text(given[0]) if isinstance(given[0], (str, bytes, os.PathLike)) else ""
                    if not match(what):
                        return
                elif event in programs:
                    if not search(repr(given[:2])):
                        return
                    what = "lists of processes from other programs"
                else:
                    what = "the network" if event in network else "its callers"
                inner = frame(1)
                # Logging and class definitions read their own frames.
                if event == "sys._getframe" and inner.f_code.co_filename != path and not asks(inner.f_code.co_filename):
                    return
                if what not in told and own(inner):
                    told.add(what)
                    found.append(what)
            except Exception:
                return
            finally:
                busy.clear()

        asks = re.compile(r"[/\\](inspect|traceback)\.py$").search
        sys.addaudithook(hook)

    def seen(self):
        """Returns the accesses since the last call."""
        found = self.found[:]
        del self.found[: len(found)]
        return found


def hide(path):
    """Makes this process look like one that runs the file, so that it does not reveal its caller."""
    sys.argv = [path]
    if hasattr(sys, "orig_argv"):
        sys.orig_argv = [sys.executable, path]
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [folder for folder in sys.path if folder != here]
    shown = type(sys)("__main__")
    shown.__file__ = path
    sys.modules["__main__"] = shown
    try:
        import ctypes

        with open("/proc/self/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        # arg_start, arg_end, env_start and env_end of proc_pid_stat(5).
        words, words_end, variables, variables_end = map(int, fields[45:49])
        told = b"python3\0" + os.fsencode(path) + b"\0"
        if words and len(told) <= words_end - words:
            ctypes.memset(words, 0, words_end - words)
            ctypes.memmove(words, told, len(told))
        kept = b"".join(one + b"\0" for one in ctypes.string_at(variables, variables_end - variables).split(b"\0") if one and not one.startswith(b"GEMM_"))
        ctypes.memset(variables, 0, variables_end - variables)
        ctypes.memmove(variables, kept, len(kept))
    except (ImportError, OSError, ValueError):
        pass  # Other systems have no /proc.


class Answers:
    """Results of an untrusted file. Made before the file is loaded, with the original NumPy."""

    def __init__(self):
        self.array, self.copied, self.given = tools().ndarray, tools().array, []

    def kept(self, d):
        """Returns a copy of a result; the original is compared with it before later results."""
        for answer, copy in self.given:
            if answer.tobytes() != copy.tobytes():
                self.given = []
                raise ValueError("it modified a result after returning it")
        if type(d) is not self.array or d.dtype.kind not in "fc":
            raise TypeError(f"it returned {type(d).__name__} of {getattr(d, 'dtype', 'no dtype')}, expected an array of floating-point numbers")
        self.given = [*self.given[-7:], (d, self.copied(d, order="C"))]
        return self.given[-1][1]


def factors_in(problem):
    """Returns alpha and beta: complex numbers if one of them has an imaginary part."""
    alpha, beta = problem["alpha"], problem["beta"]
    imaginary = problem.get("imaginary")
    return (alpha, beta) if imaginary is None else (complex(alpha, imaginary["alpha"]), complex(beta, imaginary["beta"]))


def takes(accepts, key):
    return isinstance(accepts, dict) and accepts.get(key) is True


def bits(x):
    """Returns the bits of entries, so that NaN equals itself."""
    return x.reshape(-1, order="A").view(f"u{min(x.itemsize, 8)}")


def conjugated(x, laid):
    """Returns the operand in memory, or its conjugate if "op" is c."""
    return x.conj() if laid["op"] == "c" else x


def view(x, laid, batch, rows, cols):
    """Returns shape, strides and offset, in entries, of matrices in a list of entries; None if x is a matrix already."""
    if x.ndim != 1:
        return None
    lines_are_columns = (laid["op"] != "n") == (laid["order"] == "row")
    inc = laid.get("inc", 1)
    steps = (inc, laid["ld"]) if lines_are_columns else (laid["ld"], inc)
    if batch == 1:
        return (rows, cols), steps, laid["offset"]
    return (batch, rows, cols), (laid["stride"], *steps), laid["offset"]


def views(x, laid, batch, rows, cols):
    """Returns shape, strides and offset of each matrix of a batch."""
    shape, steps, _ = view(x, laid, 1, rows, cols)
    regular = (laid["offset"] + p * laid["stride"] for p in range(batch))
    return [(shape, steps, at) for at in laid.get("addresses", regular)]


def exactly(stream, length):
    data = stream.read(length)
    if len(data) < length:
        raise EOFError(f"{length} bytes were announced, but {len(data)} arrived")
    return data


def output():
    """Returns a function that writes a line of JSON and bytes after it. All other output goes to standard error."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def say(line, tail=b""):
        out.write(json.dumps(line).encode() + b"\n" + tail)
        out.flush()

    return say


def written(d):
    """Returns an array as a .npy file (numpy.lib.format, version 1.0), without functions that a file may have replaced."""
    fortran = d.flags.f_contiguous and not d.flags.c_contiguous
    return npy(d.dtype.str, fortran, d.shape) + d.tobytes("F" if fortran else "C")


def npy(type, fortran, shape):
    """Returns the header of a .npy file."""
    head = f"{{'descr': '{type}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode()


# Taken before any file is loaded.
READ, MEMORY = json.loads, io.BytesIO


def serve(say, versions, answer, reason=lambda error: str(error) or type(error).__name__, clock=None, looks=None):
    """Answers requests of standard input until it ends; answer(problem, arrays, time) returns D and further fields of the answer."""
    load, read, memory, source = tools().load, READ, MEMORY, sys.stdin.buffer
    say({"ready": True, "versions": versions, "pings": True, "apart": True})
    for line in source:
        request = read(line)
        if "ping" in request:
            say({"pong": request["ping"]})
            continue
        try:
            if clock is not None and "clock" in request:
                clock.set(request["clock"])
            array = lambda length: load(memory(exactly(source, length)), allow_pickle=False)
            arrays = [array(request[name]) for name in ("a", "b", "c") if name in request]
            factors = {of: factors_of(said, array) for of, said in request.get("factors", {}).items()}
            steps = [steps_of(said, array) for said in request.get("epilogue", [])]
            beside = {**({"factors": factors} if factors else {}), **({"epilogue": steps} if steps else {})}
            if "apart" in request:
                file, beside = apart(request, arrays, answer)
            else:
                d, beside = answer(request["problem"], arrays, request.get("time", {}), **beside)
                file = written(d)
            saw = [] if looks is None else looks.seen()
            say({"id": request["id"], "d": len(file), **beside, **({"saw": saw} if saw else {})}, file)
        except EOFError:
            return
        except Exception as error:
            say({"id": request["id"], "error": reason(error)})


def apart(request, arrays, answer):
    """Returns the products of small matrices as a .npy file of all their entries, by one call each, and the number of changed entries."""
    (a, b), at, all, changed = (x.reshape(-1) for x in arrays[:2]), [0, 0], [], 0
    for m, k, n in request["apart"]:
        own = [x[start:start + length].reshape(shape).copy() for x, start, length, shape in ((a, at[0], m * k, (m, k)), (b, at[1], k * n, (k, n)))]
        at = [at[0] + m * k, at[1] + k * n]
        d, beside = answer({**request["problem"], "m": m, "k": k, "n": n}, own, {})
        if d.shape != (m, n) or d.dtype != (all[0] if all else d).dtype:
            raise TypeError(f"it returned {d.shape} of {d.dtype}, expected {(m, n)} of {(all[0] if all else d).dtype}")
        all.append(d)
        changed += beside.get("changed", 0)
    return npy(all[0].dtype.str, False, (1, sum(d.size for d in all))) + b"".join(d.tobytes() for d in all), {"changed": changed}


def factors_of(said, array):
    """Reads the block factors of an operand, from the smallest blocks to the largest, and its zero points."""
    found = {"scales": [array(length) for length in said["scales"]]}
    return {**found, "zeros": array(said["zeros"])} if "zeros" in said else found


def steps_of(said, array):
    """Reads the tensors of a step of an epilogue."""
    return {key: array(value["npy"]) if isinstance(value, dict) else value for key, value in said.items()}


# This module, which hide() replaces as the main one.
this = sys.modules[__name__]


def unnamed(path):
    """Returns True if a file does not name this module, so that it cannot need it."""
    with open(path, "rb") as file:
        return b"paranoia" not in file.read()


def loaded(path, wary=False):
    """Loads the module in a file, which may import this module and files beside it."""
    if not (wary and unnamed(path)):
        sys.modules.setdefault("paranoia", this)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(spec.name, module)
    spec.loader.exec_module(module)
    return module


def functions_in(module):
    """Returns the kernels of a module: marked functions, or else its own public ones."""
    named = {name: value for name, value in vars(module).items() if callable(value)}
    marked = {name: value for name, value in named.items() if isinstance(getattr(value, "paranoia", None), dict)}
    own = {
        name: value
        for name, value in named.items()
        if not name.startswith("_") and not isinstance(value, type) and value.__module__ == module.__name__
    }
    return marked or own


def reason_in(path):
    """Returns a function that describes an error, with the last line of the file in its traceback."""

    def reason(error):
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        where = "" if line is None or f"line {line}" in said else f" (line {line})"
        return said.replace("\n", " ") + where

    return reason


def described(module):
    """Describes a module: the options of its kernels, all callables, and missing packages by kernel."""
    shown = {name: said_of(value)["kernel"] for name, value in functions_in(module).items()}
    every = [name for name, value in vars(module).items() if callable(value) and not name.startswith("__")]
    missing = {name: without(library_of(getattr(module, name))) for name in shown}
    return {"functions": shown, "callable": every, "missing": {name: why for name, why in missing.items() if why}}


def without(name):
    """Returns the message for a module that is not installed; None if it is."""
    root = name.partition(".")[0]
    if importlib.util.find_spec(root) is not None:
        return None
    title = {"numpy": "NumPy", "torch": "PyTorch", "jax": "JAX", "cupy": "CuPy"}.get(root, root)
    return f"{sys.executable} has no {title}. Run: {sys.executable} -m pip install {root}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["describe", "serve"])
    parser.add_argument("file")
    parser.add_argument("function", nargs="?")
    parser.add_argument("--precision", default="f32")
    parser.add_argument("--device")
    parser.add_argument("--wary", action="store_true", help="untrusted file: compare its results again later, hide the caller")
    options = parser.parse_args()
    path = os.path.abspath(options.file)
    reason = reason_in(path)
    say = output()
    try:
        tools()  # Requests and answers need NumPy.
        answers = Answers() if options.wary else None
        told = os.environ.pop("GEMM_PARANOIA_CLOCK", None)
        clock = None if told is None else Clock(int(told))
        looks = Looks(path) if options.wary else None
        if options.wary:
            hide(path)
        module = loaded(path, options.wary)
        if options.command == "describe":
            return say(described(module))
        views = Views(clock) if options.wary else None
        function = Function(getattr(module, options.function), options.precision, options.device, answers, views)
    except ModuleNotFoundError as error:
        return say({"ready": False, "error": without(error.name or "") or reason(error)})
    except Exception as error:
        return say({"ready": False, "error": reason(error)})
    serve(say, function.versions, function.answer, reason, clock, looks)


if __name__ == "__main__":
    main()
