import { isOfComplex } from '../algorithms/algorithms.ts';
import { lookUp } from '../base/objects.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type BlockScale, blockIndexOf, factorOfEntry, type Operand } from '../precision/coding/coding.ts';
import { type Candidate, type Crosstalk, candidatesFor, crosstalkOf, type Spot } from './crosstalk.ts';
import type { InspectionFinding } from './inspection.ts';
import { factorNear } from './operand-format.ts';
import type { InspectionContext, InspectionQuestion, QuestionAnswer } from './question.ts';
import type { InspectionSession } from './session.ts';
import { SkippedQuestion } from './wrong-product.ts';

/** The finding about products of one size. */
interface AtSize {
  readonly n: number;
  readonly seen: readonly Crosstalk[];
  readonly kind: 'classical' | 'strassen-like' | 'mixed-up' | 'scaled';
  readonly candidates: readonly Candidate[];
  /** Largest change of an entry that shares no term with the huge entry, in units of the huge entry. */
  readonly largest: number;
  /** Duration of the fastest of its products, in milliseconds. */
  readonly fastest: number;
}

/** Least number of products that the next size needs. */
const SPOTS = 5;

/** Time limit of one size, in milliseconds. */
const PATIENCE = { quick: 600, full: 12_000 };

/**
 * Detection of the algorithm from how a huge entry changes entries of C that do not depend on it. A classical product leaves these entries
 * unchanged. An algorithm that adds blocks leaves rounding errors in some blocks. The pattern of blocks identifies the algorithm and its
 * levels.
 */
export const algorithm: InspectionQuestion = {
  id: 'algorithm',
  question: 'Is it classical or Strassen-like?',
  async ask(context) {
    const { session, sizes, quick, measures } = context;
    const found: AtSize[] = [];
    for (const n of sizes) {
      if (context.stop() || session.refuses({ m: n, k: n, n }) !== undefined) continue;
      found.push(await askSize(context, n, found.find(({ kind }) => kind === 'strassen-like') === undefined));
      // The next size takes about eight times as long.
      const patience = quick ? PATIENCE.quick : PATIENCE.full;
      if (!context.allSizes && 8 * SPOTS * found[found.length - 1].fastest > patience) break;
    }
    if (found.length === 0) throw new SkippedQuestion(`It accepts none of the sizes ${sizes.join(', ')}.`);
    settle(context, found);
    const { algorithm: name = 'mixed-up', levels } = measures;
    const changes = levelChanges(found);
    const last = found[found.length - 1];
    const level: QuestionAnswer = {
      id: 'levels',
      question: 'How many levels of recursion, and from what size on?',
      answer: levels === undefined ? 'cannot be told' : changes,
      value: levels ?? null,
      confidence: levels === undefined ? 'unknown' : 'measured',
      evidence: `Tested sizes: ${found.map(({ n }) => n).join(', ')}. Larger ones may recurse.`,
    };
    return [
      {
        answer: lookUp(ANSWERS, name) ?? `${name}, recognized by its table`,
        value: name,
        confidence: confidenceOf(found),
        evidence: evidenceOf(found.find(({ kind }) => kind !== 'classical') ?? last),
      },
      level,
    ];
  },
};

const ANSWERS: Readonly<Record<string, string>> = {
  classical: 'classical: each row of C depends only on its own row of A',
  'strassen-like': 'Strassen-like, with no known table',
  'mixed-up': 'neither: entries of C depend on wrong entries of A and B',
  'fixed-point': 'classical in fixed point: one exponent for all entries of a matrix',
};

/** Returns the confidence. A classical product whose path depends on its data may change other rows, but only by rounding errors. */
function confidenceOf(found: readonly AtSize[]): InspectionFinding['confidence'] {
  return found.some(({ kind }) => kind === 'mixed-up') ? 'proved' : 'measured';
}

