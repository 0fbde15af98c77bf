import fc from 'fast-check';
import { afterAll, describe } from 'vitest';
import { ParanoiaError } from '../src/base/errors.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { computationIn } from '../src/gpu/computation.ts';
import { inputs } from '../src/inputs/inputs.ts';
import type { Computation } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { caseOf } from '../src/problem/case.ts';
import { runModel } from '../src/readers/model.ts';
import { adversaries } from './adversaries.ts';
import { expand, seeds, toFormat } from './arbitraries.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';
import { law } from './law.ts';

/**
 * The law: in every precision the device's result equals the model's, bit for bit; pairs are compared by the number that they mean.
 *
 * Why: emulation consists of integer operations, or of binary32 operations that no compiler may exchange, and the model repeats them. A
 * law about binary32 tests plans, fringes, tails and leaf kernels. Here are a few shaders of each precision, since they take long to
 * compile, with every operation in them.
 */
const gpu = await openGpu();

const NAIVE = ['strassen:naive', 'classical:naive'];
const kernels: Readonly<Record<string, readonly string[]>> = {
  f16: [...NAIVE, 'winograd:tiled-4'],
  'f16-f32': [...NAIVE, 'winograd:tiled-4'],
  'bf16-f32': [...NAIVE, 'winograd:tiled-4', 'classical:register-8x16'],
  'tf32-f32': [...NAIVE, 'winograd:tiled-4', 'classical:register-8x16'],
  'bf16-f32-bf16': NAIVE,
  'f16-f32-f16': NAIVE,
  f64: NAIVE,
  f32x2: [...NAIVE, 'winograd:tiled-4'],
};

/** Sizes. Neither they nor their halves are whole blocks of 8, so that every shape has the same shaders. */
const size = fc.constantFrom(1, 3, 5, 7, 9, 11, 13, 17, 19);

const families = [...inputs, ...adversaries].map(({ name }) => name);

let compared = 0;
afterAll(() =>
  console.log(`${compared} products compared with the model in other precisions than binary32.`),
);

/** Returns the computation of a precision on the device; undefined where the device refuses it. */
async function computedIn(name: string): Promise<Computation | undefined> {
  try {
    return await computationIn(gpu.open, precisions.find(name));
  } catch (error) {
    if (error instanceof ParanoiaError && error.code === 'precision-unserved') return undefined;
    throw error;
  }
}

const computations: Computation[] = [];
for (const name of Object.keys(kernels)) {
  const computation = await computedIn(name);
  if (computation?.arithmetic.modeled) computations.push(computation);
}

describe.each(inShort(computations, 5))('in $precision.name', (computation) => {
  const precision = computation.precision.name;
  const held = toFormat(precision, families, 1).filter(
    (name) => computation.arithmetic.exceptions || name !== 'special-values',
  );
  const products = fc.record({
    kernel: fc.constantFrom(...kernels[precision]),
    levels: fc.constantFrom(0, 1),
    input: fc.constantFrom(...held),
    shape: fc.record({ m: size, k: size, n: size }),
    seed: seeds,
  });
  law('bit for bit', 12, products, async ({ shape, input, ...rest }) => {
    const { m, k, n } = input === 'inverse-pair' ? { ...shape, k: shape.m, n: shape.m } : shape;
    const value = caseOf({
      ...rest,
      input,
      m,
      k: k + 2 * Number(input === 'ill-conditioned'),
      n,
      precision,
    });
    const { a, b } = expand(value);
    const model = runModel(gpu.plan(value, a, b), a, b, computation);
    expectSameBits(await gpu.multiply(value, a, b), model);
    compared++;
  });
});
