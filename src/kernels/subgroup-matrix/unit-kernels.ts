import { part } from '../../base/part.ts';
import type { GpuKernel } from '../user-kernel.ts';

/**
 * Our kernels on the matrix units of a device. In which order a unit adds, and what it keeps of a sum on the way, is its own
 * affair: so they have no mirror and are held, like kernels of others, to bounds that hold in any order.
 */
export const unitKernels: readonly GpuKernel[] = [
  {
    name: 'classical:subgroup',
    precision: 'f16-f32',
    claims: { algorithm: 'classical', levels: 0, order: 'any' },
    entries: 'f32',
    async encode(call) {
      const { encodeMatrixProduct } = await part('multiplies by matrix units', () => import('./product.ts'));
      await encodeMatrixProduct(call);
    },
  },
];
