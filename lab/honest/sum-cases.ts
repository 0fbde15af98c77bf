import { findAlgorithm } from '../../src/algorithms/algorithms.ts';
import { sharedGrowth } from '../../src/algorithms/growth.ts';
import type { Random } from '../../src/base/random.ts';
import { allowedEdits } from '../../src/fuzz/settle-fields.ts';
import { applyVariation } from '../../src/gate/gemm-sample.ts';
import { editKinds } from '../../src/inputs/edits/edits.ts';
import type { InputFamily, InputShape } from '../../src/inputs/input.ts';
import { inputRegistry } from '../../src/inputs/inputs.ts';
import { claimedAlgorithmFor } from '../../src/kernels/claims.ts';
import type { Shape } from '../../src/matrix/dense.ts';
import { everythingGrouped, withComplex } from '../../src/matrix/features.ts';
import { hasWholeScales } from '../../src/precision/coding/coding.ts';
import { applyClaims, type Precision } from '../../src/precision/precision.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { caseOf } from '../../src/problem/case.ts';
import { drawFields } from '../../src/problem/draw-fields.ts';
import type { WholeNumberSource } from '../../src/problem/draws.ts';
import { toGemm } from '../../src/problem/gemm-of.ts';
import { whyImpossible } from '../../src/problem/why-impossible.ts';
import type { PlannedCase } from '../../src/run/planned-case.ts';
import { type HonestKernel, honestBases, honestFrom, honestKernel } from './kernels.ts';
import { honestTraits } from './traits.ts';

const one = <T>(random: Random, of: readonly T[]): T => of[random.int(0, of.length - 1)];

/** A size from a log-uniform distribution. */
const scaled = (random: Random, least: number, most: number): number =>
  Math.min(most, Math.floor(least * (most / least) ** random.uniform01() + 0.5));

/** Limits of a case: the longest sum, and the most products of two entries; one case in twenty has the larger limit. */
const LONGEST = 32_768;
const PRODUCTS = { usual: 2 ** 13, large: 2 ** 18, fast: 2 ** 13 };
const MOST_ENTRIES = { usual: 4096, fast: 1024 };
const LARGEST_SQUARE = 32;

/** Fields to draw in addition to sizes and families. */
const KEYS = ['batch', 'group', 'alpha', 'beta', 'a', 'b', 'c', 'd', 'edit'] as const;

/**
 * Draws a case of a correct kernel. Every precision is equally likely, except that one in three is of coded operands. One kernel
 * in four is of a fast algorithm. One shape in eight is a square, for which every family can be made. Half of the cases have any
 * features, and a quarter are edited. Where sums may leave the range of their format, one case in four is of a family that does.
 */
export function honestSumCase(random: Random): PlannedCase {
  const dice: WholeNumberSource = (least, most) => random.int(least, most);
  const now = (oneIn: number) => random.int(1, oneIn) === 1;
  const precision = one(random, now(3) ? coded : numeric);
  const kernel = kernelIn(precision, random);
  const isRich = now(2);
  const sizes = now(8) ? squareOf(random) : kernel.base.isFast ? blockOf(random) : lineOf(random);
  const shape = isRich && now(40) ? { ...sizes, [one(random, ['m', 'k', 'n'])]: 0 } : sizes;
  const within = asked(kernel, precision, shape);
  const accepted = inputRegistry.items.filter((family) => isAccepted(family, kernel, within));
  if (accepted.length === 0) return honestSumCase(random);
  const beyond = accepted.filter(({ leavesRange }) => leavesRange === true);
  const family = one(random, beyond.length > 0 && now(4) ? beyond : accepted);
  const complex = precision.complex === true;
  const features = isRich ? { ...withComplex(everythingGrouped, complex), complexFactors: complex } : {};
  const space = { maxSize: 1, tiles: [], features, edits: now(2) };
  const { edit: some, ...drawn } = drawFields(KEYS, space, dice, shape);
  const text = some ?? (now(4) ? one(random, bare).name : 'none');
  const isHeld = now(8) && precision.coded === undefined && precision.multiplied !== precision.a;
  const value = caseOf({
    ...{ kernel: kernel.name, precision: precision.name, input: family.name, ...shape },
    ...{ levels: within.levels, seed: random.int(1, 2 ** 31) },
    // Rounded operands are drawn already rounded, so that only errors of sums show.
    edit: allowedEdits(isHeld ? 'held' : text, family, within),
  });
  const made = { ...applyVariation(value, drawn), series: false };
  return isRefused(made) ? honestSumCase(random) : made;
}

