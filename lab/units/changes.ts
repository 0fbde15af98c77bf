import { truncateToBits } from '../../src/precision/claimed-rounding.ts';
import { f16, f32 } from '../../src/precision/format.ts';
import { type BlockAdder, multiplyByBlocks } from './model/block-adder.ts';
import { cutTo32 } from './model/result-rounding.ts';
import type { MatrixUnit } from './model/unit.ts';

/** Faulty models of a unit: each changes one rule of its sums. */
const changes: Readonly<Record<string, (adder: BlockAdder) => Partial<BlockAdder> | undefined>> = {
  'half as many products at once': ({ terms }) => ({ terms: terms / 2 }),
  'twice as many products at once': ({ terms }) => ({ terms: terms * 2 }),
  'a bit less behind the largest exponent': ({ fraction }) => ({ fraction: fraction - 1 }),
  'a bit more behind the largest exponent': ({ fraction }) => ({ fraction: fraction + 1 }),
  'sums rounded to nearest in binary32': ({ result }) =>
    result === f32 ? { rounded: Math.fround } : undefined,
  'sums cut off a bit before': ({ result }) => (result === f32 ? { rounded: cutTo32(11) } : undefined),
  'sums in binary16 cut off': ({ result }) =>
    result === f16 ? { rounded: truncateToBits(f16.precision, -14, Number.POSITIVE_INFINITY) } : undefined,
  'all bits of operands are read': ({ operand }) => (operand ? { operand: undefined } : undefined),
};

/** Returns the variants of a unit with one rule changed, by the change's name. */
export function changedUnits(
  unit: MatrixUnit,
): [name: string, unit: Pick<MatrixUnit, 'multiply' | 'result'>][] {
  const { adder } = unit;
  if (adder === undefined) return [];
  return Object.entries(changes).flatMap(([name, change]) => {
    const changed = change(adder);
    if (changed === undefined) return [];
    const wrong = { ...adder, ...changed };
    return [
      [name, { result: unit.result, multiply: (a, b, c, shape) => multiplyByBlocks(wrong, a, b, c, shape) }],
    ];
  });
}
