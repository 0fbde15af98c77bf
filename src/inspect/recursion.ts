import type { Algorithm } from '../algorithms/algorithm.ts';
import { type Direction, directions } from '../algorithms/bilinear-table.ts';
import { exactProduct } from '../exact/exact.ts';
import type { Matrix } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import { claimedFringes } from '../readers/partition.ts';
import { analyzeRecursion, orientedTable, type Recursion } from '../readers/recursion.ts';
import { describeOperands } from './operand-format.ts';
import type { InspectionContext, InspectionQuestion } from './question.ts';
import { SkippedQuestion } from './wrong-product.ts';

/** A possible recursion of the product, and its errors in relation to its bound. */
interface Candidate {
  readonly algorithm: Algorithm;
  readonly levels: number;
  readonly recursion: Recursion;
  /** Mean log₂ of the bounds over all entries. A smaller value says more. */
  sharpness: number;
  /** The largest ratio of an error to its bound. */
  used: number;
}

/** Sizes added to the one where levels were seen, so that the result is neither even nor near a power. */
const BEYOND = [
  { m: 5, k: 3, n: 7 },
  { m: 3, k: 9, n: 1 },
  { m: 1, k: 7, n: 11 },
];
/** Exponents of the scales of rows, columns and inner indices: so far apart that blocks show. */
const SPREAD = 12;
/** Levels that are tried where they are unknown, and the factor by which sums in another order may exceed our schedule's bound. */
const LEVELS = [1, 2];
const ORDER = 4;
/** Mean difference in bits below which two bounds are equally sharp. */
const ALIKE = 0.5;
/** The largest size that is compared with so many bounds. */
const LARGEST = 96;

/**
 * Search for the claim of recursion that fits. Rows, columns and inner indices are scaled by powers of two, so that an entry's error shows
 * the entries that it is summed with. The errors are compared with the bounds of every partition and orientation that can be claimed.
 */
export const recursion: InspectionQuestion = {
  id: 'recursion',
  question: 'Which claim of its recursion fits?',
  wrongProducts: 'subject',
  async ask(context) {
    const { measures, session, stop, quick } = context;
    const { levelsBySize = [], algorithm: name } = measures;
    if (measures.algorithm !== 'classical' && session.isFew)
      throw new SkippedQuestion(
        `${describeOperands(session.sides)} do not hold rows and columns scaled by powers of two.`,
      );
    const at = levelsBySize.find(({ algorithm }) => algorithm !== 'classical' && algorithm !== 'mixed-up');
    if (quick || at === undefined || name === 'fixed-point' || measures.multiplies === false) return [];
    if (at.n > LARGEST)
      throw new SkippedQuestion(`It recurses from n = ${at.n} on, and bounds are compared up to ${LARGEST}.`);
    let left = candidatesOf(context.algorithms, name, at.levels);
    const tried = left.length;
    const asked: string[] = [];
    for (const beyond of BEYOND) {
      const shape = { m: at.n + beyond.m, k: at.n + beyond.k, n: at.n + beyond.n };
      if (stop() || session.refuses(shape) !== undefined) continue;
      const [a, b] = scaled(context, shape);
      const c = await session.multiply(a, b);
      left = left.filter((candidate) => holds(candidate, a, b, c, context));
      asked.push(`${shape.m}×${shape.k}×${shape.n}`);
    }
    if (asked.length === 0) throw new SkippedQuestion('It accepts no size that its levels do not divide.');
    return [answerOf(left, tried, asked)];
  },
};

function answerOf(left: readonly Candidate[], tried: number, asked: readonly string[]) {
  const evidence = `Products ${asked.join(', ')} with rows, columns and inner indices scaled by powers of two, beside the bounds of ${tried} ways to recurse`;
  const sharpest = Math.min(...left.map(({ sharpness }) => sharpness));
  const [best, ...alike] = left
    .filter(({ sharpness }) => sharpness - sharpest < ALIKE)
    .toSorted((x, y) => turnsOf(x.recursion) - turnsOf(y.recursion));
  if (best === undefined) {
    const answer = 'no known one: claim only the algorithm and its levels';
    return { answer, value: null, confidence: 'unknown', evidence: `${evidence}: none holds.` } as const;
  }
  const claim = claimText(best);
  const others = alike.length === 0 ? '' : `; as sharp here: ${alike.slice(0, 3).map(wordsOf).join('; ')}`;
  return {
    answer: `${wordsOf(best)}: claims { ${claim} }`,
    value: claim,
    confidence: alike.length === 0 ? 'measured' : 'likely',
    evidence: `${evidence}: ${left.length} hold, this the sharpest, of which errors use ${(100 * best.used).toPrecision(2)} %${others}.`,
  } as const;
}

