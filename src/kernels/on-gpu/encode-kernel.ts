import type { OpenDevice } from '../../gpu/device.ts';
import { binary32BytesOf, openBuffers } from '../../gpu/queue/buffers.ts';
import { precisions } from '../../precision/precisions.ts';
import type { KernelSession, ProductInput } from '../kernel.ts';
import type { GpuKernel } from '../user-kernel.ts';
import { needHalf, openOnDevice } from './product.ts';

/**
 * Opens a kernel that encodes its own work. It gets the exact ranges of A, B, C and D, since its shaders may ask for their lengths. A
 * binding without a size, or from the beginning of a buffer, includes guard words: reads there give NaN, and writes there are detected.
 * Within an exact binding, devices drop a store past the end or put it on the last entry, see openWgslKernel.
 * @param device returns the device in use, for each product, since a lost one is replaced.
 * @throws ParanoiaError `bad-kernel`
 */
export function openEncodeKernel(
  kernel: GpuKernel,
  device: () => OpenDevice,
  precision = precisions.find(kernel.precision ?? 'f32'),
): KernelSession<ProductInput> {
  return openOnDevice(kernel, precision, kernel.entries, device, (open, gemm, entries) => {
    if (entries.c.name === 'f16') needHalf(open, kernel.name);
    return {
      step: 'encoding and running its work',
      async submit(operands, lists) {
        const { m, k, n } = gemm;
        const own = openBuffers(open.device, { kernel: kernel.name, step: 'uploading factors of blocks' });
        try {
          const factors = lists.map((list) => ({
            buffer: own.storage(list),
            offset: 0,
            size: binary32BytesOf(list),
          }));
          const call = { device: open.device, m, k, n, gemm: structuredClone(gemm), factors };
          await kernel.encode({ ...call, ...operands });
        } finally {
          // Submitted work keeps the resources it uses.
          own.destroy();
        }
      },
    };
  });
}
