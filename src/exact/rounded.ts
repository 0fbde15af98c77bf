import { exponentOf } from '../base/binary64.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Certificate } from './certificate.ts';

/**
 * An exact product is not exact: a fault of this program, which ends what is being done. It is no `ParanoiaError`, since those say
 * something of one case or kernel, after which the next one may follow.
 */
export class ReferenceFault extends Error {
  override readonly name = 'ReferenceFault';
  /** The product, and what is wrong with it: as the constructor takes them. */
  readonly shape: Shape;
  readonly what: string;

  constructor(shape: Shape, what: string) {
    const { m, k, n } = shape;
    super(
      `the exact product of ${m}×${k} by ${k}×${n} is wrong: ${what}; nothing measured against it counts`,
    );
    this.shape = shape;
    this.what = what;
  }
}

/**
 * Holds an entry to what every entry satisfies: value + low rounds to value, which is not NaN unless an operand is not finite. Only
 * entries where value + low − value, in doubles, is not 0 need to be asked about: others satisfy it.
 * @param isSpecial whether an operand of entry (i, j) is NaN or infinite.
 * @returns whether it is infinite though its operands are finite: then the certificate must count it.
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
    throw new ReferenceFault(shape, `entry (${i}, ${j}) is ${value}, with the remainder ${low}`);
  }
  if (isSpecial(i, j)) return false;
  if (!Number.isNaN(value)) return true;
  throw new ReferenceFault(shape, `entry (${i}, ${j}) is NaN, though its operands are finite`);
}

/** @throws ReferenceFault unless so many infinite entries of finite operands are those that the certificate counts. */
export function requireCounted(shape: Shape, infinite: number, { overflowed }: Certificate): void {
  if (infinite === overflowed) return;
  throw new ReferenceFault(
    shape,
    `${infinite} entries of finite operands are infinite, and ${overflowed} are beyond the largest f64`,
  );
}
