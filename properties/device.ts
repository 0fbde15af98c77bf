import type { Case } from '../src/gate/case.ts';
import { computationIn } from '../src/gpu/computation.ts';
import type { OpenDevice } from '../src/gpu/device.ts';
import type { Execution } from '../src/gpu/execution.ts';
import { openNodeDevice } from '../src/gpu/node/open.ts';
import { builtinKernel } from '../src/kernel/builtin.ts';
import { type Matrix, productShape } from '../src/matrix/dense.ts';
import type { Plan } from '../src/plan/plan.ts';
import { type Analysis, analyse } from '../src/readers/analysis.ts';

/** How a product is computed. */
export type How = Pick<Case, 'kernel' | 'levels' | 'border' | 'edge' | 'precision'>;

/** The device that laws are tested on. */
export class Gpu {
  readonly open: OpenDevice;

  constructor(open: OpenDevice) {
    this.open = open;
  }

  plan(how: How, a: Matrix, b: Matrix): Plan {
    return builtinKernel(how.kernel, this.open).plan(productShape(a, b), how);
  }

  async execute(how: How, a: Matrix, b: Matrix): Promise<Execution> {
    const computation = await computationIn(this.open, how.precision ?? 'f32');
    return builtinKernel(how.kernel, this.open, {}, computation).multiply(a, b, this.plan(how, a, b));
  }

  /** A·B as the device computes it. */
  async multiply(how: How, a: Matrix, b: Matrix): Promise<Matrix> {
    return (await this.execute(how, a, b)).c;
  }

  /** What the readers say of A·B in binary32 on this device. */
  analyse(how: How, a: Matrix, b: Matrix): Analysis {
    return analyse(this.plan(how, a, b), a, b, this.open.arithmetic);
  }
}

let opened: Promise<OpenDevice> | undefined;

/**
 * The device of PARANOIA_ADAPTER, by default the software adapter, so that laws are tested alike everywhere. The
 * files of laws that run in one process share it, for it keeps the pipelines that were compiled; the end of the
 * process closes it.
 */
export async function openGpu(): Promise<Gpu> {
  opened ??= openNodeDevice({ adapter: process.env.PARANOIA_ADAPTER ?? 'software' });
  return new Gpu(await opened);
}
