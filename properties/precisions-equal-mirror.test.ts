import fc from 'fast-check';
import { afterAll, describe } from 'vitest';
import type { Arithmetic } from '../src/formats/arithmetic.ts';
import type { PrecisionName } from '../src/formats/precision.ts';
import { computationIn } from '../src/gpu/computation.ts';
import { inputs } from '../src/inputs/inputs.ts';
import { Problem } from '../src/problems.ts';
import { runMirror } from '../src/readers/mirror.ts';
import { adversaries } from './adversaries.ts';
import { expand, heldIn, seeds } from './arbitraries.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';
import { law } from './law.ts';

/**
 * The law: in every precision the device's result is the mirror's, bit for bit, pairs by the number they mean.
 *
 * Why: what is emulated consists of integer operations, or of binary32 operations that no compiler may exchange, and
 * the mirror repeats them. That plans, borders, edges and leaf kernels do the same is a law about binary32; here are a
 * few shaders of each precision, for they take long to compile, with every operation in them.
 */
const gpu = await openGpu();

const NAIVE = ['strassen:naive', 'classical:naive'];
type Other = Exclude<PrecisionName, 'f32'>;
const kernels: Readonly<Record<Other, readonly string[]>> = {
  f16: [...NAIVE, 'winograd:tiled-4'],
  'f16-f32': [...NAIVE, 'winograd:tiled-4'],
  'bf16-f32': [...NAIVE, 'winograd:tiled-4', 'classical:register-8x16'],
  'tf32-f32': [...NAIVE, 'winograd:tiled-4', 'classical:register-8x16'],
  f64: NAIVE,
  f32x2: [...NAIVE, 'winograd:tiled-4'],
};

/** Neither they nor their halves are whole blocks of 8: every shape has the same shaders. */
const size = fc.constantFrom(1, 3, 5, 7, 9, 11, 13, 17, 19);

const families = [...inputs, ...adversaries].map(({ name }) => name);

let compared = 0;
afterAll(() =>
  console.log(`${compared} products compared with the mirror in other precisions than binary32.`),
);

/** What the device computes in a precision with; undefined where it refuses it. */
async function arithmeticIn(precision: PrecisionName): Promise<Arithmetic | undefined> {
  try {
    return (await computationIn(gpu.open, precision)).arithmetic;
  } catch (error) {
    if (error instanceof Problem && error.code === 'precision-unserved') return undefined;
    throw error;
  }
}

const arithmetics: Arithmetic[] = [];
for (const name of Object.keys(kernels) as Other[]) {
  const arithmetic = await arithmeticIn(name);
  if (arithmetic?.mirrored) arithmetics.push(arithmetic);
}

describe.each(arithmetics)('in $precision', (arithmetic) => {
  const precision = arithmetic.precision as Other;
  const held = heldIn(precision, families, 1).filter(
    (name) => arithmetic.exceptionsFollowIeee || name !== 'special-values',
  );
  const products = fc.record({
    kernel: fc.constantFrom(...kernels[precision]),
    levels: fc.constantFrom(0, 1),
    input: fc.constantFrom(...held),
    shape: fc.record({ m: size, k: size, n: size }),
    seed: seeds,
  });
  law('bit for bit', 20, products, async ({ shape, input, ...rest }) => {
    const { m, k, n } = input === 'inverse-pair' ? { ...shape, k: shape.m, n: shape.m } : shape;
    const value = {
      ...rest,
      input,
      m,
      k: k + 2 * Number(input === 'ill-conditioned'),
      n,
      precision,
      border: 'pad',
      edge: 'guard',
    } as const;
    const { a, b } = expand(value);
    const mirror = runMirror(gpu.plan(value, a, b), a, b, arithmetic);
    expectSameBits(await gpu.multiply(value, a, b), mirror);
    compared++;
  });
});
