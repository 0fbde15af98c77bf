"""The plugin for pytest: the fixture `paranoia`, and the marker `matmul`, which draws shapes and shrinks those that fail."""

from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any, Dict, Generator, List, Optional, Sequence, Tuple

import pytest

from ._shapes import Shape, drawn_shapes, shape_of, shrunk

if TYPE_CHECKING:
    import numpy as np

    from . import Tolerance

#: Shapes of a test that says no number.
USUAL_SHAPES = 12

#: The seed of a session that says none.
USUAL_SEED = 1

MARKER = (
    "matmul(shapes=12, precisions=None): run the test for shapes (m, k, n), drawn or listed, given as its argument `shape`, and for "
    "precisions, given as its argument `precision`. A failing shape is made smaller."
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gemm-paranoia")
    group.addoption("--paranoia-seed", type=int, default=USUAL_SEED, metavar="N", help=f"Seed of drawn shapes and entries (default: {USUAL_SEED})")
    group.addoption("--paranoia-shape", metavar="MxKxN", help="Run tests with the marker matmul for this shape alone")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    shape = config.getoption("--paranoia-shape")
    if shape is not None:
        try:
            shape_of(shape)
        except ValueError as error:
            raise pytest.UsageError(f"--paranoia-shape: {error}") from None
    config.pluginmanager.register(Tally(config), "gemm-paranoia-tally")


def pytest_report_header(config: pytest.Config) -> str:
    return f"gemm-paranoia: --paranoia-seed {config.getoption('--paranoia-seed')}"


class Tally:
    """Counts the products of a session, those of workers of xdist among them."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.counts: Dict[str, int] = {"checked": 0, "failed": 0}

    def pytest_sessionfinish(self) -> None:
        # On a worker of xdist, what the controller gets.
        output: Optional[Dict[str, Any]] = getattr(self.config, "workeroutput", None)
        if output is not None:
            output["gemm_paranoia"] = self.counts

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        for name, count in getattr(node, "workeroutput", {}).get("gemm_paranoia", {}).items():
            self.counts[name] += count

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        checked, failed = self.counts["checked"], self.counts["failed"]
        if checked > 0:
            products = f"{checked} product{'' if checked == 1 else 's'} checked"
            seed = self.config.getoption("--paranoia-seed")
            terminalreporter.write_line(f"gemm-paranoia: {products}, {failed} failed (--paranoia-seed {seed})")


class Paranoia:
    """The fixture `paranoia`: checks that are counted, and random numbers that follow from the seed and the name of the test."""

    def __init__(self, counts: Dict[str, int], seed: str) -> None:
        self._counts = counts
        self._seed = seed
        self._rng: Optional["np.random.Generator"] = None

    @property
    def rng(self) -> "np.random.Generator":
        """A generator of NumPy."""
        if self._rng is None:
            import numpy as np

            self._rng = np.random.default_rng(list(self._seed.encode()))
        return self._rng

    def again(self) -> "Paranoia":
        """The same random numbers from their beginning, without counts."""
        return Paranoia({"checked": 0, "failed": 0}, self._seed)

    def assert_matmul(self, d: Any, a: Any, b: Any, **terms: Any) -> None:
        """Is `gemm_paranoia.assert_matmul`."""
        __tracebackhide__ = True
        from . import MatmulError, assert_matmul

        self._counts["checked"] += 1
        try:
            assert_matmul(d, a, b, **terms)
        except MatmulError:
            self._counts["failed"] += 1
            raise

    def tolerance(self, *args: Any, **terms: Any) -> "Tolerance":
        """Is `gemm_paranoia.tolerance`."""
        from . import tolerance

        return tolerance(*args, **terms)


@pytest.fixture
def paranoia(request: pytest.FixtureRequest) -> Paranoia:
    """Checks of matrix products: .assert_matmul, .tolerance, and .rng, a seeded generator of NumPy."""
    tally = request.config.pluginmanager.getplugin("gemm-paranoia-tally")
    return Paranoia(tally.counts, f"{request.config.getoption('--paranoia-seed')} {_test_of(request.node)}")


def _test_of(item: pytest.Item) -> str:
    """The name of a test, whatever its parameters: a shape that is asked for alone has the same entries."""
    return item.nodeid.partition("[")[0]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("matmul")
    if marker is None:
        return
    try:
        shapes, precisions = _arguments(*marker.args, **marker.kwargs)
        if "shape" not in metafunc.fixturenames:
            raise ValueError("it has no argument `shape`. Add one: def test(shape, paranoia).")
        if precisions is not None and "precision" not in metafunc.fixturenames:
            raise ValueError("it has no argument `precision`, and the marker has precisions. Add one.")
        found = _shapes(shapes, metafunc)
    except (TypeError, ValueError) as error:
        raise pytest.UsageError(f"{metafunc.definition.nodeid}: the marker matmul cannot be used: {error}") from None
    metafunc.parametrize("shape", found, ids=[str(shape) for shape in found])
    if precisions is not None:
        metafunc.parametrize("precision", precisions)


def _arguments(shapes: Any = USUAL_SHAPES, precisions: Optional[Sequence[str]] = None) -> Any:
    if isinstance(precisions, str):
        raise ValueError(f"precisions is {precisions!r}: a list is needed.")
    return shapes, precisions


def _shapes(shapes: Any, metafunc: pytest.Metafunc) -> List[Shape]:
    alone = metafunc.config.getoption("--paranoia-shape")
    if alone is not None:
        return [shape_of(alone)]
    if not isinstance(shapes, int):
        found = [shape_of(shape) for shape in shapes]
    elif shapes > 0:
        found = drawn_shapes(shapes, f"{metafunc.config.getoption('--paranoia-seed')} {metafunc.definition.nodeid}")
    else:
        found = []
    if not found:
        raise ValueError(f"shapes is {shapes!r}: a number of at least 1 or a list of (m, k, n) is needed.")
    return found


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, None]:
    outcome = yield
    if outcome.excinfo is None or pyfuncitem.get_closest_marker("matmul") is None:
        return
    error = outcome.excinfo[1]
    shape = pyfuncitem.funcargs.get("shape")
    if not isinstance(error, Exception) or not isinstance(shape, Shape) or inspect.iscoroutinefunction(pyfuncitem.obj):
        return
    smallest, tried, last = _shrunk(pyfuncitem, shape, error)
    if smallest == shape:
        return
    seed = pyfuncitem.config.getoption("--paranoia-seed")
    note = (
        f"Smallest failing shape: {smallest} (drawn: {shape}; tried {tried} others).\n"
        f"Replay: pytest '{_test_of(pyfuncitem)}' --paranoia-shape {smallest} --paranoia-seed {seed}"
    )
    noted = _noted(last, note)
    if not hasattr(outcome, "force_exception"):
        raise noted  # pluggy before 1.1
    outcome.force_exception(noted)


def _shrunk(item: pytest.Function, shape: Shape, error: Exception) -> Tuple[Shape, int, Exception]:
    """Runs a failed test with smaller shapes. Returns the smallest one that fails alike, the number of tries, and its error."""
    last = error
    names = item._fixtureinfo.argnames

    def argument(name: str, one: Shape) -> Any:
        value = item.funcargs[name]
        return one if name == "shape" else value.again() if isinstance(value, Paranoia) else value

    def fails(one: Shape) -> bool:
        nonlocal last
        try:
            item.obj(**{name: argument(name, one) for name in names})
        except pytest.skip.Exception:
            return False
        except Exception as found:
            if type(found) is not type(error):
                return False
            _forget(last)
            last = found
            return True
        return False

    return (*shrunk(shape, fails), last)


def _forget(error: Exception) -> None:
    """Deletes the operands of a failure that a smaller one replaces."""
    saved = getattr(error, "saved", None)
    if isinstance(saved, str):
        try:
            os.unlink(saved)
        except OSError:
            pass


def _noted(error: Exception, note: str) -> Exception:
    """Returns the error with a note after its text."""
    if error.args and isinstance(error.args[0], str):
        error.args = (f"{error.args[0]}\n{note}", *error.args[1:])
    elif hasattr(error, "add_note"):
        error.add_note(note)
    return error
