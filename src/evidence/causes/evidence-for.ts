import type { Prediction, Scene } from './cause.ts';
import type { Place } from './places.ts';

/** What the errors of a product are seen beside. */
export interface Scales {
  readonly scene: Scene;
  /** Whether the operands are whole numbers whose sums are exact. */
  readonly isExact: boolean;
  /** The largest power of two that all errors are multiples of. */
  readonly grid: number;
  /** Values that differ by less are taken for one: what they say, they say once. */
  readonly alike: number;
  /** What one value says at most, in bits. */
  readonly most: number;
}

/** Of the largest error the part by which values differ that are told apart. */
const ALIKE = 2 ** -8;

/** What one value says at most, in bits, where a formula gives the product: 1 and 0 are in many places. */
const MOST_OF_ONE = 6;

/** What wrong entries are seen beside. */
export function scalesOf(scene: Scene, wrong: readonly Place[]): Scales {
  const { family, staysExact } = scene.evidence.operands;
  const errors = wrong.map(({ error }) => error).filter((error) => error > 0 && Number.isFinite(error));
  return {
    scene,
    isExact: family?.exactness === 'integers' && staysExact !== false,
    grid: gridOf(errors),
    alike: ALIKE * errors.reduce((most, error) => Math.max(most, error), 0),
    most: family?.hasIdeal === true ? MOST_OF_ONE : Number.POSITIVE_INFINITY,
  };
}

function gridOf(errors: readonly number[]): number {
  let grid = Number.POSITIVE_INFINITY;
  for (const error of errors) {
    grid = Math.min(grid, 2 ** Math.floor(Math.log2(error)));
    while (error % grid !== 0) grid /= 2;
  }
  return grid;
}

/**
 * The evidence, in bits, from which a mistake is named. An entry that is wrong by chance, by up to E, is within r of a
 * prediction with a chance of about r/E, and of whole multiples of g equal to it with one of g/(2E + g): what these are
 * the powers of two of adds up over different values. Some fifty causes are looked at, 2^6, and of each several predictions.
 */
export const SURE = 16;

/** What an entry that is not finite says of mistakes with such, in bits: of others nothing, any of them may leave NaN. */
const FEW = 2;

/** How much speaks for a prediction; undefined where an entry speaks against it, or half of all are unknown. */
export function evidenceFor(
  prediction: Prediction,
  scales: Scales,
  wrong: readonly Place[],
): number | undefined {
  const seen = new Set<string>();
  let [bits, unknown] = [0, 0];
  for (const place of wrong) {
    const predicted = prediction.entry(place.i, place.j, place.p);
    if (predicted === undefined) {
      if (2 * ++unknown > wrong.length) return undefined;
      continue;
    }
    const own = bitsOf(predicted, place, prediction, scales);
    if (own === undefined) return undefined;
    const isPattern = prediction.special === true && !Number.isFinite(place.found - place.expected);
    const key = `${Math.round(place.found / scales.alike)} ${Math.round(place.expected / scales.alike)}`;
    if (seen.has(key) && !isPattern) continue;
    seen.add(key);
    bits += own;
  }
  return bits;
}

/** The share of an error that a mistake may leave unexplained, where rounding is expected. */
const LEFT = 2 ** -7;

/** What rounding may leave beside it, in expected errors. */
const ROUNDING = 6;

/** What is expected of every entry, where all of them are compared. */
const analysisIn = ({ evidence: { analysis, reference } }: Scene) =>
  reference.checked === 1 ? analysis : undefined;

/** What one entry says for a prediction; undefined where it speaks against it. */
function bitsOf(
  predicted: number,
  { at, found, error }: Place,
  { rounded = false, special = false }: Prediction,
  { scene, isExact, grid, most }: Scales,
): number | undefined {
  const { d } = scene.evidence.machine.precision;
  const isSame = Object.is(d.round(predicted) + 0, found + 0);
  if (!Number.isFinite(found) || !Number.isFinite(predicted)) {
    return isSame ? Number(special) * FEW : undefined;
  }
  if (isExact && !rounded) {
    if (!isSame) return undefined;
    return Number.isFinite(error) ? Math.min(most, Math.log2(1 + (2 * error) / grid)) : FEW;
  }
  const scale = Number.isFinite(error) ? error : Math.abs(found);
  const left = Math.abs(found - predicted);
  const rounding = ROUNDING * (analysisIn(scene)?.sigma.data[at] || 0);
  if (!isSame && !(left <= Math.max(LEFT * scale, rounding))) return undefined;
  const least = Math.max(left, rounding, d.unitRoundoff * Math.abs(found), Number.MIN_VALUE);
  return scale === 0 ? FEW : Math.min(most, Math.max(0, Math.log2(scale / least)));
}

/** By what share of itself a right entry may differ where its bound is not known. */
const NEAR = 2 ** -8;

/** Whether an entry that is not wrong is as predicted. */
export function isRight(
  { entry }: Prediction,
  { scene, isExact }: Scales,
  { i, j, p, at, found }: Place,
): boolean {
  const predicted = entry(i, j, p);
  if (predicted === undefined) return false;
  if (Object.is(predicted + 0, found + 0)) return true;
  if (isExact) return false;
  const bound = analysisIn(scene)?.bound.data[at] ?? NEAR * Math.abs(found);
  return Math.abs(predicted - found) <= 2 * bound;
}
