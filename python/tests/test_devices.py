"""Tensors on several devices. Fakes stand for libraries and cards that are not here: a device is all that they have."""

from types import SimpleNamespace

import numpy as np
import pytest

import gemm_paranoia as paranoia
from gemm_paranoia._arrays import device_of

A, B = np.ones((3, 4), "f4"), np.ones((4, 2), "f4")
D = A @ B


def fake(module, **members):
    """An object of a class that says it is from a library."""
    return type("Array", (), {"__module__": module, **members})()


def torch(kind, index=None):
    return fake("torch", device=SimpleNamespace(type=kind, index=index))


class Device:
    """A device of JAX."""

    def __init__(self, platform, id):
        self.platform, self.id = platform, id


def jax(*devices):
    return fake("jaxlib._jax", devices=lambda self: {Device(kind, at) for kind, at in devices})


GPU = torch("cuda", 0)


@pytest.mark.parametrize(
    ("array", "device"),
    [
        (A, "cpu"),
        (torch("cpu"), "cpu"),
        (torch("cpu", 0), "cpu"),
        (torch("cuda", 1), "cuda:1"),
        (torch("mps"), "mps"),
        (fake("torch.nn.parameter", device=SimpleNamespace(type="cuda", index=0)), "cuda:0"),
        (fake("cupy._core.core", device=SimpleNamespace(id=1)), "cuda:1"),
        (jax(("cpu", 0)), "cpu"),
        (jax(("cpu", 0), ("cpu", 1)), "cpu"),
        (jax(("gpu", 1)), "cuda:1"),
        (jax(("tpu", 1), ("tpu", 0)), "tpu:0,tpu:1"),
    ],
)
def test_names_the_device_as_every_library_would(array, device):
    assert device_of(array) == device


@pytest.mark.parametrize(
    ("given", "terms", "sentence"),
    [
        ((GPU, GPU, torch("cpu")), {}, "A is on cuda:0 and B on cpu."),
        ((GPU, GPU, B), {}, "A is on cuda:0 and B on cpu."),
        ((D, A, GPU), {}, "A is on cpu and B on cuda:0."),
        ((GPU, GPU, torch("cuda", 1)), {}, "A is on cuda:0 and B on cuda:1."),
        ((torch("cuda", 1), GPU, GPU), {}, "A is on cuda:0 and D on cuda:1."),
        ((GPU, A, B), {}, "A is on cpu and D on cuda:0."),
        ((GPU, GPU, GPU), {"bias": torch("cpu")}, "A is on cuda:0 and the bias on cpu."),
        ((GPU, GPU, GPU), {"c": torch("cpu"), "beta": 1}, "A is on cuda:0 and C on cpu."),
        ((GPU, GPU, fake("cupy", device=SimpleNamespace(id=1))), {}, "A is on cuda:0 and B on cuda:1."),
        ((torch("meta"), torch("meta"), torch("meta")), {}, "A is on the device meta, which holds no entries."),
        ((torch("meta"), A, B), {}, "D is on the device meta"),
    ],
)
def test_refuses_tensors_of_several_devices_before_it_copies_one(given, terms, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        paranoia.assert_matmul(*given, **terms)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("function", [paranoia.exact_matmul, lambda a, b: paranoia.tolerance(a=a, b=b)])
def test_refuses_operands_of_several_devices(function):
    with pytest.raises(ValueError, match="A is on cuda:0 and B on cpu. Pass tensors of one device"):
        function(GPU, B)


class OnCard(np.ndarray):
    """An array that says it is CuPy's, with a copy to give."""

    device = SimpleNamespace(id=0)
    data = SimpleNamespace(ptr=4096)

    def get(self):
        return np.asarray(self).view(np.ndarray)


OnCard.__module__ = "cupy"


def test_reads_a_product_that_was_copied_back():
    a, b = A.view(OnCard), B.view(OnCard)
    paranoia.assert_matmul(D, a, b)
    with pytest.raises(paranoia.MatmulError):
        paranoia.assert_matmul(D + 1, a, b)
