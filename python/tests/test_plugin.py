"""The plugin, in sessions of its own."""

import re

import pytest

pytest.importorskip("pytest")

KERNELS = """
import numpy as np
import pytest

def product(shape, paranoia, dtype="f4"):
    m, k, n = shape
    return paranoia.rng.uniform(-1, 1, (m, k)).astype(dtype), paranoia.rng.uniform(-1, 1, (k, n)).astype(dtype)

def in_fours(a, b):
    k = a.shape[1] // 4 * 4
    return a[:, :k] @ b[:k]
"""


@pytest.fixture
def session(pytester, request):
    def run(test, *options):
        pytester.makepyfile(KERNELS + test)
        given = ["-p", "no:cacheprovider", *options]
        # Where the package is not installed, but lies in the path.
        if not any(one.name == "gemm_paranoia" for _, one in request.config.pluginmanager.list_plugin_distinfo() for one in one.entry_points):
            given += ["-p", "gemm_paranoia.pytest_plugin"]
        return pytester.runpytest_subprocess(*given)

    return run


def test_shapes_are_drawn_and_counted(session):
    result = session(
        """
@pytest.mark.matmul(shapes=8)
def test(shape, paranoia):
    a, b = product(shape, paranoia)
    paranoia.assert_matmul(a @ b, a, b)
"""
    )
    result.assert_outcomes(passed=8)
    result.stdout.fnmatch_lines(["gemm-paranoia: --paranoia-seed 1", "gemm-paranoia: 8 products checked, 0 failed (--paranoia-seed 1)"])


def test_the_seed_decides_what_is_drawn(session):
    test = """
@pytest.mark.matmul(shapes=9)
def test(shape, paranoia):
    print("drew", shape, "and", paranoia.rng.integers(10**9))
"""

    def drawn(*options):
        found = re.findall(r"drew (\S+) and (\S+)", session(test, "-s", *options).stdout.str())
        return [set(of) for of in zip(*found)]

    shapes, entries = drawn()
    # The entries follow from seed and test alone, so that a shape can be asked for by itself.
    assert (len(shapes), len(entries)) == (9, 1)
    assert drawn() == [shapes, entries]
    others, other_entries = drawn("--paranoia-seed", "2")
    assert not shapes & others and not entries & other_entries


def test_a_failing_shape_is_made_smaller_and_can_be_asked_for_alone(session, saved):
    test = """
@pytest.mark.matmul(shapes=[(64, 37, 23), (8, 8, 8)], precisions=["f32", "f64"])
def test(shape, precision, paranoia):
    a, b = product(shape, paranoia, {"f32": "f4", "f64": "f8"}[precision])
    if shape.k > 5:
        paranoia.assert_matmul(in_fours(a, b), a, b)
"""
    result = session(test)
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["*D = A·B, m=1, k=9, n=1*", "*Smallest failing shape: 1x9x1 (drawn: 64x37x23; tried *"])
    # Of all failures on the way, only the operands of the smallest are kept.
    assert len(list(saved.iterdir())) == 2
    result.stdout.fnmatch_lines(["gemm-paranoia: 4 products checked, 2 failed *"])
    found = re.search(r"found (\\S+), expected (\\S+)", result.stdout.str())
    alone = session(test, "--paranoia-shape", "1x9x1")
    alone.assert_outcomes(failed=2)
    assert re.search(r"found (\\S+), expected (\\S+)", alone.stdout.str()) == found


def test_any_exception_is_made_smaller_and_others_do_not_count(session):
    result = session(
        """
@pytest.mark.matmul(shapes=[(40, 6, 9)])
def test(shape):
    if shape.m < 7:
        pytest.skip("too small")
    if shape.n == 1:
        raise ValueError("another")
    raise KeyError(f"no {shape}")
"""
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*Smallest failing shape: 7x1x2 (drawn: 40x6x9;*"])


@pytest.mark.parametrize(
    "marker, sentence",
    [
        ("shapes=0", "shapes is 0: a number of at least 1 or a list"),
        ("shapes=[]", "a number of at least 1 or a list"),
        ("shapes=[(1, 2)]", "(1, 2) is no shape of a product"),
        ("shapes=[(1, -2, 3)]", "is no shape of a product"),
        ("sizes=3", "unexpected keyword argument 'sizes'"),
        ("precisions='f32'", "a list is needed"),
        ("precisions=['f32']", "it has no argument `precision`"),
    ],
)
def test_a_wrong_marker_is_refused(session, marker, sentence):
    result = session(f"@pytest.mark.matmul({marker})\ndef test(shape): pass")
    assert result.ret != 0
    assert sentence in result.stdout.str() + result.stderr.str()


def test_a_test_without_the_argument_is_refused(session):
    result = session("@pytest.mark.matmul(shapes=2)\ndef test(paranoia): pass")
    assert result.ret != 0
    assert "it has no argument `shape`" in result.stdout.str() + result.stderr.str()


def test_a_wrong_shape_on_the_command_line_is_refused(session):
    result = session("def test(): pass", "--paranoia-shape", "64xx")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--paranoia-shape: '64xx' is no shape of a product*"])


def test_workers_of_xdist_draw_the_same_and_are_counted_together(session):
    pytest.importorskip("xdist")
    test = """
@pytest.mark.matmul(shapes=8)
def test(shape, paranoia):
    a, b = product(shape, paranoia)
    paranoia.assert_matmul(a @ b, a, b)
"""
    result = session(test, "-n", "2", "--paranoia-seed", "5")
    result.assert_outcomes(passed=8)
    result.stdout.fnmatch_lines(["gemm-paranoia: 8 products checked, 0 failed (--paranoia-seed 5)"])


def test_drawn_shapes_are_of_every_kind():
    from gemm_paranoia._shapes import TILES, drawn_shapes

    shapes = drawn_shapes(60, "1")
    sizes = [size for shape in shapes for size in shape]
    assert len(set(shapes)) == 60 and min(sizes) == 1
    assert {shape.m > 6 * shape.n for shape in shapes} == {True, False}
    assert any(shape.n > 6 * shape.m for shape in shapes) and any(shape.k > 6 * shape.m for shape in shapes)
    for near in (-1, 0, 1):
        assert any(size - near in TILES for size in sizes)
