import { defineMessage, EXIT } from '../base/errors.ts';

export const badConfig = defineMessage(
  'bad-config',
  EXIT.usage,
  (d: { where: string; fault: string }) => `${d.where}: ${d.fault}`,
);

export const configUnreadable = defineMessage(
  'config-unreadable',
  EXIT.usage,
  (d: { path: string; why: string }) => `The config ${d.path} cannot be loaded: ${d.why}.`,
);

export const noKernelFile = defineMessage(
  'no-kernel-file',
  EXIT.usage,
  (d: { given: string }) =>
    `"${d.given}" is no file of kernels, such as matmul.ts#matmul, matmul.py#matmul, matmul.wgsl, gemm.wasm#gemm or libblas.so#sgemm_; a kernel is named with --kernel.`,
);

/** The message about a hook that never returns: the kernel's cases are inconclusive. */
export const loopsForever = defineMessage(
  'loops-forever',
  EXIT.inconclusive,
  (d: { hook: string; seconds: number }) =>
    `The ${d.hook} does not return within ${d.seconds} s, and is not asked again in this run.`,
);
