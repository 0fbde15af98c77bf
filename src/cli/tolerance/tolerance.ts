import { EXIT } from '../../base/errors.ts';
import { givenJob, modelProduct } from '../../evidence/given-product.ts';
import type { ExactMultiply } from '../../evidence/reference.ts';
import { type Tolerances, tolerancesOf } from '../../evidence/tolerances.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { builtinCaseItems } from '../../kernels/case-items.ts';
import type { Claims } from '../../kernels/claims.ts';
import { type Matrix, productShape, zerosF64 } from '../../matrix/dense.ts';
import { missingOption } from '../../options/messages.ts';
import { formatPercent, formatShort } from '../../report/numbers.ts';
import { columnsOf, digitsCell, type Table, tonedCell } from '../../report/table.ts';
import { claimsOf, readMatrix } from '../check/operands.ts';
import type { ToleranceRequest } from '../check/options.ts';
import { printTables } from '../print-tables.ts';

/** Rows of A and columns of B that are looked at: 4096 entries of D. */
const SIDE = 64;

/** Says what errors a correct kernel may have. @returns the exit code */
export async function runTolerance(request: ToleranceRequest): Promise<number> {
  const { a, b } = request;
  const own =
    a === undefined || b === undefined ? undefined : { a: readMatrix(a, 'A'), b: readMatrix(b, 'B') };
  const pool = openExactPool();
  try {
    const found = await toleranceFor({ ...request, claims: claimsOf(request), own }, pool.product);
    if (request.json === true) console.log(JSON.stringify(found, undefined, 2));
    else printTables(...toleranceTables(found, found));
    return EXIT.pass;
  } finally {
    await pool.close();
  }
}

const USUAL_INPUT = 'uniform';

/** The product of which a tolerance is wanted: drawn operands with sums of k terms, or the user's own. */
export interface ToleranceTerms
  extends Pick<ToleranceRequest, 'k' | 'precision' | 'input' | 'seed' | 'sigmas'> {
  readonly claims?: Claims | undefined;
  readonly own?: { readonly a: Matrix; readonly b: Matrix } | undefined;
}

/** Returns what errors a correct kernel may have. @throws ParanoiaError `missing-option`, and as {@link givenJob} */
export async function toleranceFor(
  terms: ToleranceTerms,
  exact: ExactMultiply,
): Promise<ToleranceAbout & Tolerances> {
  const { precision = 'f32', sigmas = 6, claims } = terms;
  const { a, b } = operandsOf(terms, precision);
  const d = zerosF64(a.rows, b.cols);
  const job = givenJob({ a, b, d, precision, claims, isRandom: true }, builtinCaseItems);
  const input = terms.own === undefined ? (terms.input ?? USUAL_INPUT) : 'own operands';
  const about = { k: a.cols, precision, algorithm: job.kernel.algorithm, input };
  return { ...about, ...tolerancesOf(await modelProduct(job, exact), sigmas) };
}

/** Returns the operands: the user's own, of larger ones a sample of rows and columns, or drawn ones, in the format that is multiplied. */
function operandsOf(
  { own, k, input = USUAL_INPUT, seed = 1 }: ToleranceTerms,
  precision: string,
): { a: Matrix; b: Matrix } {
  if (own !== undefined) {
    productShape(own.a, own.b);
    return { a: someRows(own.a), b: someCols(own.b) };
  }
  if (k === undefined)
    throw missingOption({ option: '--k', need: 'the number of terms of a sum, or else --a and --b' });
  const { inputs, precisions } = builtinCaseItems;
  const of = precisions.find(precision);
  const pair = inputs.find(input).generate({ m: SIDE, k, n: SIDE, seed, precision: of });
  const { round } = of.multiplied;
  const rounded = (x: Matrix): Matrix => ({ ...x, data: x.data.map(round) });
  return of.coded === undefined ? { a: rounded(pair.a), b: rounded(pair.b) } : pair;
}

/** Returns rows spread evenly over a matrix. */
function someRows({ rows, cols, data }: Matrix): Matrix {
  const count = Math.min(SIDE, rows);
  const out = data.slice(0, count * cols);
  for (let i = 0; i < count; i++) {
    const from = Math.floor((i * rows) / count) * cols;
    out.set(data.subarray(from, from + cols), i * cols);
  }
  return { rows: count, cols, data: out };
}

/** Returns columns spread evenly over a matrix. */
function someCols({ rows, cols, data }: Matrix): Matrix {
  const count = Math.min(SIDE, cols);
  const out = data.slice(0, rows * count);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < count; j++) out[i * count + j] = data[i * cols + Math.floor((j * cols) / count)];
  return { rows, cols: count, data: out };
}

/** The product of which a tolerance is wanted. */
export interface ToleranceAbout {
  readonly k: number;
  readonly precision: string;
  readonly algorithm: string;
  /** The input family of drawn operands, or "own operands". */
  readonly input: string;
}

/** Renders the errors that a correct kernel may have, and how known tolerances fit them. */
export function toleranceTables(about: ToleranceAbout, found: Tolerances): Table[] {
  const { sigma, limit, bound, fitting, fittingLoose, known, entries } = found;
  const errors: Table = {
    title: `Error of a correct kernel: algorithm ${about.algorithm}, ${about.precision}, k = ${about.k}, input ${about.input}, ${entries} entries of D`,
    columns: [...columnsOf('text', 'limit of an entry'), ...columnsOf('number', 'median', 'largest')],
    rows: [
      ['1 sigma', digitsCell(sigma.median), digitsCell(sigma.largest)],
      [
        `limit on random data (${limit.sigmas.toPrecision(3)} sigmas)`,
        digitsCell(limit.median),
        digitsCell(limit.largest),
      ],
      ['bound: every rounding at its worst', digitsCell(bound.median), digitsCell(bound.largest)],
    ],
  };
  const fits: Table = {
    title:
      'Usual tolerances: |found − expected| ≤ atol + rtol·|expected|. Tolerance ÷ limit divides by the median limit on random data, and half of the entries have a larger limit.',
    columns: [
      ...columnsOf('text', 'tolerance'),
      ...columnsOf('number', 'rtol', 'atol', 'tolerance ÷ limit', 'correct entries that fail'),
    ],
    rows: [
      [
        tonedCell('smallest that suffices', 'good'),
        digitsCell(fitting.rtol),
        digitsCell(fitting.atol),
        formatShort(fittingLoose),
        'none',
      ],
      ...known.map(({ name, rtol, atol, loose, failing }) => [
        name,
        ...[rtol, atol].map((x) => digitsCell(x)),
        formatShort(loose),
        failing > 0 ? tonedCell(formatPercent(failing), 'bad') : 'none',
      ]),
    ],
  };
  return [errors, fits];
}
