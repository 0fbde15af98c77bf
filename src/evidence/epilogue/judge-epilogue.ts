import { toJsonNumber } from '../../base/numbers.ts';
import { describeEpilogue } from '../../epilogue/chain.ts';
import { type Interval, isOnlyNaN } from '../../epilogue/interval.ts';
import type { Target } from '../../epilogue/target.ts';
import { formatPercent } from '../../report/numbers.ts';
import type { Verdict } from '../case-result.ts';
import type { LikelyCause } from '../causes/recognize.ts';
import { describeWrong } from '../describe-wrong.ts';
import type { EpilogueVerdict } from '../evidence.ts';
import type { WorstEntry } from '../worst-entries.ts';
import { epilogueCauses } from './causes/causes.ts';
import { expectedResult } from './expected-result.ts';
import type { WeighedEpilogue } from './weigh-epilogue.ts';

/** The judgment of a product with an epilogue. */
export interface JudgedEpilogue extends EpilogueVerdict {
  readonly looksLike?: LikelyCause | undefined;
  /** Wrong entries, the worst first; else the entries nearest to what is allowed. */
  worst(most: number): WorstEntry[];
}

/** An entry of D, and how far it is from the exact result. */
interface Compared {
  readonly place: number;
  readonly ratio: number;
  readonly error: number;
}

/** Judges every compared entry of D: right if a correct kernel may compute it. */
export function judgeEpilogue(weighed: WeighedEpilogue): JudgedEpilogue {
  const { places, target, found, possible, exact } = weighed;
  const wrong = new Uint8Array(found.data.length);
  const tally = { judged: 0, count: 0, used: 0, special: 0, byOne: 0, byMore: 0, widths: 0, values: 0 };
  const compared: Compared[] = [];
  for (let t = 0; t < places.length; t++) {
    const place = places[t];
    const [x, ideal] = [possible(place), exact(place)];
    if (isSpecial(ideal)) tally.special++;
    if (x === undefined) continue;
    tally.judged++;
    const value = found.data[place];
    const isRight = target.accepts(x, value);
    const expected = target.result(middleOf(ideal));
    const ratio = ratioOf(target.range(x), expected, value, isRight);
    if (ratio > tally.used) tally.used = ratio;
    if (ratio > 0) compared.push({ place, ratio, error: Math.abs(value - expected) });
    addSquares(tally, x, ideal, weighed.least);
    if (isRight) continue;
    wrong[place] = 1;
    tally.count++;
    const steps = target.steps?.(x, value);
    if (steps === 1) tally.byOne++;
    else tally.byMore++;
  }
  const { count, used, special } = tally;
  const looksLike = count === 0 ? undefined : recognizeEpilogue(weighed, wrong);
  return {
    ...verdictOf(weighed, tally, wrong, looksLike),
    ...{ wrong, count, used, special, looksLike },
    worst: (most) => worstOf(weighed, compared, most),
  };
}

/** True if an exact result is NaN, which clamps may replace, or infinite. */
const isSpecial = ({ lo, hi, nan }: Interval): boolean =>
  nan === true || !Number.isFinite(lo) || !Number.isFinite(hi);

const middleOf = ({ lo, hi }: Interval): number => (lo === hi ? lo : lo / 2 + hi / 2);

/** Returns an error as a share of what is allowed on its side; above 1 for a wrong result. */
function ratioOf(range: Interval, expected: number, found: number, isRight: boolean): number {
  if (Object.is(found + 0, expected + 0)) return isRight ? 0 : Number.POSITIVE_INFINITY;
  const error = Math.abs(found - expected);
  const allowed = found > expected ? range.hi - expected : expected - range.lo;
  const ratio = error / allowed;
  if (isRight) return ratio <= 1 ? ratio : 1;
  return ratio > 1 ? ratio : Number.POSITIVE_INFINITY;
}

/** Sums of the squares of bounds, and of the exact values with which they are compared. */
interface Squares {
  widths: number;
  values: number;
}

/** Adds the squares of an interval's half width and of the exact value, or the least that counts, where both are finite. */
function addSquares(tally: Squares, x: Interval, exact: Interval, least: number): void {
  const half = (x.hi - x.lo) / 2;
  if (!Number.isFinite(half) || isSpecial(exact)) return;
  tally.widths += half * half;
  tally.values += Math.max(least, Math.abs(exact.lo)) ** 2;
}

/**
 * True if activations make D vanish, whose errors are shares of their arguments: these are larger than the bounds of D, and than their own.
 */
function vanishes({ places, passing, least }: WeighedEpilogue, widths: number): boolean {
  const before: Squares = { widths: 0, values: 0 };
  for (let t = 0; t < places.length; t++) {
    const x = passing.possible(places[t]);
    if (x !== undefined) addSquares(before, x, passing.exact(places[t]), least);
  }
  return Math.max(widths, before.widths) <= before.values;
}

type Tally = {
  readonly [K in 'judged' | 'count' | 'used' | 'special' | 'byOne' | 'byMore' | 'widths' | 'values']: number;
};

