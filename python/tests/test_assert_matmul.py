import shlex
import subprocess

import numpy as np
import pytest

import gemm_paranoia as paranoia
from gemm_paranoia import _checks
from gemm_paranoia._command import find_command


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (17, 33, 5), (64, 64, 64), (3, 200, 1)])
def test_passes_a_product(pair, shape, dtype):
    a, b = pair(*shape, dtype)
    # NumPy rounds every sum of binary16: that is the precision f16.
    paranoia.assert_matmul(a @ b, a, b, precision="f16" if dtype == "float16" else None)


def test_fails_one_wrong_entry_and_says_where_and_how_far(pair):
    a, b = pair(24, 40, 16)
    d = a @ b
    d[3, 5] += 0.1
    with pytest.raises(AssertionError) as caught:
        paranoia.assert_matmul(d, a, b)
    text = str(caught.value)
    first = text.splitlines()[4].split()
    assert first[:2] == ["(3,", "5)"]
    assert "FAIL: 1 of 384 entries exceeds its error bound" in " ".join(text.split())
    assert "only entry (3, 5)" in " ".join(text.split())
    assert len(text.splitlines()) <= 24 and max(map(len, text.splitlines()[:-1])) <= 80
    assert caught.value.verdict == "fail"
    assert (caught.value.found["worst"][0]["i"], caught.value.found["worst"][0]["j"]) == (3, 5)


def replayed(error):
    """Runs the command of an error as a shell does."""
    words = shlex.split(str(error).rpartition("Replay: ")[2].splitlines()[0])
    assert words[:2] == ["npx", "gemm-paranoia"]
    return subprocess.run([*find_command(), *words[2:]], capture_output=True, text=True, check=False)


def test_saves_operands_for_a_replay_that_finds_the_same(pair):
    a, b = pair(8, 12, 4)
    with pytest.raises(paranoia.MatmulError) as caught:
        paranoia.assert_matmul(2 * (a @ b) + 1, a, b, alpha=2, bias=np.zeros(4, "f4"), claims={"order": "pairwise"}, sigmas=7)
    done = replayed(caught.value)
    assert done.returncode == 1, done.stderr
    assert done.stdout.split() == str(caught.value).partition("\nReplay")[0].split()
    kept = np.load(caught.value.saved)
    assert sorted(kept) == ["a", "b", "bias", "d"]
    assert np.array_equal(kept["a"], a)


def test_replays_c_and_beta(pair):
    a, b = pair(8, 12, 4)
    c = np.ones((8, 4), "f4")
    with pytest.raises(paranoia.MatmulError) as caught:
        paranoia.assert_matmul(a @ b, a, b, c=c, beta=0.5)
    assert "--beta 0.5" in str(caught.value)
    assert replayed(caught.value).returncode == 1


def test_alpha_beta_c_and_bias_are_read(pair):
    a, b = pair(9, 20, 7)
    c, row = pair(9, 1, 7)[0] * np.ones((9, 7), "f4"), pair(1, 1, 7)[1]
    paranoia.assert_matmul(2 * (a @ b) + 0.5 * c, a, b, c=c, alpha=2, beta=0.5)
    paranoia.assert_matmul(a @ b + row, a, b, bias=row)
    paranoia.assert_matmul(a @ b + row, a, b, bias=row[0])
    paranoia.assert_matmul(a @ b, a, b, c=c, beta=0)
    for wrong in ({"c": c, "beta": 0.25}, {"alpha": 1.5}, {"bias": row[:, ::-1]}, {}):
        with pytest.raises(paranoia.MatmulError):
            paranoia.assert_matmul(2 * (a @ b) + 0.5 * c, a, b, **{"alpha": 2, **wrong})


def test_claims_and_sigmas_are_what_it_is_held_to(pair):
    a, b = pair(16, 4096, 4)
    off = (paranoia.exact_matmul(a, b) * (1 + 3e-4)).astype("float32")
    paranoia.assert_matmul(off, a, b)
    for terms in ({"sigmas": 6}, {"claims": {"order": "pairwise"}}):
        paranoia.assert_matmul(paranoia.exact_matmul(a, b).astype("float32"), a, b, **terms)
        with pytest.raises(paranoia.MatmulError):
            paranoia.assert_matmul(off, a, b, **terms)


