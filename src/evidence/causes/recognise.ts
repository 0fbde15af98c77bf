import type { Evidence } from '../evidence.ts';
import type { Cause, Prediction, Scene } from './cause.ts';
import { type Family, families } from './causes.ts';
import { type Place, placesOf } from './places.ts';
import { sceneOf } from './scene.ts';

/** A mistake that explains a wrong product. */
export interface LooksLike {
  /** The mistake's name: `b-transposed`. */
  readonly cause: string;
  /** What the result looks like, in a clause: "as if B were read as its transpose". */
  readonly says: string;
}

/** A prediction that explains every wrong entry that was compared. */
interface Match {
  readonly cause: string;
  readonly family: Family;
  readonly says: string;
  /** Whether right entries are as predicted, too. */
  readonly isWhole: boolean;
  readonly isGuess: boolean;
}

/**
 * Compares a wrong product with what known mistakes would have given. A mistake is named only where it explains every wrong
 * entry that is compared, exactly where sums are exact, else but for rounding or {@link LEFT} of each error, and where so much does not
 * fit by chance: see {@link SURE}. Of several it is one that is right where the product is, then the first; others that
 * explain as much are named beside it.
 */
export function recognise(evidence: Evidence, wrong: Uint8Array): LooksLike | undefined {
  const scene = sceneOf(evidence);
  const places = placesOf(scene, wrong);
  if (places.wrong.length === 0) return undefined;
  const matches = families.flatMap((family) =>
    family.causes.flatMap((cause) => matchesOf(cause, scene, places, family)),
  );
  const best = matches.find(({ isWhole }) => isWhole) ?? matches[0];
  if (best === undefined) return undefined;
  const { cause, family, isWhole } = best;
  const isTold = (one: Match) =>
    one.isWhole &&
    one.family !== family &&
    !one.isGuess &&
    (!family.isPlain || one.family.isBesidePlain === true);
  const others = isWhole ? matches.filter(isTold) : [];
  const or = others.length === 0 ? '' : `, or ${others[0].says}`;
  const sample = places.isSample ? ` (${places.wrong.length} entries compared)` : '';
  return { cause, says: `${isWhole ? '' : 'there '}${best.says}${or}${sample}` };
}

/** What is compared. */
type Places = ReturnType<typeof placesOf>;

/** The first prediction of a cause that holds, one that is right where the product is before others. */
function matchesOf(cause: Cause, scene: Scene, places: Places, family: Family): Match[] {
  let [found, tried]: [Match | undefined, number] = [undefined, 0];
  for (const prediction of cause.predict(scene)) {
    tried++;
    const bits = evidenceFor(prediction, scene, places.wrong);
    if (bits === undefined || bits < SURE + Math.log2(tried) + (prediction.price ?? 0)) continue;
    const isWhole = places.right.every((place) => isRight(prediction, scene, place));
    if (found !== undefined && !isWhole) continue;
    found = {
      cause: cause.name,
      family,
      says: prediction.says,
      isWhole,
      isGuess: prediction.isGuess === true,
    };
    if (isWhole) break;
  }
  return found === undefined ? [] : [found];
}

/** The share of an error that a mistake may leave unexplained, where rounding is expected. */
const LEFT = 2 ** -7;

/** What rounding may leave beside it, in expected errors. */
const ROUNDING = 6;

/**
 * The evidence, in bits, from which a mistake is named. An entry that is wrong by chance, by up to E, is within r of a
 * prediction with a chance of about r/E, and of whole multiples of g equal to it with one of g/(2E + g): what these are
 * the powers of two of adds up over different errors. Some fifty causes are looked at, 2^6, and of each several predictions.
 */
const SURE = 16;

/** What an entry that is not finite says of mistakes with such, in bits: of others nothing, any of them may leave NaN. */
const FEW = 2;

/** How much speaks for a prediction; undefined where an entry speaks against it, or half of all are unknown. */
function evidenceFor(prediction: Prediction, scene: Scene, wrong: readonly Place[]): number | undefined {
  const { precision } = scene.evidence.machine;
  const isExact = isWhole(scene) && prediction.rounded !== true;
  const grid = isExact ? gridOf(wrong) : 0;
  const alike = ALIKE_TO * wrong.reduce((most, { error }) => Math.max(most, error < Infinity ? error : 0), 0);
  const most = scene.evidence.operands.family?.hasIdeal === true ? MOST_OF_ONE : Infinity;
  const seen = new Set<string>();
  let [bits, unknown] = [0, 0];
  for (const { i, j, p, at, found, expected, error } of wrong) {
    const predicted = prediction.entry(i, j, p);
    if (predicted === undefined) {
      if (2 * ++unknown > wrong.length) return undefined;
      continue;
    }
    const rounded = precision.d.round(predicted);
    const isSame = Object.is(rounded + 0, found + 0);
    if (!Number.isFinite(found) || !Number.isFinite(predicted)) {
      if (!isSame) return undefined;
      if (prediction.special === true) bits += FEW;
      continue;
    }
    const scale = Number.isFinite(error) ? error : Math.abs(found);
    const left = Math.abs(found - predicted);
    const rounding = isExact ? 0 : ROUNDING * (scene.evidence.analysis?.sigma.data[at] || 0);
    if (!(isSame || (!isExact && left <= Math.max(LEFT * scale, rounding)))) return undefined;
    const key = `${Math.round(found / alike)} ${Math.round(expected / alike)}`;
    const isPattern = prediction.special === true && !Number.isFinite(expected);
    if (seen.has(key) && !isPattern) continue;
    seen.add(key);
    const least = Math.max(left, rounding, precision.d.unitRoundoff * Math.abs(found), Number.MIN_VALUE);
    const own =
      isExact && Number.isFinite(error) ? Math.log2(1 + (2 * error) / grid) : Math.log2(scale / least);
    bits += scale === 0 ? FEW : Math.min(most, Math.max(0, own));
  }
  return bits;
}

/** Values this near beside the largest error are taken for one: what they say, they say once. */
const ALIKE_TO = 2 ** -8;

/** What one value says at most, in bits, where a formula gives the product: 1 and 0 are in many places. */
const MOST_OF_ONE = 6;

/** Whether the operands are whole numbers whose sums are exact. */
const isWhole = ({ evidence: { operands } }: Scene): boolean =>
  operands.family?.exactness === 'integers' && operands.staysExact !== false;

/** The largest power of two that all errors are multiples of. */
function gridOf(wrong: readonly Place[]): number {
  let grid = Number.POSITIVE_INFINITY;
  for (const { error } of wrong) {
    if (!Number.isFinite(error) || error === 0) continue;
    grid = Math.min(grid, 2 ** Math.floor(Math.log2(error)));
    while (error % grid !== 0) grid /= 2;
  }
  return grid;
}

/** By what share of itself a right entry may differ where its bound is not known. */
const ALIKE = 2 ** -8;

/** Whether an entry that is not wrong is as predicted. */
function isRight({ entry }: Prediction, scene: Scene, { i, j, p, at, found }: Place): boolean {
  const predicted = entry(i, j, p);
  if (predicted === undefined) return false;
  if (Object.is(predicted + 0, found + 0)) return true;
  if (isWhole(scene)) return false;
  const bound = scene.evidence.analysis?.bound.data[at] ?? ALIKE * Math.abs(found);
  return Math.abs(predicted - found) <= 2 * bound;
}
