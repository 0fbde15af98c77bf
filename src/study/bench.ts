import { precisions } from '../formats/precision.ts';
import type { Case } from '../gate/case.ts';
import type { ExactMultiply } from '../gate/evidence.ts';
import { measureBy, type Yardstick, yardstickOf } from '../gate/measure.ts';
import { toReal } from '../gate/results.ts';
import { computationIn } from '../gpu/computation.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { findInput } from '../inputs/inputs.ts';
import { builtinKernel } from '../kernel/builtin.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Matrix } from '../matrix/dense.ts';
import { apartFromFused } from './apart-from-fused.ts';
import { meanInSingle } from './mean-in-single.ts';
import { type MeasuredProduct, measuredProductOf } from './measured-product.ts';
import type { StudyProduct } from './study.ts';

/** The operands at hand; they take gigabytes, so there is one pair at a time. */
interface Laid {
  readonly key: string;
  readonly yardstick: Yardstick;
  /** The classical product on the device, once it was needed. */
  classical?: Matrix;
}

/**
 * Measures products one after the other; those of the same operands share them, the exact product and the classical one.
 */
export class Bench {
  #open: OpenDevice;
  readonly #exactMultiply: ExactMultiply;
  #laid: Laid | undefined;

  constructor(open: OpenDevice, exactMultiply: ExactMultiply) {
    this.#open = open;
    this.#exactMultiply = exactMultiply;
  }

  /** Goes on with another device, after the first was lost. */
  moveTo(open: OpenDevice): void {
    this.#open = open;
  }

  /** @throws Problem of the device, the kernel or the exact product. */
  async measure(product: StudyProduct): Promise<MeasuredProduct> {
    const { case: value, against, sums } = product;
    const laid = await this.#lay(value);
    const kernel = await this.#kernel(value);
    const ideal = against === 'classical' ? entriesOf(await this.#classical(value, laid)) : undefined;
    let readings: Partial<MeasuredProduct['readings']> = {};
    const see = (c: Matrix) => {
      const { a, b, ideal: expected } = laid.yardstick.operands;
      if (against === 'exact' || against === 'fused') laid.classical = c;
      if (sums === 'f32' && expected !== undefined) readings = { mean: toReal(meanInSingle(c, expected)) };
      if (against === 'fused') readings = realsOf(apartFromFused(c, a, b));
    };
    const plan = kernel.plan(value, value);
    const measured = await measureBy(watched(kernel, see), plan, laid.yardstick, ideal);
    const made = measuredProductOf(product, kernel, measured, laid.yardstick);
    return { ...made, readings: { ...made.readings, ...readings } };
  }

  async #kernel({ kernel, precision = 'f32' }: Case): Promise<Kernel> {
    return builtinKernel(kernel, this.#open, {}, await computationIn(this.#open, precision));
  }

  async #lay(value: Case): Promise<Laid> {
    const { input, m, k, n, seed, init, precision = 'f32' } = value;
    const key = [input, m, k, n, seed, init, precision].join();
    if (this.#laid?.key === key) return this.#laid;
    // Lets the old operands go before the new ones are made.
    this.#laid = undefined;
    const request = { m, k, n, seed, precision: precisions[precision], ...(init && { init }) };
    const operands = findInput(input).generate(request);
    this.#laid = { key, yardstick: await yardstickOf(operands, this.#exactMultiply, seed) };
    return this.#laid;
  }

  /** The classical product of the operands at hand; computed here only where its own measurement was made before. */
  async #classical(value: Case, laid: Laid): Promise<Matrix> {
    if (laid.classical !== undefined) return laid.classical;
    const plain: Case = { ...value, kernel: value.kernel.replace(/^[^:]*/, 'classical'), levels: 0 };
    const kernel = await this.#kernel(plain);
    const { a, b } = laid.yardstick.operands;
    laid.classical = (await kernel.multiply(a, b, kernel.plan(plain, plain))).c;
    return laid.classical;
  }
}

const realsOf = ({ max, mean }: { max: number; mean: number }) => ({ max: toReal(max), mean: toReal(mean) });

/** The kernel, whose products are shown to somebody. */
function watched(kernel: Kernel, see: (c: Matrix) => void): Kernel {
  return {
    ...kernel,
    multiply: async (...given) => {
      const execution = await kernel.multiply(...given);
      see(execution.c);
      return execution;
    },
  };
}

function entriesOf({ cols, data }: Matrix): (i: number, j: number) => number {
  return (i, j) => data[i * cols + j];
}
