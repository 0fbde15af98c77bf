import { findAlgorithm } from '../algorithms/algorithms.ts';
import { sharedGrowth } from '../algorithms/shared-growth.ts';
import type { Random } from '../base/random.ts';
import { usualInputs } from '../inputs/inputs.ts';
import { claimedFor } from '../kernels/claims.ts';
import type { Shape } from '../matrix/dense.ts';
import { claimedIn } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { caseOf } from '../problem/case.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { type HonestKernel, honestKernels } from './honest-kernels.ts';

const one = <T>(random: Random, of: readonly T[]): T => of[random.int(0, of.length - 1)];

/** Evenly by its logarithm. */
const scaled = (random: Random, least: number, most: number): number =>
  Math.min(most, Math.floor(least * (most / least) ** random.uniform01() + 0.5));

/** The longest sums, and products of two entries that a case has: of one in twenty, the larger number. */
const LONGEST = 32_768;
const PRODUCTS = { usual: 2 ** 13, large: 2 ** 18, fast: 2 ** 13 };
const MOST_ENTRIES = { usual: 4096, fast: 1024 };
const LARGEST_SQUARE = 32;

/** One case in four is of a fast algorithm, as many of coded operands, one in eight a square, which every family can be made for. */
export function honestSumCase(random: Random): PlannedCase {
  const isFast = random.int(1, 4) === 1;
  const kind = isFast ? 'fast' : one(random, ['plain', 'plain', 'codes'] as const);
  const kernel = one<HonestKernel>(random, honestKernels[kind]);
  const precision = one(random, kernel.precisions);
  const shape = random.int(1, 8) === 1 ? squareOf(random) : isFast ? blockOf(random) : lineOf(random);
  const seed = random.int(1, 2 ** 31);
  const { levels } = claimedFor(kernel.claims, shape);
  const accepted = usualInputs().filter((family) => family.accepts(asked(kernel, precision, shape)).ok);
  if (accepted.length === 0) return honestSumCase(random);
  const input = one(random, accepted).name;
  const edit = random.int(1, 8) === 1 && isHeld(precision) ? 'held' : 'none';
  const value = caseOf({ kernel: kernel.name, precision, input, edit, levels, seed, ...shape });
  return { ...value, series: false };
}

/** Where operands are rounded, entries that already are show the errors of the sums alone. */
const isHeld = (name: string) => {
  const { a, multiplied, coded } = precisions.find(name);
  return multiplied !== a && coded === undefined;
};

function asked({ claims }: HonestKernel, precision: string, shape: Shape) {
  const { algorithm, levels } = claimedFor(claims, shape);
  const growth = sharedGrowth(findAlgorithm(algorithm));
  return { ...shape, levels, growth, precision: claimedIn(precisions.find(precision), claims).precision };
}

function squareOf(random: Random): Shape {
  const size = scaled(random, 1, LARGEST_SQUARE);
  return { m: size, k: size, n: size };
}

/** Of any k, the longer it is the fewer entries. */
function lineOf(random: Random): Shape {
  const k = scaled(random, 1, LONGEST);
  const products = random.int(1, 20) === 1 ? PRODUCTS.large : PRODUCTS.usual;
  return { k, ...entriesOf(random, Math.min(MOST_ENTRIES.usual, Math.max(2, Math.floor(products / k)))) };
}

/** Of a size that levels divide into something. */
function blockOf(random: Random): Shape {
  const k = scaled(random, 1, 512);
  return { k, ...entriesOf(random, Math.min(MOST_ENTRIES.fast, Math.max(4, Math.floor(PRODUCTS.fast / k)))) };
}

function entriesOf(random: Random, most: number): Pick<Shape, 'm' | 'n'> {
  const entries = scaled(random, 1, most);
  const m = scaled(random, 1, entries);
  return { m, n: Math.max(1, Math.floor(entries / m)) };
}
