import { toJsonNumber } from '../../base/numbers.ts';
import { resultErrorOf } from '../../precision/device-errors.ts';
import { formatTimes } from '../../report/numbers.ts';
import type { Evidence } from '../evidence.ts';
import { COLUMNS, describeIndices, ROWS } from '../index-set.ts';
import type { Projection, ProjectionSide } from '../projection.ts';
import { type CaseLimits, type Check, notApplicable } from './check.ts';
import { whyMayRound } from './exactness.ts';
import { allowedSigmas } from './sigma.ts';

/**
 * Check of all entries of a large product. They are added up with random signs, in blocks of each row and of each column, and compared
 * with the exact sums (Freivalds 1977): r = Σ_j x_j·e_j for the errors e_j of a block's entries.
 *
 * Allowed: |r| ≤ Σ_j (bound of entry j), a theorem. On random data also t·√Σ_j σ_j². If the squares of errors sum up to no more than
 * expected, then E exp(λr) ≤ exp(λ²·Σe²/2) over the signs, however the errors depend on each other. So more has a chance of at most
 * 2·exp(−t²/2) a sum (Hoeffding 1963, Theorem 2), as for entries in the check `sigma`. Where no rounding can happen, nothing is allowed.
 *
 * Missed: let one entry of a block be off by δ, and let T be allowed there. Given the errors of the others and their signs, r = w ± δ with
 * equal chances; |w + δ| ≤ T and |w − δ| ≤ T together mean |δ| ≤ T. So an entry off by more than T passes a vector with a chance of at
 * most 1/2, and s independent ones with at most 2^-s; those of rows and of columns are independent. Nothing is assumed of the other
 * entries, so this holds for any number of wrong ones, each of which need only exceed T. Any T serves:
 * let it be what no sum exceeds but those of the furthest lines. An entry off by more than T has its row among them, and its column, each but
 * for a chance of 2^-s; where these lines cross, entries are compared exactly. The sign of the entry's column moves the sums of other rows
 * too, by twice their errors there, so twice T is stated. No number of vectors surely finds errors below T:
 * exact tiles, lines and entries are judged beside.
 */
export const projections: Check = {
  name: 'projections',
  what: 'Large products: do random signed sums of all entries match those of the exact product?',
  source: 'after Freivalds 1977, Probabilistic machines can use less running time',
  decisive: true,
  judges: 'entries',
  judge(evidence, limits) {
    const { projection, operands } = evidence;
    if (projection === undefined) return notApplicable('Every entry is compared.');
    const found = {
      rows: useOf(evidence, projection.rows, limits),
      cols: useOf(evidence, projection.cols, limits),
    };
    const used = Math.max(found.rows.used, found.cols.used);
    const numbers = { found: toJsonNumber(used), allowed: 1 };
    const said = (['rows', 'cols'] as const).filter((side) => found[side].wrong.length > 0);
    if (said.length > 0) {
      const where = said.map((side) => wrongIn(evidence, side, found[side]));
      return {
        status: 'fail',
        message: `${where.join('; ')}; the worst error is ${formatTimes(used)} what is allowed.`,
        ...numbers,
      };
    }
    const [judged, left] = [found.rows.judged + found.cols.judged, found.rows.left + found.cols.left];
    if (judged === 0 && operands.hasSpecials === true)
      return notApplicable('Every row and column has NaN or infinities, so none can be summed.');
    if (judged === 0)
      return {
        status: 'inconclusive',
        message: 'No row or column can be summed, since entries of each may overflow.',
      };
    const rest = left === 0 ? '' : ` (${left} sums skipped: they hold NaN or infinities, or may overflow)`;
    if (found.rows.vacuous && found.cols.vacuous) {
      const message = `The bounds of the sums exceed the sums, so projections prove nothing${rest}.`;
      return { status: 'vacuous', message, ...numbers };
    }
    return {
      status: 'pass',
      message: `Random signed sums of ${projection.rows.width} entries of a row and ${projection.cols.width} of a column use at most ${short(100 * used)} % of the allowed error${rest}; ${missed(found.rows.allowed, found.cols.allowed, projection.vectors)}. ${crossed(projection)}Smaller errors are found only where entries are compared exactly.`,
      ...numbers,
    };
  },
};

