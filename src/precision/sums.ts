import type { Item } from '../base/registry.ts';
import type { Arithmetic, ArithmeticClaims, RunningSum } from './arithmetic.ts';
import {
  formatsOfParts,
  type PartialRounding,
  type PartialSums,
  partialRoundingOf,
} from './claimed-rounding.ts';
import type { Format } from './format.ts';
import { isMicroscaled, multipliedFormatOf, type OperandEncoding } from './operand-encoding.ts';

/** The orders in which a kernel may add up the products of one entry of C. */
export const orders = [
  ...(['any', 'sequential', 'blocked', 'pairwise', 'split-k'] as const),
  ...(['data-dependent', 'signs-apart'] as const),
] as const;
export type SummationOrder = (typeof orders)[number];

/** True if an order depends on the values of the terms. */
export const dependsOnData = (order: SummationOrder | undefined): boolean =>
  order === 'data-dependent' || order === 'signs-apart';

/** The claims about the order of sums. */
export interface ClaimedSums {
  /**
   * The order. `any` does not depend on the data. `data-dependent` may sort its terms, or add the small ones first. `signs-apart` sums
   * positive and negative products separately.
   */
  readonly order?: SummationOrder | undefined;
  /** The terms that are summed separately, in any order: those of a block, of a part of k, or of the smallest of repeated halves. */
  readonly partition?: number | undefined;
  /** The number of parts into which k is split. */
  readonly parts?: number | undefined;
  /** The way in which k is cut into parts. @defaultValue any: parts may differ in any way */
  readonly cut?: SumPartition | undefined;
  /** The formats of the sums of parts. @defaultValue the format of sums */
  readonly partialSums?: PartialSums | undefined;
}

/**
 * The cut of k into parts. `even`: at most ⌈k/parts⌉ terms each, interleaved or not; `rest-last`: ⌊k/parts⌋ terms each, and the last
 * part also takes the remainder; or whole tiles of `tile` terms, with at most as many in each part as in the first.
 */
export type SumPartition = 'even' | 'rest-last' | { readonly tile: number };

export const cuts = ['even', 'rest-last'] as const;

/** The parts of a sum. */
export interface SumParts {
  /** The terms of the largest part. */
  readonly largest: number;
  /** The terms of each part but the last. */
  readonly each: number;
  readonly count: number;
}

/** Returns the parts of a sum of k terms, by the claimed number of terms or of parts; without either, one part. */
export function partsIn(k: number, { partition, parts, cut }: ClaimedSums): SumParts {
  const byTerms = (each: number, count = Math.ceil(k / each)) => ({
    largest: Math.min(k, each),
    each,
    count,
  });
  if (parts === undefined) return byTerms(partition ?? k);
  const even = Math.ceil(k / parts);
  if (cut === undefined) return { largest: k, each: even, count: 1 };
  if (cut === 'even') return byTerms(even, Math.min(parts, k));
  if (cut === 'rest-last') {
    const each = Math.floor(k / parts);
    return each === 0 ? byTerms(k) : { largest: k - (parts - 1) * each, each, count: parts };
  }
  const tiles = Math.ceil(k / cut.tile);
  return byTerms(Math.ceil(tiles / parts) * cut.tile, Math.min(parts, tiles));
}

/** The sum of an entry's products: its order, and its possible running sums. */
export interface SumModel extends Omit<ClaimedSums, 'partialSums'> {
  /** The running sums that a kernel may have: a single one if it is known. */
  readonly running: readonly RunningSum[];
  /** The formats to which sums of parts are rounded; undefined where they are sums like all others. */
  readonly partial?: PartialRounding | undefined;
}

/** The smallest run assumed in pairwise sums: NumPy's has 128 terms. */
export const SMALLEST_HALF = 128;

interface Summing extends OperandEncoding {
  readonly accumulated: Format;
}

/**
 * Returns the running sums that a kernel may have. If products of narrower numbers are summed in a wider format, as in matrix units, and
 * nothing is claimed about it, any documented unit is possible.
 */
export function possibleRunningSums(
  precision: Summing,
  { rounding }: Arithmetic,
  claims: ArithmeticClaims,
): readonly RunningSum[] {
  const { accumulator, fma } = claims;
  if (accumulator !== undefined) return [{ ...accumulator, rounding, ...(fma && { fma }) }];
  const operand = multipliedFormatOf(precision);
  const { accumulated } = precision;
  const isRounded = accumulated.unitRoundoff > 0;
  const isUnit = isRounded && operand.precision < accumulated.precision && claims.rounding === undefined;
  return [{ rounding }, ...(isUnit ? addersOf(operand, isMicroscaled(precision)) : [])];
}

/** Returns the fewest significand bits of the running sums; infinity if none states any. */
export const fewestBits = (running: readonly RunningSum[]): number =>
  Math.min(...running.map(({ bits = Number.POSITIVE_INFINITY }) => bits));

/** Returns the format of sums with the bits of the narrowest running sum that a kernel may have. */
export function narrowestSums(
  precision: Summing,
  arithmetic: Arithmetic,
  claims: ArithmeticClaims = {},
): Format {
  const { accumulated } = precision;
  const bits = fewestBits(possibleRunningSums(precision, arithmetic, claims));
  if (bits >= accumulated.precision) return accumulated;
  return { ...accumulated, precision: bits, unitRoundoff: 2 ** -bits };
}

