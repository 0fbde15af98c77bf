import type { Prediction, WrongProductScene } from './cause.ts';

/** Facts about a scene by which the errors of a product are weighed. */
export interface ErrorScales {
  readonly scene: WrongProductScene;
  /** True if the operands are whole numbers whose sums are exact. */
  readonly isExact: boolean;
  /** The largest power of two of which all errors are multiples. */
  readonly grid: number;
  /** Values that differ by less count as one value, whose evidence counts once. */
  readonly alike: number;
  /** The most evidence that one value gives, in bits. */
  readonly most: number;
}

/** Values count as different from this part of the largest error on. */
const ALIKE = 2 ** -8;

/** The most evidence that one value gives, in bits, where a formula gives the product: 1 and 0 are in many places. */
const MOST_OF_ONE = 6;

export function scalesOf(scene: WrongProductScene, wrong: readonly ComparedEntry[]): ErrorScales {
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
 * The evidence, in bits, from which a mistake is named. Let an entry be wrong at random, by up to E. It is within r of a prediction with a
 * chance of about r/E; if it is a whole multiple of g, it equals one with a chance of g/(2E + g). Minus log2 of these chances adds up over
 * different values. Some fifty causes are tried, 2^6, each with several predictions.
 */
export const SURE = 16;

/**
 * Evidence, in bits, that an entry that is not finite gives for mistakes about such entries. It gives none for others, since any mistake
 * may leave NaN.
 */
const FEW = 2;

/** Returns the evidence for a prediction, in bits; undefined where an entry contradicts it, or more than half of all are unknown. */
export function measureEvidence(
  prediction: Prediction,
  scales: ErrorScales,
  wrong: readonly ComparedEntry[],
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

/** The share of an error that a mistake may leave unexplained where rounding is expected. */
const LEFT = 2 ** -7;

/** Rounding error allowed beside a mistake, in expected errors. */
const ROUNDING = 6;

/** The analysis of every entry, where all entries are compared. */
const analysisIn = ({ evidence: { analysis, reference } }: WrongProductScene) =>
  reference.checked === 1 ? analysis : undefined;

/** Returns the evidence that one entry gives for a prediction, in bits; undefined where it contradicts it. */
function bitsOf(
  predicted: number,
  { at, found, error }: ComparedEntry,
  { rounded = false, special = false }: Prediction,
  { scene, isExact, grid, most }: ErrorScales,
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

/** The relative difference allowed for a right entry whose bound is not known. */
const NEAR = 2 ** -8;

export function isRight(
  { entry }: Prediction,
  { scene, isExact }: ErrorScales,
  { i, j, p, at, found }: ComparedEntry,
): boolean {
  const predicted = entry(i, j, p);
  if (predicted === undefined) return false;
  if (Object.is(predicted + 0, found + 0)) return true;
  if (isExact) return false;
  const bound = analysisIn(scene)?.bound.data[at] ?? NEAR * Math.abs(found);
  return Math.abs(predicted - found) <= 2 * bound;
}

/** An entry to compare: its place, its computed and its exact value. */
interface ComparedEntry {
  readonly i: number;
  readonly j: number;
  /** Index of the product in the batch. */
  readonly p: number;
  readonly at: number;
  readonly found: number;
  readonly expected: number;
  /** |found − exact|; infinite where one of the two is not finite. */
  readonly error: number;
}

/** The most entries compared: wrong ones, and right ones. */
const MOST = { wrong: 2048, right: 512 };
/** About the most multiplications for comparing one prediction. */
const COST = 2 ** 22;
/** The number of entries compared however long their sums are. */
const LEAST = 64;

/** Picks wrong entries and right ones, spread over the product; all of them where they are few. */
export function pickEntries(scene: WrongProductScene, wrong: Uint8Array) {
  const { m, k, n } = scene.gemm;
  const room = Math.max(LEAST, Math.floor(COST / Math.max(1, k)));
  const pick = (mark: 0 | 1, most: number) => {
    const count = wrong.reduce((sum, one) => sum + Number(one === mark), 0);
    const step = Math.max(1, count / Math.min(most, room));
    const chosen: ComparedEntry[] = [];
    for (let at = 0, seen = 0; at < wrong.length; at++) {
      if (wrong[at] !== mark) continue;
      if (seen++ >= chosen.length * step) chosen.push(placeAt(scene, at, m, n));
    }
    return { count, chosen };
  };
  const bad = pick(1, MOST.wrong);
  return { wrong: bad.chosen, isSample: bad.chosen.length < bad.count, right: pick(0, MOST.right).chosen };
}

function placeAt(scene: WrongProductScene, at: number, m: number, n: number): ComparedEntry {
  const row = Math.floor(at / n);
  const [i, j, p] = [row % m, at % n, Math.floor(row / m)];
  const [found, expected] = [scene.found(i, j, p), scene.expected(i, j, p)];
  const difference = Math.abs(found - expected - (scene.low?.[at] ?? 0));
  const error = Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
  return { i, j, p, at, found, expected, error };
}
