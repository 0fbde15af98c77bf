"""What the gate found in libraries' products on an NVIDIA GPU, without the gate: python3 confirm.py."""
import torch

print(torch.__version__, torch.cuda.get_device_name(0))
E4M3 = torch.float8_e4m3fn

# torch._scaled_mm with a factor for each 128 by 128 of B: sums of k ones, times factors 1, 2, 4, 8, then 16, 32, ... behind them.
for n, k in ((512, 128), (512, 256), (512, 384), (512, 512), (256, 640)):
    a, b = (torch.ones(size, k, device="cuda").to(E4M3) for size in (128, n))
    of_a = torch.ones(128, k // 128, device="cuda").t().contiguous().t()
    of_b = (2.0 ** torch.arange(64, device="cuda"))[: (n // 128) * (k // 128)].view(n // 128, k // 128)
    d = torch._scaled_mm(a, b.t(), scale_a=of_a, scale_b=of_b.t(), out_dtype=torch.bfloat16)
    print(f"factors of blocks, k = {k}: found {d[0, ::128].tolist()}, expected {(128 * of_b.sum(1)).tolist()}")

# bf16 products, as they are by default and with parts of k added in f32.
torch.manual_seed(0)
a, b = torch.randn(10, 30).bfloat16().cuda(), torch.randn(30, 10).bfloat16().cuda()
exact = a.double() @ b.double()
for reduced in (True, False):
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = reduced
    wrong = (a @ b != exact.bfloat16()).sum().item()
    print(f"bf16, allow_bf16_reduced_precision_reduction {reduced}: {wrong} of 100 are not the nearest bf16")
