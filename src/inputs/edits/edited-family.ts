import { createRandom } from '../../base/random.ts';
import type { Registry } from '../../base/registry.ts';
import { f32 } from '../../precision/format.ts';
import type { Precision } from '../../precision/precision.ts';
import { singlePrecision } from '../../precision/single.ts';
import type { GemmProblem } from '../../problem/problem.ts';
import { factorEnds } from '../factor-ends.ts';
import { fittedPair, isFitted, mapEntries } from '../fitted.ts';
import {
  ACCEPTED,
  type Acceptance,
  type InputFamily,
  type InputPair,
  type InputRequest,
  type InputShape,
  type MagnitudeReach,
  requireAccepted,
  withinRange,
} from '../input.ts';
import { inputRegistry } from '../inputs.ts';
import { specialValues } from '../special-values.ts';
import type { Edit, PairTraits } from './edit.ts';
import { parseEdits } from './edits.ts';

/**
 * Returns the family of a case: the one it names, with its edits.
 * @param inputs families that it may name. @defaultValue the built-in ones
 * @param edit edits as {@link parseEdits} reads them, if any; `none` means none.
 * @throws ParanoiaError `unknown-name`, `bad-number`
 */
export function inputOf(
  { input, edit }: { readonly input: string; readonly edit?: string | undefined },
  inputs: Registry<InputFamily> = inputRegistry,
): InputFamily {
  const family = inputs.find(input);
  return edit === undefined || edit === 'none' ? family : editedFamily(family, parseEdits(edit));
}

function traitsOf(family: InputFamily): PairTraits {
  const { statistics, exactness, reach } = family;
  return { statistics, exactness, reach, specials: family === specialValues };
}

/** True if some entries of a case's operands are NaN or infinite. @throws ParanoiaError as {@link inputOf} */
export function hasSpecialEntries(
  { input, edit = 'none' }: { readonly input: string; readonly edit?: string | undefined },
  inputs: Registry<InputFamily> = inputRegistry,
): boolean {
  const edits = edit === 'none' ? [] : parseEdits(edit);
  return edits.reduce((before, one) => one.traits(before), traitsOf(inputs.find(input))).specials;
}

/** The first streams of edits, which no family uses. */
const FIRST_STREAM = 100;
const FIRST_STREAM_OF_C = 1100;

/** Returns a family whose pairs are edited after they are made. Its fields describe the edited pairs. */
export function editedFamily(family: InputFamily, edits: readonly Edit[]): InputFamily {
  const before: PairTraits[] = [traitsOf(family)];
  for (const edit of edits) before.push(edit.traits(before[before.length - 1]));
  const { statistics, reach, isSpread = false, hasUnits = false, ...last } = before[edits.length];
  const exactness = isSpread && hasUnits ? 'none' : last.exactness;
  const accepts = (shape: InputShape): Acceptance => {
    if (shape.m * shape.k * shape.n === 0) return { ok: false, reason: 'it has no entries to edit' };
    // They already lie at the ends of their formats.
    if (family === factorEnds) return { ok: false, reason: 'its elements and factors are chosen together' };
    const answers = [
      family.accepts(shape),
      ...edits.flatMap((edit, at) => [
        withinRange(reachIn(before[at + 1], shape.precision), shape.precision),
        edit.accepts?.(shape) ?? ACCEPTED,
      ]),
    ];
    return answers.find(({ ok }) => !ok) ?? ACCEPTED;
  };
  const editedOne: InputFamily = {
    ...family,
    what: `${family.what} Edited: ${edits.map(({ text }) => text).join(', ')}.`,
    ...{ statistics, exactness, reach, isSpread },
    hasIdeal: false,
    accepts,
    editAddend(c, seed) {
      family.editAddend?.(c, seed);
      edits.forEach((edit, at) => {
        edit.addend?.(c, { random: createRandom(seed, FIRST_STREAM_OF_C + at) });
      });
    },
    generate(request) {
      requireAccepted(editedOne, request);
      return edited(family.generate(request), edits, request);
    },
  };
  return editedOne;
}

/**
 * Returns the reach of a family in a precision. Factors of lines multiply sums, so the largest units of A and of B meet, though their
 * elements do not.
 */
const reachIn = ({ hasUnits, reach }: PairTraits, precision: Precision | undefined): MagnitudeReach =>
  hasUnits && precision?.coded?.a && precision.coded.b
    ? { ...reach, sums: Math.max(reach.sums, 2 * reach.entries) }
    : reach;

function edited(
  { a, b, hasSubnormals }: InputPair,
  edits: readonly Edit[],
  request: InputRequest,
): InputPair {
  const precision = request.precision ?? singlePrecision;
  const { d: result, accumulated } = precision;
  // Entries that are fitted afterwards are rounded then.
  const stored = isFitted(precision) ? f32 : precision.a;
  const multiplied = precision.multiplied === precision.a ? stored : precision.multiplied;
  const { levels = 0, seed, sharedSeed = seed } = request;
  const grain = stored.bytes > 4 ? 'fine' : 'coarse';
  edits.forEach((edit, at) => {
    const [random, shared] = [seed, sharedSeed].map((own) => createRandom(own, FIRST_STREAM + at, grain));
    edit.apply({ a, b }, { random, shared, stored, multiplied, accumulated, result, levels });
  });
  // Half of a small number may not be in a format.
  for (const of of [a, b]) mapEntries(of, stored.round);
  const { a: left, b: right } = isFitted(precision) ? fittedPair({ a, b }, precision) : { a, b };
  const some = (test: (x: number) => boolean) => left.data.some(test) || right.data.some(test);
  return {
    a: left,
    b: right,
    hasSpecials: some((x) => !Number.isFinite(x)),
    hasSubnormals: hasSubnormals && some((x) => x !== 0 && Math.abs(x) < stored.minNormal),
  };
}

/**
 * True if the errors of a problem's sums are random and none is exact: entries have all bits of their format, so that the
 * product shows operands or sums of fewer bits.
 */
export function showsRounding(
  problem: GemmProblem,
  {
    inputs,
    precisions,
  }: { readonly inputs: Registry<InputFamily>; readonly precisions: Registry<Precision> },
): boolean {
  const { m, k, n, alpha, precision } = problem;
  if (m * k * n === 0 || alpha === 0) return false;
  const { exactness, statistics, randomUpTo } = inputOf(problem, inputs);
  return exactness === 'none' && statistics === 'random' && k <= randomUpTo(precisions.find(precision));
}