/** Edits of one kind. */
const bare = editKinds.filter(({ takes }) => takes === undefined);
/** Precisions of coded operands that the kernels of `codes.ts` decode: they know no superblocks. */
export const coded = precisions.items.filter(
  ({ coded: of }) =>
    of !== undefined && !Object.values(of).some((one) => one !== undefined && hasWholeScales(one)),
);
export const numeric = precisions.items.filter((precision) => precision.coded === undefined);

/** True if a family can be made, and its sums stay in range or the kernel claims how it treats overflow. */
function isAccepted(family: InputFamily, { claims }: HonestKernel, within: InputShape): boolean {
  const { overflow } = claims.arithmetic?.result ?? {};
  return family.accepts(within).ok && (family.leavesRange !== true || overflow !== undefined);
}

function isRefused(value: PlannedCase): boolean {
  const { kernel, problem } = value;
  const opened = honestKernel({ kernel, precision: problem.precision });
  return whyImpossible(value) !== undefined || opened?.refuses?.(toGemm(problem)) !== undefined;
}

/** Draws a kernel of a precision. Each kind of trait is added with probability one third if it fits the others. */
function kernelIn(precision: Precision, random: Random): HonestKernel {
  const base = one(random, honestBases[random.int(1, 4) === 1 ? 'fast' : 'plain']);
  const isClaimed = random.int(1, 3) > 1;
  const kinds = [...new Set(honestTraits.map(({ kind }) => kind))].filter(() => random.int(1, 3) === 1);
  const start = honestFrom(base, [], precision, isClaimed);
  const withTraits = kinds.reduce((found, kind) => {
    if (found === undefined) return found;
    const fitting = honestTraits.filter((trait) => trait.kind === kind && trait.fits(precision));
    if (fitting.length === 0) return found;
    return honestFrom(base, [...found.traits, one(random, fitting)], precision, isClaimed) ?? found;
  }, start);
  return withTraits ?? kernelIn(precision, random);
}

function asked({ claims }: HonestKernel, precision: Precision, shape: Shape) {
  const { algorithm, levels } = claimedAlgorithmFor(claims, shape);
  const growth = sharedGrowth(findAlgorithm(algorithm));
  return { ...shape, levels, growth, precision: applyClaims(precision, claims).precision };
}

function squareOf(random: Random): Shape {
  const size = scaled(random, 1, LARGEST_SQUARE);
  return { m: size, k: size, n: size };
}

/** Draws a shape with any k: the longer it is, the fewer entries. */
function lineOf(random: Random): Shape {
  const k = scaled(random, 1, LONGEST);
  const products = random.int(1, 20) === 1 ? PRODUCTS.large : PRODUCTS.usual;
  return { k, ...entriesOf(random, Math.min(MOST_ENTRIES.usual, Math.max(2, Math.floor(products / k)))) };
}

/** Draws a shape that the levels can divide. */
function blockOf(random: Random): Shape {
  const k = scaled(random, 1, 512);
  return { k, ...entriesOf(random, Math.min(MOST_ENTRIES.fast, Math.max(4, Math.floor(PRODUCTS.fast / k)))) };
}

function entriesOf(random: Random, most: number): Pick<Shape, 'm' | 'n'> {
  const entries = scaled(random, 1, most);
  const m = scaled(random, 1, entries);
  return { m, n: Math.max(1, Math.floor(entries / m)) };
}