@pytest.mark.parametrize("batch", [((), (3,)), ((3,), ()), ((3,), (3,)), ((2, 1), (1, 3)), ((2, 3), (3,)), ((1, 2), (2,))])
def test_batches_broadcast(batch):
    rng = np.random.default_rng(5)
    a = rng.uniform(-1, 1, (*batch[0], 5, 8)).astype("f4")
    b = rng.uniform(-1, 1, (*batch[1], 8, 6)).astype("f4")
    d = a @ b
    paranoia.assert_matmul(d, a, b)
    wrong = d.copy()
    wrong.reshape(-1, 5, 6)[-1, 2, 3] += 1
    with pytest.raises(paranoia.MatmulError, match="1 of "):
        paranoia.assert_matmul(wrong, a, b)


def test_views_are_read_by_their_strides(pair):
    a, b = pair(12, 20, 14)
    wide = np.full((24, 28), np.nan, "f4")
    wide[::2, ::2] = a.T.copy().T @ b
    paranoia.assert_matmul(wide[::2, ::2], np.asfortranarray(a), b)
    paranoia.assert_matmul((a @ b)[::-1, ::-1], a[::-1], b[:, ::-1])
    paranoia.assert_matmul(a.T[:8] @ b[:12], a.T[:8], b[:12])
    big = a.astype(">f4")
    paranoia.assert_matmul(a @ b, big, b)


def test_whole_numbers_are_exact():
    a = np.arange(-8, 7, dtype="int8").reshape(3, 5)
    d = a.astype("int32") @ a.T.astype("int32")
    paranoia.assert_matmul(d, a, a.T)
    d[0, 0] += 1
    with pytest.raises(paranoia.MatmulError):
        paranoia.assert_matmul(d, a, a.T)


def test_nan_must_stand_where_the_exact_product_has_it(pair):
    a, b = pair(6, 5, 4)
    a[2, 3] = np.nan
    with pytest.warns(RuntimeWarning, match="reach 4 of 24 entries of D"):
        paranoia.assert_matmul(a @ b, a, b)
    clean = np.nan_to_num(a @ b)
    with pytest.warns(RuntimeWarning), pytest.raises(paranoia.MatmulError, match=r"\(2, 0\)"):
        paranoia.assert_matmul(clean, a, b)


def test_no_terms_make_zeros():
    a, b = np.zeros((3, 0), "f4"), np.zeros((0, 4), "f4")
    paranoia.assert_matmul(np.zeros((3, 4), "f4"), a, b)
    with pytest.raises(paranoia.MatmulError, match="12 of 12 entries"):
        paranoia.assert_matmul(np.ones((3, 4), "f4"), a, b)


def test_tolerance_fits_correct_products_and_no_worse_ones(pair):
    a, b = pair(32, 256, 32)
    found = paranoia.tolerance(k=256)
    expected = paranoia.exact_matmul(a, b)
    np.testing.assert_allclose(a @ b, expected, rtol=found.rtol, atol=found.atol)
    assert 0 < found.sigma < found.atol < found.bound
    assert paranoia.tolerance(k=256, precision="f16").atol > 1000 * found.atol
    own = paranoia.tolerance(a=a, b=b)
    assert (own.k, own.precision) == (256, "f32")
    assert "torch.testing.assert_close" in [one["name"] for one in own.known]


def test_the_exact_product_is_rounded_once(pair):
    a = np.array([[2.0**60, 1, -(2.0**60)]])
    assert paranoia.exact_matmul(a, np.ones((3, 1))).tolist() == [[1]]
    x, y = pair(7, 300, 5, "float64")
    from fractions import Fraction

    exact = [[float(sum(Fraction(p) * Fraction(q) for p, q in zip(row, col))) for col in y.T.tolist()] for row in x.tolist()]
    assert paranoia.exact_matmul(x, y).tolist() == exact
    batch = paranoia.exact_matmul(np.stack([x, 2 * x]), y)
    assert np.array_equal(batch[1], 2 * batch[0])
    assert paranoia.exact_matmul(np.zeros((2, 0)), np.zeros((0, 3))).tolist() == [[0, 0, 0]] * 2


def test_judge_returns_the_verdict_of_a_file(monkeypatch):
    from kernels import off_by_one

    found = paranoia.judge(off_by_one, "--cases", "20", "--seed", "3")
    assert found["verdict"] == "fail" and found["failures"]
    with pytest.raises(ValueError, match="no function at the top of a file"):
        paranoia.judge(lambda a, b: a @ b)
    with pytest.raises(ValueError, match='Unknown option of judge "--no-such-option"'):
        paranoia.judge(off_by_one, "--no-such-option")
    monkeypatch.setenv("GEMM_PARANOIA", "/bin/echo")
    with pytest.raises(paranoia.SessionError, match="No verdict: gemm-paranoia ended with exit code 0"):
        paranoia.judge(off_by_one)


