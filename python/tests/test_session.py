"""The one process that answers: found, started, lost, left behind by none."""

import os
import signal
import stat
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from conftest import IS_WHOLE

import gemm_paranoia as paranoia
from gemm_paranoia import _command, _session

A, B = np.ones((3, 4), "f4"), np.ones((4, 2), "f4")
posix = pytest.mark.skipif(os.name != "posix", reason="signals and fork are those of POSIX")


def check():
    paranoia.assert_matmul(A @ B, A, B)


def pid():
    return _session._session.process.pid


@pytest.fixture
def anew():
    """No process before, and none after."""
    _session.close()
    yield
    _session.close()


def program(folder, name, text):
    path = folder / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_many_checks_are_answered_by_one_process():
    check()
    first = pid()
    for _ in range(10_000 if IS_WHOLE else 200):
        check()
    assert pid() == first


@posix
def test_a_process_that_died_is_started_again_once_and_that_is_said(anew):
    check()
    before = pid()
    os.kill(before, signal.SIGKILL)
    _session._session.process.wait()
    with pytest.warns(RuntimeWarning, match="ended with exit code -9. It was started again.") as caught:
        check()
    assert pid() != before
    check()
    assert [one for one in caught if one.category is ResourceWarning] == []


@posix
def test_one_that_dies_at_each_request_is_given_up(anew, tmp_path, monkeypatch):
    dying = program(tmp_path, "dying", '#!/bin/sh\necho \'{"ready":true,"protocol":2,"node":"20.19.0"}\'\nread line\necho "out of luck" >&2\nexit 3\n')
    monkeypatch.setenv("GEMM_PARANOIA", str(dying))
    with pytest.raises(paranoia.SessionError, match="ended with exit code 3: out of luck. It ended while it answered"):
        check()


@posix
@pytest.mark.parametrize(
    "text, sentence",
    [
        ("exit 5", "gemm-paranoia ended with exit code 5"),
        ("echo nonsense", "gemm-paranoia ended with exit code 0"),
        ('echo \'{"ready":true,"protocol":2,"node":"18.20.1"}\'; cat', "Node 18.20.1 is too old: gemm-paranoia runs on 20.19 or later"),
        ('echo \'{"ready":true,"protocol":9,"node":"22.0.0"}\'; cat', "speaks protocol 9, and this package 2"),
    ],
)
def test_a_command_that_is_not_ours_is_refused(anew, tmp_path, monkeypatch, text, sentence):
    monkeypatch.setenv("GEMM_PARANOIA", str(program(tmp_path, "other", f"#!/bin/sh\n{text}\n")))
    with pytest.raises(paranoia.SessionError, match=sentence):
        check()
    assert _session._session is None


@posix
def test_an_old_node_that_cannot_read_the_script_is_named(anew, tmp_path, monkeypatch):
    program(tmp_path, "node", '#!/bin/sh\n[ "$1" = --version ] && echo v16.3.0\nexit 1\n')
    bin = tmp_path / "node_modules" / ".bin"
    bin.mkdir(parents=True)
    program(bin, "gemm-paranoia", "#!/bin/sh\nexec node serve\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GEMM_PARANOIA", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(paranoia.SessionError, match="Node 16.3.0 is too old"):
        check()


def test_without_node_it_says_what_to_install(anew, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GEMM_PARANOIA", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(paranoia.SessionError, match="Cannot find npx in PATH: .* Install Node"):
        check()


def test_a_named_command_must_be_there(anew, monkeypatch):
    monkeypatch.setenv("GEMM_PARANOIA", "/no/such/command")
    with pytest.raises(paranoia.SessionError, match="GEMM_PARANOIA names /no/such/command, which does not exist"):
        check()


@posix
def test_the_nearest_node_modules_are_used(tmp_path, monkeypatch):
    bin = tmp_path / "node_modules" / ".bin"
    bin.mkdir(parents=True)
    script = program(bin, "gemm-paranoia", "#!/bin/sh\n")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    monkeypatch.delenv("GEMM_PARANOIA", raising=False)
    assert _command.find_command() == [str(script)]


@pytest.mark.parametrize("version, is_old", [("v20.18.9", True), ("v20.19.0", False), ("v22.1.0", False), ("v9.0.0", True), ("?", False)])
def test_versions_are_compared_as_numbers(version, is_old):
    assert (_command.too_old(version) is not None) == is_old


def run(code, **more):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False, **more)


BEGIN = """
import os, signal, threading, numpy as np, gemm_paranoia as paranoia
from gemm_paranoia import _session
A, B = np.ones((3, 4), "f4"), np.ones((4, 2), "f4")
paranoia.assert_matmul(A @ B, A, B)
print(_session._session.process.pid, flush=True)
"""


def ends(pid):
    """True if a process has ended; asks many times before it says no."""
    for _ in range(10_000):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        with open(f"/proc/{pid}/stat") as file:
            if file.read().rpartition(")")[2].split()[0] == "Z":
                return True
        os.sched_yield()
    return False


FORK = """
mine = _session._session.process.pid
child = os.fork()
paranoia.assert_matmul(A @ B, A, B)
print("child" if child == 0 else "parent", _session._session.process.pid == mine, flush=True)
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
paranoia.assert_matmul(A @ B, A, B)
print("parent later", _session._session.process.pid == mine, flush=True)
"""


@posix
def test_a_forked_child_starts_its_own():
    # In a process of its own: libraries with threads, which other tests load, may not be forked.
    done = run(BEGIN + FORK)
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()[1:]) == ["child False", "parent True", "parent later True"]


@posix
@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="reads /proc")
@pytest.mark.parametrize("end", ["", "os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)", "raise SystemExit(3)", "1 / 0"])
def test_no_process_is_left(end):
    import time

    done = run(BEGIN + end)
    left = int(done.stdout)
    while not ends(left):  # However long the machine takes.
        time.sleep(0.01)


@posix
def test_ctrl_c_ends_the_check_and_the_next_one_gets_its_own_answer(anew, tmp_path, monkeypatch):
    check()
    silent = program(tmp_path, "silent", '#!/bin/sh\necho \'{"ready":true,"protocol":2,"node":"20.19.0"}\'\nread line\nkill -INT $PARENT\ncat\n')
    before = os.environ.get("GEMM_PARANOIA")
    _session.close()
    monkeypatch.setenv("GEMM_PARANOIA", str(silent))
    monkeypatch.setenv("PARENT", str(os.getpid()))
    with pytest.raises(KeyboardInterrupt):
        check()
    assert _session._session is None
    if before is None:
        monkeypatch.delenv("GEMM_PARANOIA")
    else:
        monkeypatch.setenv("GEMM_PARANOIA", before)
    check()


def test_threads_take_turns():
    from concurrent.futures import ThreadPoolExecutor

    def one(size):
        a = np.full((size, size), size, "f4")
        paranoia.assert_matmul(a @ a, a, a)
        with pytest.raises(paranoia.MatmulError, match=f"m={size}, k={size}, n={size}"):
            paranoia.assert_matmul(a @ a + size, a, a)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(1, 13)))
