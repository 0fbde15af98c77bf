import type { CodeSteps } from './claimed-activations.ts';
import { type ActivationScheme, type CodeTies, type Division, LARGEST } from './schemes.ts';

/** A block of numbers as codes: each stands for (code − zero) · kept. */
export interface CodedBlock {
  readonly codes: Float64Array;
  readonly zero: number;
  /** The factor as it was computed, in binary32. */
  readonly factor: number;
  /** The factor as it is kept. */
  readonly kept: number;
  /** The most by which each number may differ: 0 where the sequence of operations decides it. */
  readonly doubt: number;
}

const f32 = Math.fround;
/** The largest code of schemes with a zero point. */
const UNSIGNED = 255;

const rounded: Readonly<Record<CodeTies, (x: number) => number>> = {
  nearest: (x) => {
    const near = Math.round(x);
    return near - x === 0.5 && near % 2 !== 0 ? near - 1 : near;
  },
  'nearest-away': (x) => Math.sign(x) * Math.round(Math.abs(x)),
};

/** Returns the quotient of a number by a factor, from the factor and its reciprocal as a quotient of numbers. */
const divided: Readonly<Record<Division, (factor: number, inverse: number) => (x: number) => number>> = {
  reciprocal: (factor) => {
    const inverse = f32(1 / factor);
    return (x) => f32(x * inverse);
  },
  quotient: (_, inverse) => (x) => f32(x * inverse),
  fused: (_, inverse) => (x) => x * inverse,
  division: (factor) => (x) => f32(x / factor),
};

/** The factor of a block, its reciprocal, and the zero point before it is rounded. */
interface BlockFactor {
  readonly factor: number;
  readonly inverse: number;
  readonly zero: number;
}

/** The factors of a block from its least number, its greatest, and the first with the largest magnitude. */
const factors: Readonly<
  Record<ActivationScheme['range'], (least: number, most: number, largest: number) => BlockFactor>
> = {
  symmetric: (_, __, largest) => {
    const size = Math.abs(largest);
    return { factor: f32(size / LARGEST), inverse: f32(LARGEST / size), zero: 0 };
  },
  signed: (_, __, largest) => {
    const inverse = f32(-LARGEST / largest);
    return { factor: f32(1 / inverse), inverse, zero: 0 };
  },
  'zero-point': (least, most) => {
    const factor = f32(f32(Math.max(0, most) - Math.min(0, least)) / UNSIGNED);
    return { factor, inverse: f32(1 / factor), zero: f32(-Math.min(0, least) / factor) };
  },
};

/**
 * Codes a block of numbers of binary32 by a documented sequence of operations. A block of zeros has the factor 0. Where the factor, or
 * its reciprocal, is not a normal number, devices differ: any codes are possible, so these are 0 and all in doubt.
 */
export function codeBlock(
  values: Float64Array,
  { range, block: { format } }: ActivationScheme,
  { rounding, division }: CodeSteps,
): CodedBlock {
  let [least, most, largest] = [Infinity, -Infinity, 0];
  for (const x of values) {
    least = Math.min(least, x);
    most = Math.max(most, x);
    if (Math.abs(x) > Math.abs(largest)) largest = x;
  }
  const zeros = { codes: new Float64Array(values.length), zero: 0, factor: 0, kept: 0 };
  if (largest === 0) return { ...zeros, doubt: 0 };
  const { factor, inverse, zero } = factors[range](least, most, largest);
  const kept = format.round(factor);
  if (![factor, inverse, f32(1 / factor), kept === 0 ? 1 : kept].every(isNormal))
    return { ...zeros, doubt: (UNSIGNED + 1) * Math.abs(kept) };
  const [quotient, round] = [divided[division](factor, inverse), rounded[rounding]];
  const [low, high] = range === 'zero-point' ? [0, UNSIGNED] : [-LARGEST - 1, LARGEST];
  const within = (code: number) => Math.min(high, Math.max(low, code));
  const point = within(round(zero));
  const codes = values.map((x) => within(round(quotient(x)) + point));
  return { codes, zero: point, factor, kept, doubt: 0 };
}

const isNormal = (x: number): boolean => Math.abs(x) >= 2 ** -126 && Number.isFinite(x);