/** Returns the known tables in every orientation, once each, reduced to the algorithm and levels that are known. */
function candidatesOf(
  { items }: InspectionContext['algorithms'],
  name: string | undefined,
  levels: number | undefined,
): Candidate[] {
  const known = items.filter((one) => one.name === name || (name === 'strassen-like' && isHalving(one)));
  const met = new Set<string>();
  return known.flatMap((algorithm) =>
    orientationsOf().flatMap((orientation) => {
      const { base, u, v, w } = orientedTable(algorithm, orientation);
      const key = JSON.stringify([base, ...u.map((_, r) => JSON.stringify([u[r], v[r], w[r]])).sort()]);
      if (met.has(key)) return [];
      met.add(key);
      return claimedFringes.flatMap((fringe) =>
        (levels === undefined ? LEVELS : [levels]).map((level) => ({
          ...{ algorithm, levels: level, sharpness: 0, used: 0 },
          recursion: { ...orientation, fringe, schedule: 'scheduled' as const },
        })),
      );
    }),
  );
}

const isHalving = ({ base: { m, k, n }, u }: Algorithm) => m === 2 && k === 2 && n === 2 && u.length === 7;

/** Returns the distance of an orientation from the table as it is written. */
const turnsOf = ({ reversed = [], transposed, turned = 0 }: Recursion) =>
  reversed.length + Number(transposed === true) + turned;

/** Returns the orientations that a claim can express. */
function orientationsOf(): Recursion[] {
  const subsets = Array.from({ length: 2 ** directions.length }, (_, bits) =>
    directions.filter((_, at): boolean => ((bits >> at) & 1) === 1),
  );
  return [false, true].flatMap((transposed) =>
    [0, 1, 2].flatMap((turned) =>
      subsets.map((reversed: readonly Direction[]) => ({
        fringe: 'static-pad',
        transposed,
        turned,
        reversed,
      })),
    ),
  ) as Recursion[];
}

function scaled(
  { session, random }: InspectionContext,
  { m, k, n }: { m: number; k: number; n: number },
): [Matrix, Matrix] {
  const powers = (count: number) => Array.from({ length: count }, () => 2 ** random.int(-SPREAD, 0));
  const [rows, inner, across, columns] = [powers(m), powers(k), powers(k), powers(n)];
  const number = () => random.uniform(0.5, 1) * random.sign();
  return [
    session.near('a', m, k, (i, p) => rows[i] * inner[p] * number()),
    session.near('b', k, n, (p, j) => across[p] * columns[j] * number()),
  ];
}

/** True if all errors are within the bound of a candidate. Records the sharpness of the bound. */
function holds(
  candidate: Candidate,
  a: Matrix,
  b: Matrix,
  c: Matrix,
  { session }: InspectionContext,
): boolean {
  const { algorithm, levels, recursion: of } = candidate;
  const plan = compile({ algorithm, shape: { m: a.rows, k: a.cols, n: b.cols }, depth: { levels } });
  const { bound } = analyzeRecursion(plan, of, a, b, session.kernel);
  const { product, low } = exactProduct(a, b);
  for (let e = 0; e < c.data.length; e++) {
    const ratio = Math.abs(c.data[e] - product.data[e] - low[e]) / (ORDER * bound.data[e]);
    if (!(ratio <= 1)) return false;
    candidate.used = Math.max(candidate.used, ratio);
    candidate.sharpness += Math.log2(bound.data[e]) / c.data.length;
  }
  return true;
}

const FRINGES = {
  'static-pad': 'padded once to a multiple of its blocks',
  'power-pad': 'padded to a power of its blocks',
  'dynamic-pad': 'padded at each level',
  'static-peel': 'peeled once',
  'dynamic-peel': 'peeled at each level',
} as const;

/** Describes a candidate: `strassen, 1 level, blocks of rows counted from the last, padded to a power of its blocks`. */
function wordsOf({ algorithm, levels, recursion: of }: Candidate): string {
  const { fringe, reversed = [], transposed = false, turned = 0 } = of;
  return [
    algorithm.name,
    levels === 1 ? '1 level' : `${levels} levels`,
    ...(turned === 0 ? [] : [`its form turned ${turned === 1 ? 'once' : 'twice'}`]),
    ...(transposed ? ['transposed'] : []),
    ...(reversed.length === 0 ? [] : [`blocks of ${reversed.join(', ')} counted from the last`]),
    FRINGES[fringe],
  ].join(', ');
}

function claimText({ algorithm, levels, recursion: of }: Candidate): string {
  const { fringe, reversed = [], transposed = false, turned = 0 } = of;
  const parts = [
    `fringe: '${fringe}'`,
    ...(reversed.length === 0 ? [] : [`reversed: [${reversed.map((one) => `'${one}'`).join(', ')}]`]),
    ...(transposed ? ['transposed: true'] : []),
    ...(turned === 0 ? [] : [`turned: ${turned}`]),
  ];
  return `algorithm: '${algorithm.name}', levels: ${levels}, recursion: { ${parts.join(', ')} }`;
}