/** Comparison of sums with the errors allowed for them. */
interface Use {
  /** Places of the sums that exceed their allowance. */
  readonly wrong: readonly number[];
  readonly judged: number;
  readonly left: number;
  /** The largest ratio of error to allowance. */
  readonly used: number;
  /** The largest allowance of any sum. */
  readonly allowed: number;
  /** True if the allowance exceeds the sums themselves, so that a result of zeros would pass. */
  readonly vacuous: boolean;
}

function useOf(evidence: Evidence, side: ProjectionSide, limits: CaseLimits): Use {
  const { errors, judged } = side;
  const allowedAt = allowance(evidence, side, limits);
  const wrong: number[] = [];
  let [count, used, allowed, allowedSquares, squares] = [0, 0, 0, 0, 0];
  for (let at = 0; at < errors.length; at++) {
    if (judged[at] === 0) continue;
    count++;
    const most = allowedAt(at);
    // The difference itself is rounded.
    const error = errors[at] * (1 - 2 ** -51);
    const ratio = error === 0 ? 0 : error / most;
    if (!(ratio <= 1)) wrong.push(at);
    if (!(ratio <= used)) used = Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : ratio;
    allowed = Math.max(allowed, most);
    allowedSquares += most * most;
    squares += side.squares[at];
  }
  const vacuous = allowedSquares > squares && squares > 0;
  return { wrong, judged: count, left: errors.length - count, used, allowed, vacuous };
}

/** Returns the error allowed for each sum. */
function allowance(
  evidence: Evidence,
  { bound, sigma, slack, errors }: ProjectionSide,
  limits: CaseLimits,
): (at: number) => number {
  const { operands, plan, machine } = evidence;
  const isExact = whyMayRound(evidence) === undefined && resultErrorOf(machine) === undefined;
  if (isExact) return (at) => slack[at];
  const { family } = operands;
  const isRandom = family?.statistics === 'random' && plan.shape.k <= family.randomUpTo(machine.precision);
  const most = isRandom
    ? allowedSigmas(limits.sigmas, errors.length * (evidence.projection?.vectors ?? 1))
    : Number.POSITIVE_INFINITY;
  return (at) =>
    Math.min(bound[at], isRandom && Number.isFinite(sigma[at]) ? most * sigma[at] : Infinity) + slack[at];
}

/** Describes where sums are wrong. */
function wrongIn({ gemm, projection }: Evidence, side: 'rows' | 'cols', { wrong, judged }: Use): string {
  const { m, n, batch } = gemm;
  const { blocks, width } = (projection as NonNullable<Evidence['projection']>)[side];
  const size = side === 'rows' ? m : n;
  const lines = [...new Set(wrong.map((at) => Math.floor(at / blocks)))];
  const own = [...new Set(lines.map((line) => line % size))].sort((x, y) => x - y);
  const products =
    batch === 1
      ? ''
      : ` of ${new Set(lines.map((line) => Math.floor(line / size))).size} of ${batch} products`;
  const where = describeIndices(own, size, side === 'rows' ? ROWS : COLUMNS);
  return `${wrong.length} of ${judged} signed sums of ${width} entries of a ${side === 'rows' ? 'row' : 'column'} differ from those of the exact product, in ${where}${products}`;
}

/** Describes the error of one entry that is surely seen, and the chance of missing it. */
function missed(rows: number, cols: number, vectors: number): string {
  const [less, more] = [Math.min(rows, cols), Math.max(rows, cols)];
  return `one entry off by more than ${short(less)} is missed with a chance of at most 2^-${vectors}, one off by more than ${short(more)} with 2^-${2 * vectors}`;
}

/** Describes the single wrong entry that is compared exactly, since its row and its column stand out. */
const crossed = ({ crossed, vectors }: Projection): string =>
  crossed === undefined
    ? ''
    : `A single wrong entry off by more than ${short(crossed)} is compared exactly, but for a chance of 2^-${vectors - 1}. `;

const short = (x: number) => (Number.isFinite(x) ? Number(x.toPrecision(3)).toString() : 'infinitely many');
