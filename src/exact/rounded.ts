import { exponentOf } from '../base/binary64.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Certificate } from './exact-product.ts';

/**
 * An error in the exact product itself: a fault of this program, which ends the run. It is not a `ParanoiaError`, since those concern
 * one case or kernel, after which the next one may run.
 */
export class ReferenceFault extends Error {
  override readonly name = 'ReferenceFault';
  /** The shape of the product, and the fault, as passed to the constructor. */
  readonly shape: Shape;
  readonly what: string;

  constructor(shape: Shape, what: string) {
    const { m, k, n } = shape;
    super(`the exact product of ${m}×${k} by ${k}×${n} is wrong: ${what}. No measurement against it counts`);
    this.shape = shape;
    this.what = what;
  }
}

/**
 * Checks an entry: value + low must round to value, and value must not be NaN unless an operand is not finite. Callers need this only if
 * value + low − value, in doubles, is not 0; all other entries pass.
 * @param isSpecial tells if an operand of entry (i, j) is NaN or infinite.
 * @returns true if the entry is infinite although its operands are finite: then the certificate must count it.
 * @throws ReferenceFault
 */
export function requireRounded(
  shape: Shape,
  i: number,
  j: number,
  value: number,
  low: number,
  isSpecial: (i: number, j: number) => boolean,
): boolean {
  if (Number.isFinite(value)) {
    // A tie that bits below `low` have broken.
    if (value !== 0 && Math.abs(low) <= 2 ** (exponentOf(value) - 53)) return false;
    throw new ReferenceFault(shape, `entry (${i}, ${j}) is ${value} with the remainder ${low}`);
  }
  if (isSpecial(i, j)) return false;
  if (!Number.isNaN(value)) return true;
  throw new ReferenceFault(shape, `entry (${i}, ${j}) is NaN although its operands are finite`);
}

/** Checks that the certificate counts the infinite entries of finite operands. @throws ReferenceFault */
export function requireCounted(shape: Shape, infinite: number, { overflowed }: Certificate): void {
  if (infinite === overflowed) return;
  throw new ReferenceFault(
    shape,
    `${infinite} entries of finite operands are infinite, but ${overflowed} exceed the largest f64`,
  );
}
