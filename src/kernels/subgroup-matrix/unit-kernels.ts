import { loadPart } from '../../base/part.ts';
import type { GpuKernel } from '../user-kernel.ts';

/**
 * Built-in kernels on the matrix units of a device. The order in which a unit adds, and its intermediate precision, are not known. So
 * these kernels have no model and are held, like external ones, to bounds that hold in any order.
 */
export const unitKernels: readonly GpuKernel[] = [
  {
    name: 'classical:subgroup',
    precision: 'f16-f32',
    claims: { algorithm: 'classical', levels: 0, order: 'any' },
    entries: 'f32',
    async encode(call) {
      const { encodeMatrixProduct } = await loadPart(
        'multiplies by matrix units',
        () => import('./product.ts'),
      );
      await encodeMatrixProduct(call);
    },
  },
];
