import { type DeviceOperations, deviceStep } from '../epilogue/device-steps.ts';
import { numberAt } from '../epilogue/entry-numbers.ts';
import type { EpilogueCall } from '../matrix/epilogue-call.ts';
import { claimedNumbers } from '../precision/claimed-numbers.ts';
import { toWhole } from '../precision/coding/fill.ts';
import type { Computation } from '../precision/precision.ts';

/** A function of the complete sum of entry (i, j); rows of a batch lie one below the other. */
export type ModelBehind = (sum: number, i: number, j: number) => number;

/**
 * Returns the steps of our kernels on the CPU, in the device's arithmetic and order: bits are the device's. Steps that call functions
 * have none.
 * @param m the rows of one product.
 */
export function stepsModel(steps: readonly EpilogueCall[], m: number, computation: Computation): ModelBehind {
  const by = numberOperations(computation);
  const all = steps.map(({ step, ...settings }) => {
    const { formula, numbers } = deviceStep(step);
    return { formula, numbers: numbers?.(settings) ?? [] };
  });
  return (sum, i, j) =>
    all.reduce((x, { formula, numbers }) => {
      const own = numbers.map((one) => Math.fround(numberAt(one, m, i, j)));
      return formula(x, own, by);
    }, sum);
}

function numberOperations(computation: Computation): DeviceOperations<number> {
  const { add, multiplyAdd } = claimedNumbers(computation);
  const unknown = (): number => {
    throw new Error('no model has the bits of this function');
  };
  return {
    constant: Math.fround,
    add,
    multiply: (x, y) => multiplyAdd(x, y, 0),
    above: (x, y, then, other) => (x > y ? then : other),
    nearest: toWhole,
    tanh: unknown,
    sigmoid: unknown,
  };
}