def test_passes_an_epilogue(pair):
    a, b = pair(6, 40, 8)
    bias = np.linspace(-1, 1, 8).astype("f4")
    x = a @ b + bias
    silu = (x / (1 + np.exp(-x))).astype("f4")
    paranoia.assert_matmul(silu, a, b, epilogue=[("bias", bias), "silu"])
    codes = np.clip(np.rint(silu / np.float32(0.05)) + 3, -128, 127).astype("i1")
    paranoia.assert_matmul(codes, a, b, bias=bias, epilogue=["silu", ("requantize", {"to": "int8", "scale": 0.05, "zeroPoint": 3})])
    left, right = x[:, :4], x[:, 4:]
    paranoia.assert_matmul(left / (1 + np.exp(-left)) * right, a, b, bias=bias, epilogue=["swiglu"])


def test_fails_an_epilogue_by_name_and_replays_it(pair):
    a, b = pair(6, 40, 8)
    bias = np.linspace(-1, 1, 8).astype("f4")
    with pytest.raises(paranoia.MatmulError) as caught:
        paranoia.assert_matmul(np.maximum(a @ b, 0) + bias, a, b, epilogue=[("bias", bias), "relu"])
    assert "likely mistake: bias was applied after relu" in " ".join(str(caught.value).split())
    done = replayed(caught.value)
    assert done.returncode == 1, done.stderr
    assert "bias was applied after relu" in " ".join(done.stdout.split())


@pytest.mark.parametrize("step", ["swiglu:gate-last", ("swiglu", "gate-last"), ("swiglu", {"order": "gate-last"}), 'swiglu:{"order":"gate-last"}'])
def test_reads_words_as_the_command_line_does(pair, step, tmp_path, monkeypatch):
    monkeypatch.setenv("GEMM_PARANOIA_SAVE", str(tmp_path / "two words"))
    a, b = pair(6, 40, 8)
    bias = np.linspace(-1, 1, 8).astype("f4")
    x = a @ b + bias
    left, right = x[:, :4], x[:, 4:]
    paranoia.assert_matmul(right / (1 + np.exp(-right)) * left, a, b, epilogue=[("bias", bias), step])
    with pytest.raises(paranoia.MatmulError) as caught:
        paranoia.assert_matmul(left / (1 + np.exp(-left)) * right, a, b, epilogue=[("bias", bias), step])
    done = replayed(caught.value)
    assert "the halves of swiglu changed places" in " ".join(done.stdout.split()), done.stderr


def test_saves_no_operands_that_no_replay_reads(pair, saved, monkeypatch):
    monkeypatch.setattr(_checks, "MOST_REPLAYED", 4 * (6 * 40 + 40 * 8 + 6 * 8) - 1)
    a, b = pair(6, 40, 8)
    with pytest.raises(paranoia.MatmulError, match="Save them as .npy files") as caught:
        paranoia.assert_matmul(a @ b + 1, a, b)
    assert caught.value.saved is None
    assert not saved.exists()


def test_refuses_a_wrong_epilogue(pair):
    a, b = pair(6, 40, 8)
    d = a @ b
    with pytest.raises(ValueError, match='Unknown epilogue step "gleu". Did you mean "gelu"'):
        paranoia.assert_matmul(d, a, b, epilogue=["gleu"])
    with pytest.raises(ValueError, match='"values" has 7 entries; a number, a row of 8'):
        paranoia.assert_matmul(d, a, b, epilogue=[("bias", np.zeros(7, "f4"))])
    with pytest.raises(TypeError, match="is no step of an epilogue"):
        paranoia.assert_matmul(d, a, b, epilogue=[("bias",)])
    with pytest.raises(ValueError, match="sigmas excludes epilogue"):
        paranoia.assert_matmul(d, a, b, epilogue=["relu"], sigmas=6)
    with pytest.raises(TypeError, match="epilogue is None: a list of steps is needed"):
        paranoia.assert_matmul(d, a, b, epilogue=None)
    with pytest.raises(TypeError, match="the value of bias is \\['a'\\]: numbers are needed"):
        paranoia.assert_matmul(d, a, b, epilogue=[("bias", ["a"])])
    paranoia.assert_matmul(d * np.float32(2), a, b, epilogue=[("scale", [2] * 8)])
    with pytest.raises(ValueError, match="clamp takes low and high by name only, but 6 is given"):
        paranoia.assert_matmul(d, a, b, epilogue=[("clamp", 6)])
    with pytest.raises(ValueError, match='"slope" must be a finite number, at least 0, but is a row of 2'):
        paranoia.assert_matmul(d, a, b, epilogue=[("leaky-relu", [0.1, 0.2])])