function settle({ measures, session, algorithms }: InspectionContext, found: readonly AtSize[]): void {
  const name = (one: AtSize) => {
    if (one.kind === 'classical') return 'classical';
    if (one.kind === 'scaled') return 'fixed-point';
    if (one.kind === 'mixed-up') return 'mixed-up';
    const names = new Set(one.candidates.map((candidate) => candidate.algorithm));
    return names.size === 1 ? [...names][0] : 'strassen-like';
  };
  const levels = (one: AtSize) =>
    one.kind === 'strassen-like' ? one.candidates[0]?.levels : one.kind === 'classical' ? 0 : undefined;
  const telling = found.findLast(({ kind }) => kind !== 'classical') ?? found[found.length - 1];
  measures.algorithm = name(telling);
  const last = levels(found[found.length - 1]);
  if (last !== undefined) measures.levels = last;
  measures.levelsBySize = found.map((one) => {
    const at = levels(one);
    return { n: one.n, algorithm: name(one), ...(at === undefined ? {} : { levels: at }) };
  });
  const { m } = session.home(1);
  const near = found.find(({ n }) => n >= m) ?? found[found.length - 1];
  const table = algorithms.get(name(near));
  const parts = table === undefined ? 2 : Math.max(table.base.m, table.base.k, table.base.n);
  session.keepApart(near.kind === 'classical' ? 0 : (levels(near) ?? 'unknown'), parts);
}

/** Returns the algorithms that products of real matrices may show. */
const tablesIn = ({ algorithms }: InspectionContext) => algorithms.items.filter((one) => !isOfComplex(one));

async function askSize(context: InspectionContext, n: number, thorough: boolean): Promise<AtSize> {
  const { session, random, clock } = context;
  const [a, b] = [session.uniform(random, 'a', n, n), session.uniform(random, 'b', n, n)];
  let fastest = Number.POSITIVE_INFINITY;
  const timed = async (x: Matrix, y: Matrix, before?: Matrix): Promise<Matrix> => {
    const start = clock();
    const c = await session.multiply(x, y, before && { a, c: before });
    fastest = Math.min(fastest, clock() - start);
    return c;
  };
  const without = await timed(a, b);
  const ownErrors = 8 * n * 2 ** -session.result.precision;
  const least = context.measures.deterministic === false ? ownErrors : 0;
  let huge = 0;
  const look = async (spot: Spot): Promise<Crosstalk> => {
    const changed = withHuge(session, spot, spot.operand === 'A' ? a : b);
    huge = Math.abs(changed.data[spot.row * n + spot.col]);
    const having = await (spot.operand === 'A' ? timed(changed, b, without) : timed(a, changed));
    return crosstalkOf(spot, without, having, least);
  };
  const seen: Crosstalk[] = [];
  for (const spot of spots(n, 'A')) seen.push(await look(spot));
  if (thorough && seen.some(({ changed }) => changed.includes(1))) {
    for (const spot of spots(n, 'B')) seen.push(await look(spot));
  }
  const change = Math.max(...seen.map((one) => one.largest));
  const largest = change / huge;
  const candidates = candidatesFor(seen, tablesIn(context));
  const kind = candidates.length > 0 ? 'strassen-like' : kindOf(seen, largest, change <= ownErrors);
  return { n, seen, kind, candidates, largest, fastest };
}

/** Returns the corners of a matrix. Each lies in the same block at every level, so that the levels show. */
function spots(n: number, operand: 'A' | 'B'): Spot[] {
  const [first, last] = [0, n - 1];
  const corner = (row: number, col: number): Spot => ({ operand, row, col });
  return [corner(first, first), corner(last, last), corner(first, last), corner(last, first)];
}

function withHuge(session: InspectionSession, { operand, row, col }: Spot, x: Matrix): Matrix {
  const of = operand === 'A' ? 'a' : 'b';
  if (session.side(of).isFew) return withHugeElement(session, of, { row, col }, x);
  const huge = 2 ** Math.min(14, Math.ceil(Math.log2(session.stored.maxFinite) / 2));
  // The factor is not a power of two, so that adding to the huge entry loses bits.
  return session.near(of, x.rows, x.cols, (i, j) =>
    i === row && j === col ? huge * 1.2345678 : x.data[i * x.cols + j],
  );
}

/** @param isOwn true if no change is larger than the rounding errors of the changed entries themselves. */
function kindOf(seen: readonly Crosstalk[], largest: number, isOwn: boolean): AtSize['kind'] {
  if (!seen.some(({ changed }) => changed.includes(1))) return 'classical';
  // Rounding errors are far below what is rounded.
  if (largest > 2 ** -4) return 'mixed-up';
  if (!seen.every(everyLine)) return 'strassen-like';
  // The huge entry changed the order of all sums. It is in none of these.
  return isOwn ? 'classical' : 'scaled';
}

/** True if nearly all rows (columns) changed, as when one exponent serves a whole matrix. */
function everyLine({ spot, n, changed }: Crosstalk): boolean {
  let lines = 0;
  for (let line = 0; line < n; line++) {
    for (let along = 0; along < n; along++) {
      if (changed[spot.operand === 'A' ? line * n + along : along * n + line] === 0) continue;
      lines++;
      break;
    }
  }
  return lines > 0.7 * n;
}

