import type { Algorithm } from '../algorithms/algorithm.ts';
import { badNumber } from '../base/messages.ts';
import {
  addRationals,
  divideRationals,
  multiplyRationals,
  type Rational,
  rational,
  subtractRationals,
} from '../base/rational.ts';
import { compile } from '../plan/compile.ts';
import type { Style } from '../plan/plan.ts';
import { type Costs, c1060, eachQuantity, exactCost, type MachineModel } from './cost.ts';

/** A polynomial cubic·n³ + square·n². */
export interface Polynomial {
  readonly cubic: Rational;
  readonly square: Rational;
}

/** Returns a size whose multiples are all divided into leaf blocks of a multiple of 64 entries. */
export function wholeSize({ base: { m, k, n } }: Algorithm, levels: number): number {
  return 8 * lcm(lcm(m, k), n) ** levels;
}

/** True if there are two sizes from which {@link formula} can be recovered. After four levels of ⟨2,3,4⟩ there are not. */
export function hasFormula(algorithm: Algorithm, levels: number): boolean {
  return 2 * wholeSize(algorithm, levels) <= LARGEST;
}

/** Largest size. Beyond it, counts may exceed the exact range of doubles. */
const LARGEST = 2 ** 15;

/**
 * Computes the cost of an n×n×n product as polynomials in n, recovered exactly from the plans of two sizes. They hold for every n that the
 * blocks of all levels divide into leaf blocks of a multiple of 64 entries: smaller blocks are stored aligned, and sums of them cover the
 * alignment too.
 * @throws ParanoiaError `bad-number` as {@link compile} does, for bad levels and too many steps, and where there is no formula.
 */
export function formula(
  algorithm: Algorithm,
  levels: number,
  machine: MachineModel = c1060,
  style: Style = 'scheduled',
): Costs<Polynomial> {
  const unit = wholeSize(algorithm, levels);
  if (!hasFormula(algorithm, levels)) {
    throw badNumber({ what: 'levels', given: levels, need: `so few that ${2 * unit} is at most ${LARGEST}` });
  }
  const [small, large] = [unit, 2 * unit].map((size) => {
    const shape = { m: size, k: size, n: size };
    return {
      size: rational(size),
      costs: exactCost(compile({ algorithm, shape, depth: { levels }, style }).steps, machine),
    };
  });
  return eachQuantity(small.costs, (value, quantity) => {
    const perSquare = divideRationals(value, multiplyRationals(small.size, small.size));
    const perLargeSquare = divideRationals(large.costs[quantity], multiplyRationals(large.size, large.size));
    const cubic = divideRationals(
      subtractRationals(perLargeSquare, perSquare),
      subtractRationals(large.size, small.size),
    );
    return { cubic, square: subtractRationals(perSquare, multiplyRationals(cubic, small.size)) };
  });
}

/** Returns the polynomial's value at n, exactly. */
export function evaluate({ cubic, square }: Polynomial, n: number): Rational {
  const size = rational(n);
  return multiplyRationals(
    multiplyRationals(size, size),
    addRationals(multiplyRationals(cubic, size), square),
  );
}

/** Formats a polynomial as the paper prints it: "119n³/32768 + 35n²/64", "2n³ - n²". */
export function formatPolynomial({ cubic, square }: Polynomial): string {
  const parts = [
    { coefficient: cubic, power: 'n³' },
    { coefficient: square, power: 'n²' },
  ].filter(({ coefficient }) => coefficient.num !== 0n);
  if (parts.length === 0) return '0';
  return parts
    .map(({ coefficient: { num, den }, power }, index) => {
      const size = num < 0n ? -num : num;
      const sign = index === 0 ? (num < 0n ? '-' : '') : num < 0n ? ' - ' : ' + ';
      return `${sign}${size === 1n ? '' : size}${power}${den === 1n ? '' : `/${den}`}`;
    })
    .join('');
}

function lcm(x: number, y: number): number {
  let [a, b] = [x, y];
  while (b !== 0) [a, b] = [b, a % b];
  return (x / a) * y;
}