function verdictOf(
  weighed: WeighedEpilogue,
  { judged, count, used, special, byOne, byMore, widths, values }: Tally,
  wrong: Uint8Array,
  looksLike: LikelyCause | undefined,
): { verdict: Verdict; reason: string } {
  const { evidence, epilogue, target, places } = weighed;
  const { checked } = evidence.reference;
  const rest =
    checked === 1
      ? ''
      : ` The other ${formatPercent(1 - checked)} of D were not compared: random sums do not pass an epilogue.`;
  const steps = describeEpilogue(epilogue);
  if (count > 0) {
    const among = checked === 1 ? '' : ` in ${count} of ${judged} compared entries`;
    const far = target.steps === undefined ? '' : `, ${describeDistances(byOne, byMore)}`;
    const like = looksLike === undefined ? '' : `; likely mistake: ${looksLike.says}`;
    const where = `${describeWrong(evidence, wrong)}${far}`;
    return { verdict: 'fail', reason: `D differs from A·B after ${steps}${among}: ${where}${like}.${rest}` };
  }
  const skipped = places.length - judged;
  if (skipped > 0) {
    const reason = `${skipped} of ${places.length} entries have no bound: a sum may overflow, or one of blocks may turn infinity into NaN.`;
    return { verdict: 'inconclusive', reason };
  }
  // Of finite entries, those without a finite bound have no squares.
  const isUnbounded = judged > special && values === 0;
  if (isUnbounded || (used > 0 && widths > values && !vanishes(weighed, widths))) {
    const reason = `The bound after ${steps} exceeds D itself and proves nothing. Use operands that cancel less.`;
    return { verdict: 'inconclusive', reason };
  }
  const which = checked === 1 ? `All ${judged} entries` : `All ${judged} compared entries`;
  return { verdict: 'pass', reason: `${which} are what A·B may become after ${steps}.${rest}` };
}

/** Describes how far wrong codes are from right ones: "each by one step". */
const describeDistances = (byOne: number, byMore: number): string =>
  byOne > 0 && byMore > 0
    ? `${byOne} by one step and ${byMore} by more`
    : `${byOne + byMore === 1 ? '' : 'each '}by ${byOne > 0 ? 'one step' : 'more than one step'}`;

/** Orders entries by their ratio, and those of one ratio by their error; NaN first. */
const byRatio = (x: Compared, y: Compared): number =>
  x.ratio !== y.ratio ? y.ratio - x.ratio : (y.error || Infinity) - (x.error || Infinity) || 0;

function worstOf(weighed: WeighedEpilogue, compared: readonly Compared[], most: number): WorstEntry[] {
  const { found, target, possible } = weighed;
  const ranked = [...compared].sort(byRatio).slice(0, most);
  return ranked.map(({ place }) => {
    const expected = expectedResult(weighed, place);
    const range = target.range(possible(place) as Interval);
    const value = found.data[place];
    const error = Object.is(value, expected) ? 0 : value - expected;
    const allowed = isOnlyNaN(range) ? 0 : value > expected ? range.hi - expected : expected - range.lo;
    return {
      ...{ i: Math.floor(place / found.cols), j: place % found.cols },
      found: toJsonNumber(value),
      expected: toJsonNumber(expected),
      error: toJsonNumber(error),
      allowed: toJsonNumber(Math.max(0, allowed)),
    };
  });
}

/** The most wrong entries, and the most right ones, that a mistake must explain. */
const [MOST_WRONG, MOST_RIGHT] = [256, 64];

/** The evidence from which a mistake is named. Codes, 0 and infinities give one each, other results all: few values are met by chance. */
const SURE = 4;

const evidenceOf = (target: Target, found: number): number =>
  target.steps === undefined && found !== 0 && Number.isFinite(found) ? SURE : 1;

/** Picks items evenly. */
const pick = (all: readonly number[], most: number): readonly number[] => {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]);
};

/**
 * Names the mistake that explains D: one whose epilogue allows every wrong entry. One that explains right entries too comes first.
 * @param wrong marks the wrong entries of D.
 */
function recognizeEpilogue(weighed: WeighedEpilogue, wrong: Uint8Array): LikelyCause | undefined {
  const { target, found, places, possibleWith } = weighed;
  const all = Array.from(places);
  const broken = pick(
    all.filter((place) => wrong[place] === 1),
    MOST_WRONG,
  );
  const right = pick(
    all.filter((place) => wrong[place] === 0),
    MOST_RIGHT,
  );
  if (broken.reduce((sum, place) => sum + evidenceOf(target, found.data[place]), 0) < SURE) return undefined;
  let first: LikelyCause | undefined;
  for (const { name, alter } of epilogueCauses) {
    for (const { says, epilogue: other, added } of alter(weighed)) {
      if (other === undefined) continue;
      const rule = other.steps.at(-1)?.run.target ?? target;
      const explains = (place: number) => {
        const x = possibleWith(other, place, added);
        return x !== undefined && !isOnlyNaN(x) && rule.accepts(x, found.data[place]);
      };
      if (!broken.every(explains)) continue;
      if (right.every(explains)) return { cause: name, says };
      first ??= { cause: name, says: `where entries are wrong, ${says}` };
    }
  }
  return first;
}
