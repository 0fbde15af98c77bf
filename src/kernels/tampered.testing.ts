import { type Product, requireProduct } from '../gpu/runner/product.ts';
import {
  type Kernel,
  type KernelJob,
  type KernelSession,
  multiply,
  type ProductInput,
  runInSequence,
} from './kernel.ts';

/** A kernel with products computed by another function, which may call the kernel itself for this or another product. */
export const tamperKernel = (
  kernel: Kernel,
  compute: (job: KernelJob, honest: (job: KernelJob) => Promise<Product>) => Promise<Product>,
): Kernel => ({
  ...kernel,
  session: { run: runInSequence((job) => compute(job, (other) => multiply({ ...other, kernel }))) },
});

/** Returns a kernel whose products are changed afterwards. */
export const corruptKernel = (kernel: Kernel, change: (product: Product, job: KernelJob) => void): Kernel =>
  tamperKernel(kernel, async (job, honest) => {
    const product = await honest(job);
    change(product, job);
    return product;
  });

/** Computes a product by a session. @throws ParanoiaError where that fails */
export const productFrom = async (
  session: Pick<KernelSession<ProductInput>, 'run'>,
  factors: ProductInput,
): Promise<Product> => requireProduct((await session.run([factors]))[0]);
