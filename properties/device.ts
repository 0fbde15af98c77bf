import { computationIn } from '../src/gpu/computation.ts';
import type { OpenDevice } from '../src/gpu/device.ts';
import { openNodeDevice } from '../src/gpu/node/open.ts';
import type { Product } from '../src/gpu/runner/product.ts';
import { builtinKernel } from '../src/kernels/builtin.ts';
import { multiply } from '../src/kernels/kernel.ts';
import { type Matrix, productShape } from '../src/matrix/dense.ts';
import type { Plan } from '../src/plan/plan.ts';
import { precisions } from '../src/precision/precisions.ts';
import { singleComputation } from '../src/precision/single.ts';
import type { Case } from '../src/problem/case.ts';
import type { GemmProblem } from '../src/problem/problem.ts';
import { type Analysis, analyze } from '../src/readers/analysis.ts';

/** The method of a product. */
export type How = Pick<Case, 'kernel' | 'method'> & {
  readonly problem: Pick<GemmProblem, 'precision'>;
};

/** The device that laws are tested on. */
export class Gpu {
  readonly open: OpenDevice;

  constructor(open: OpenDevice) {
    this.open = open;
  }

  plan(how: How, a: Matrix, b: Matrix): Plan {
    return builtinKernel(how.kernel, this.open).plan(productShape(a, b), how.method);
  }

  async execute(how: How, a: Matrix, b: Matrix): Promise<Product> {
    const computation = await computationIn(this.open, precisions.find(how.problem.precision));
    const kernel = builtinKernel(how.kernel, this.open, undefined, computation);
    return multiply({ kernel, plan: this.plan(how, a, b), operands: { a, b } });
  }

  /** Computes A·B on the device. */
  async multiply(how: How, a: Matrix, b: Matrix): Promise<Matrix> {
    return (await this.execute(how, a, b)).c;
  }

  /** Analyses A·B in binary32 on this device with the readers. */
  analyze(how: How, a: Matrix, b: Matrix): Analysis {
    return analyze(this.plan(how, a, b), a, b, singleComputation(this.open.arithmetic));
  }
}

let opened: Promise<OpenDevice> | undefined;

/**
 * Opens the device of PARANOIA_ADAPTER, by default the software adapter, so that laws run alike everywhere. Laws that run in one process
 * share the device, since it keeps compiled pipelines. The end of the process closes it.
 */
export async function openGpu(): Promise<Gpu> {
  opened ??= openNodeDevice({ adapter: process.env.PARANOIA_ADAPTER ?? 'software' });
  return new Gpu(await opened);
}
