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
    `"${d.given}" is no kernel file. Examples: matmul.ts#matmul, matmul.py#matmul, matmul.wgsl, gemm.wasm#gemm, libblas.so#sgemm_. To name a registered kernel, use --kernel.`,
);

/** The message about a hook that never returns: the kernel's cases are inconclusive. */
export const loopsForever = defineMessage(
  'loops-forever',
  EXIT.inconclusive,
  (d: { hook: string; seconds: number }) =>
    `The ${d.hook} did not return within ${d.seconds} s. This run does not call it again.`,
);