/** Returns the longest sum whose parts, added in their format, lose less than half of it. */
export function longestInParts({ partition = 1, parts, partialSums }: ClaimedSums = {}): number {
  const { added } = partialRoundingOf(partialSums) ?? {};
  const most = added === undefined ? Number.POSITIVE_INFINITY : 0.5 / added.unitRoundoff;
  return parts !== undefined && parts <= most ? Number.POSITIVE_INFINITY : partition * most;
}

/** Returns the approximate error of rounding and adding the sums of parts of k, as a share of the sum of magnitudes. */
export function unitOfParts(k: number, { partition = 1, parts, partialSums }: ClaimedSums): number {
  const { kept, added } = partialRoundingOf(partialSums) ?? {};
  const count = Math.min(k, parts ?? k / partition);
  return (kept?.unitRoundoff ?? 0) + (added?.unitRoundoff ?? 0) * count;
}

/** Returns the known properties of a kernel's sums; undefined if only the usual rounding of the running sum is known. */
export function sumModelOf(
  { partialSums, ...order }: ClaimedSums,
  running: readonly RunningSum[],
): SumModel | undefined {
  const [{ rounding, ...kept }] = running;
  const isPlain = running.length === 1 && Object.keys(kept).length === 0;
  if (isPlain && (order.order ?? 'any') === 'any') return undefined;
  const partial = partialRoundingOf(partialSums);
  return { ...order, running, ...(partial && { partial }) };
}

/**
 * Returns the format of sums within the range of all formats to which sums are rounded, and with the whole numbers that all of them hold.
 */
export function sumsWithin(
  format: Format,
  running: readonly RunningSum[],
  partial: PartialRounding | undefined,
): Format {
  const all = [format, ...formatsOfParts(partial)];
  const integerBits = Math.min(fewestBits(running), ...all.map((one) => one.integerBits));
  const maxFinite = Math.min(...all.map((one) => one.maxFinite));
  const isAsIs = integerBits === format.integerBits && maxFinite === format.maxFinite;
  return isAsIs ? format : { ...format, integerBits, maxFinite };
}

/** A matrix unit with documented sums in binary32. */
interface DocumentedAdder extends Item {
  readonly unit: RunningSum;
  /** The only formats that it multiplies. @defaultValue all floating-point formats */
  readonly of?: readonly string[];
  /** True if it reads the factors of small blocks. @defaultValue true */
  readonly microscaled?: boolean;
}

const FASI = 'Fasi, Higham, Mikaitis, Pranesh 2021, Numerical behavior of NVIDIA tensor cores';
const MMA_SIM = 'Xie, Wang, Yang, Yang 2025, MMA-Sim, arXiv 2511.10909';
const FP8 = ['e4m3', 'e5m2'];
const NARROW = [...FP8, 'e3m2', 'e2m3', 'e2m1'];
const KHATTAK = 'Khattak, Mikaitis 2025, Accurate models of NVIDIA tensor cores';

/**
 * The units that sum products of narrower numbers in binary32. Windows of fewer than 24 bits are documented only for units of eight-bit
 * formats. If a paper finds a bit or two more, the window is the narrower one: bounds are those of the worst unit. Their results to the
 * last bit are in `lab/units/model/units.ts`.
 */
const documentedAdders: readonly DocumentedAdder[] = [
  {
    name: 'one',
    what: 'One product at a time, sums truncated to binary32.',
    source: FASI,
    unit: { rounding: 'toward-zero' },
  },
  {
    name: 'volta',
    what: 'Four products and the sum in 24 bits, truncated (V100, T4).',
    source: FASI,
    unit: { terms: 4, bits: 24, rounding: 'toward-zero' },
  },
  {
    name: 'ampere',
    what: 'Eight products and the sum in at least 24 bits, truncated (A100).',
    source: FASI,
    unit: { terms: 8, bits: 24, rounding: 'toward-zero' },
  },
  {
    name: 'hopper',
    what: 'Sixteen products and the sum in at least 25 bits, truncated (H100, H200, B200).',
    source: `${KHATTAK}; ${MMA_SIM}`,
    unit: { terms: 16, bits: 25, rounding: 'toward-zero' },
  },
  {
    name: 'blackwell-fp8',
    what: 'Thirty-two products of eight-bit formats and the sum in at least 25 bits, truncated (B200).',
    source: MMA_SIM,
    unit: { terms: 32, bits: 25, rounding: 'toward-zero' },
    of: NARROW,
  },
  {
    name: 'ada-fp8',
    what: 'Sixteen products of eight-bit formats and the sum in 14 bits, truncated (L4, L40S).',
    source: MMA_SIM,
    unit: { terms: 16, bits: 14, rounding: 'toward-zero' },
    of: FP8,
    microscaled: false,
  },
  {
    name: 'hopper-fp8',
    what: 'Thirty-two products of eight-bit formats and the sum in 14 bits, truncated (H100, H200).',
    source: `${MMA_SIM}; DeepSeek-AI 2024, DeepSeek-V3 Technical Report, §3.3.2`,
    unit: { terms: 32, bits: 14, rounding: 'toward-zero' },
    of: FP8,
    microscaled: false,
  },
];

/**
 * Returns the units that may multiply numbers of a format.
 * @param isMicroscaled true if the numbers have factors of small blocks, which older units do not read.
 */
const addersOf = ({ name }: Pick<Format, 'name'>, isMicroscaled = false): readonly RunningSum[] =>
  documentedAdders
    .filter(({ of, microscaled = true }) => of?.includes(name) !== false && (microscaled || !isMicroscaled))
    .map(({ unit }) => unit);