function levelChanges(found: readonly AtSize[]): string {
  const told = found.map(({ n, kind, candidates }) => ({
    n,
    levels: kind === 'classical' ? 0 : (candidates[0]?.levels ?? -1),
  }));
  const parts = told.flatMap(({ n, levels }, at) =>
    at > 0 && told[at - 1].levels === levels ? [] : [`${levels < 0 ? 'some' : levels} from n = ${n}`],
  );
  return parts.length === 1 ? `${told[0].levels} at every tested size` : parts.join(', ');
}

function evidenceOf({ n, seen, kind, candidates, largest }: AtSize): string {
  const what = `A huge entry was placed in ${seen.length} corners of ${seen.length > 4 ? 'A and B' : 'A'} in turn, in ${n}×${n}×${n} products`;
  const count = seen.reduce((sum, { changed }) => sum + changed.reduce((s, x) => s + x, 0), 0);
  if (kind === 'classical' && count > 0)
    return `${what}: ${count} entries outside its row or column changed, by no more than their own rounding errors, so the order of sums depends on the data.`;
  if (kind === 'classical')
    return `${what}: only the same row of C changed${seen.length > 4 ? ', or the same column' : ''}.`;
  const noise = `${count} entries outside its row or column changed, by up to 2^${Math.round(Math.log2(largest))} of it`;
  if (kind === 'mixed-up') return `${what}: ${noise}, far more than rounding errors.`;
  if (kind === 'scaled') return `${what}: ${noise}, in nearly all rows.`;
  const [one] = candidates;
  if (one === undefined) return `${what}: ${noise}, in blocks that no table known here explains.`;
  const others = candidates.length > 1 ? ` (also: ${candidates.slice(1).map(named).join(', ')})` : '';
  return `${what}: ${noise}, in just the blocks that ${named(one)} reaches${others}.`;
}

const named = ({ algorithm, levels }: Candidate) =>
  `${algorithm} with ${levels} ${levels === 1 ? 'level' : 'levels'}`;

/** Multiplier of the factor of the block with the huge entry, where no other line shares the factor. */
const HUGE = 2 ** 10;

/**
 * Makes an operand of few bits with one huge entry: the entry is the largest of its format, and its block's factor is multiplied. The
 * block's other entries are zero, since none keeps its bits beside so large an entry. Only other lines are compared.
 */
function withHugeElement(
  session: InspectionSession,
  of: Operand,
  { row, col }: { readonly row: number; readonly col: number },
  x: Matrix,
): Matrix {
  const { coding, format } = session.side(of);
  const [spotLine, spotPlace] = of === 'a' ? [row, col] : [col, row];
  const codes = session.codesOf(x);
  const { rows, cols } = x;
  const at = (line: number, place: number) => (of === 'a' ? line * cols + place : place * cols + line);
  const zero = session.side(of).zero;
  const elementOf = (line: number, place: number) => (codes?.elements ?? x).data[at(line, place)] - zero;
  const isSpot = (line: number, place: number) => line === spotLine && place === spotPlace;
  const [scale] = coding?.scales ?? [];
  if (scale === undefined || codes === undefined || scale.lines > 1) {
    const known = codes?.scales;
    return session.coded(
      of,
      rows,
      cols,
      (line, place) => (isSpot(line, place) ? format.maxFinite : elementOf(line, place)),
      (line, place, level) => factorAt(known?.[level], coding?.scales[level], line, place),
    );
  }
  const isInBlock = (line: number, place: number) =>
    line === spotLine && blockIndexOf(line, place, scale).col === blockIndexOf(line, spotPlace, scale).col;
  return session.coded(
    of,
    rows,
    cols,
    (line, place) =>
      isSpot(line, place) ? format.maxFinite : isInBlock(line, place) ? 0 : elementOf(line, place),
    (line, place, level) => {
      const own = factorAt(codes.scales[level], coding?.scales[level], line, place);
      const isOther = level > 0 || !isInBlock(line, place);
      return isOther ? own : factorNear(own * HUGE, scale);
    },
  );
}

/** Returns the factor of the block that begins at a line and place; 1 where there are none. */
const factorAt = (
  scales: Matrix | undefined,
  block: BlockScale | undefined,
  line: number,
  place: number,
): number => (scales === undefined || block === undefined ? 1 : factorOfEntry(scales, block, line, place));
