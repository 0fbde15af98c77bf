import { absoluteProduct } from '../accuracy/absolute-product.ts';
import type { Matrix } from '../matrix/dense.ts';
import { exactProduct } from '../reference/exact.ts';
import type { Finding, Grade } from './inspection.ts';
import type { Lab, Line } from './lab.ts';

/** What is left of errors in units of three bounds: entry by entry, row by column, of the whole matrix. */
interface Ratios {
  readonly entries: number;
  readonly lines: number;
  readonly whole: number;
}

/**
 * The grade of a kernel, after J. Demmel's classes of matrix multiplication: A keeps |C − AB| ≤ c·u·|A||B| entry by entry,
 * as any classical product in floating point does; B |C − AB|(i, j) ≤ c·u·k·max|A(i, :)|·max|B(:, j)|, as one does whose
 * rows and columns have one exponent each; C the same with the largest entries of all of A and of B, as Strassen-like
 * ones do. Rows of A far apart tell C from B, inner indices far apart B from A.
 */
export const grade: Line = {
  id: 'grade',
  question: 'Which error bound does it keep: by entry (A), by row and column (B), of the whole (C)?',
  async ask(lab: Lab): Promise<Finding[]> {
    const { asker, random, measured } = lab;
    const { m, k, n } = asker.home(1);
    const reach = measured.wideExponents === true ? 20 : 5;
    const bits = Math.min(
      measured.operandBits ?? 53,
      measured.accumulatorBits ?? 53,
      measured.storedBits ?? 53,
    );
    const u = 2 ** -bits;
    const draw = () => random.sign() * random.uniform(0.5, 1);
    const inner = Array.from({ length: k }, () => 2 ** random.int(-reach, reach));
    const outer = await ratios(
      lab,
      asker.matrix(m, k, (i) => draw() * 2 ** (i < m / 2 ? -reach : reach)),
      asker.matrix(k, n, draw),
      u,
    );
    const across = await ratios(
      lab,
      asker.matrix(m, k, (_, p) => draw() * inner[p]),
      asker.matrix(k, n, (p) => draw() / inner[p]),
      u,
    );
    const found = gradeOf(outer, across, k);
    measured.grade = found;
    return [
      {
        id: grade.id,
        question: grade.question,
        answer: ANSWERS[found],
        value: found,
        confidence: found === 'A' ? 'measured' : 'proved',
        evidence: `${m}×${k}×${n}, u = 2^-${bits}: errors up to ${short(outer.entries)} u|A||B| with rows 2^${2 * reach} apart, ${short(across.entries)} with inner indices 2^${2 * reach} apart (${short(across.lines)} by row and column).`,
      },
    ];
  },
};

const ANSWERS: Readonly<Record<Grade, string>> = {
  A: 'A: small entry by entry, whatever the scaling',
  B: 'B: small for the row and the column, as with one exponent for each',
  C: 'C: small for the whole matrix only, as in Strassen-like methods',
  none: 'none: larger than the whole matrix explains',
};

async function ratios({ asker }: Lab, a: Matrix, b: Matrix, u: number): Promise<Ratios> {
  const { data } = await asker.multiply(a, b);
  const exact = exactProduct(a, b);
  const absolute = absoluteProduct(a, b);
  const k = a.cols;
  const rows = Array.from({ length: a.rows }, (_, i) => largest(a.data.subarray(i * k, (i + 1) * k)));
  const cols = Array.from({ length: b.cols }, (_, j) => largest(b.data.filter((_, at) => at % b.cols === j)));
  const all = Math.max(...rows) * Math.max(...cols);
  const worst = { entries: 0, lines: 0, whole: 0 };
  data.forEach((x, at) => {
    const error = Math.abs(x - exact.product.data[at] - exact.low[at]) / u;
    const [i, j] = [Math.floor(at / b.cols), at % b.cols];
    worst.entries = larger(worst.entries, error / absolute[at]);
    worst.lines = larger(worst.lines, error / (k * rows[i] * cols[j]));
    worst.whole = larger(worst.whole, error / (k * all));
  });
  return worst;
}

function gradeOf(outer: Ratios, across: Ratios, k: number): Grade {
  // Products, sums and results may each round to the bits that were found.
  const [entry, line] = [k + 4, k + 4];
  if (outer.entries <= entry && across.entries <= entry) return 'A';
  if (outer.lines <= line && across.lines <= line) return 'B';
  // Some levels of a fast method multiply the bound of a classical one by 12 to 18 each.
  return outer.whole <= 18 ** 3 * line && across.whole <= 18 ** 3 * line ? 'C' : 'none';
}

const largest = (values: Iterable<number>): number => {
  let most = 0;
  for (const x of values) most = Math.max(most, Math.abs(x));
  return most;
};

const larger = (x: number, y: number): number =>
  Number.isNaN(y) ? Number.POSITIVE_INFINITY : Math.max(x, y);

const short = (x: number): string => (x >= 1e4 ? x.toExponential(1) : x.toPrecision(2));
