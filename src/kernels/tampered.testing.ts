import { type Product, productOf } from '../gpu/runner/product.ts';
import { type Factors, type Job, type Kernel, multiply, oneByOne, type Session } from './kernel.ts';

/** A kernel with products computed by another function, which may call the kernel itself for this or another product. */
export const tampered = (
  kernel: Kernel,
  compute: (job: Job, honest: (job: Job) => Promise<Product>) => Promise<Product>,
): Kernel => ({
  ...kernel,
  session: { run: oneByOne((job) => compute(job, (other) => multiply({ ...other, kernel }))) },
});

/** A kernel whose products are changed afterwards. */
export const corrupted = (kernel: Kernel, change: (product: Product, job: Job) => void): Kernel =>
  tampered(kernel, async (job, honest) => {
    const product = await honest(job);
    change(product, job);
    return product;
  });

/** Computes a product by a session. @throws ParanoiaError where that fails */
export const productFrom = async (
  session: Pick<Session<Factors>, 'run'>,
  factors: Factors,
): Promise<Product> => productOf((await session.run([factors]))[0]);
