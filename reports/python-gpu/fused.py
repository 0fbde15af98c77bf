"""What PyTorch fuses behind a product on a GPU, for `gate reports/python-gpu/fused.py#relu_bf16`."""
import paranoia
import torch
import torch.nn.functional as F

ON = {"array": "torch", "device": "cuda"}
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False


def t(x, like):
    return x if torch.is_tensor(x) else torch.as_tensor(x, device=like.device)


def activated(kind, a, b, epilogue, gelu):
    x, y = a.to(kind), b.to(kind)
    row = t(epilogue[0]["values"], a).to(kind).reshape(-1)
    return torch._addmm_activation(row, x, y, use_gelu=gelu).float()


def kernel(precision, chain, **more):
    return paranoia.kernel(precision=precision, accepts={"epilogue": chain}, **more, **ON)


@kernel("bf16-f32-bf16", "bias:row,relu")
def relu_bf16(a, b, epilogue):
    return activated(torch.bfloat16, a, b, epilogue, False)


@kernel("f16-f32-f16", "bias:row,relu")
def relu_f16(a, b, epilogue):
    return activated(torch.float16, a, b, epilogue, False)


@kernel("f16-f32-f16", "bias:row,gelu-tanh:cuda-fast")
def gelu_f16(a, b, epilogue):
    return activated(torch.float16, a, b, epilogue, True)


@kernel("f16-f32-f16", "bias:row,gelu")
def gelu_f16_as_erf(a, b, epilogue):
    return activated(torch.float16, a, b, epilogue, True)


@kernel("f16-f32-f16", "bias:row,relu")
def relu_f16_no_bias(a, b, epilogue):
    return torch.relu(a.half() @ b.half()).float()


def layer(x, weights):
    gate, up = (x @ weights).chunk(2, dim=1)
    return F.silu(gate) * up


@kernel("bf16-f32-bf16", "round:bf16,swiglu:bf16")
def swiglu_bf16(a, b, epilogue):
    return layer(a.bfloat16(), b.bfloat16()).float()


@kernel("bf16-f32-bf16", "round:bf16,swiglu")
def swiglu_bf16_unstored(a, b, epilogue):
    return layer(a.bfloat16(), b.bfloat16()).float()


@kernel("f32", "none|gelu|silu|bias:row,tanh|residual,sigmoid")
def f32_eager(a, b, epilogue=()):
    d = a @ b
    for step in epilogue or ():
        name = step["step"]
        if name in ("bias", "residual"):
            d = d + t(step["values"], a)
        else:
            d = {"gelu": F.gelu, "silu": F.silu, "tanh": torch.tanh, "sigmoid": torch.sigmoid}[name](d)
    return d
