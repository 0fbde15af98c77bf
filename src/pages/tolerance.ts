import type { Tolerances } from '../evidence/tolerances.ts';
import { formatPercent, formatShort } from '../report/numbers.ts';
import { columnsOf, digitsCell, type Table, tonedCell } from '../report/table.ts';

/** The product of which a tolerance is wanted. */
export interface ToleranceAbout {
  readonly k: number;
  readonly precision: string;
  readonly algorithm: string;
}

/** Renders the errors that a correct kernel may have, and how known tolerances fit them. */
export function toleranceTables(about: ToleranceAbout, found: Tolerances): Table[] {
  const { sigma, limit, bound, fitting, fittingLoose, known, entries } = found;
  const errors: Table = {
    title: `Errors of a correct kernel: ${about.algorithm}, ${about.precision}, k = ${about.k}, over ${entries} entries`,
    columns: [...columnsOf('text', 'error of an entry'), ...columnsOf('number', 'median', 'largest')],
    rows: [
      ['expected (1 sigma)', digitsCell(sigma.median), digitsCell(sigma.largest)],
      [
        `limit on random data (${limit.sigmas.toPrecision(3)} sigmas)`,
        digitsCell(limit.median),
        digitsCell(limit.largest),
      ],
      ['bound on any data', digitsCell(bound.median), digitsCell(bound.largest)],
    ],
  };
  const fits: Table = {
    title: 'Tolerances: |found − expected| ≤ atol + rtol·|expected|',
    columns: [
      ...columnsOf('text', 'tolerance'),
      ...columnsOf('number', 'rtol', 'atol', 'tolerance ÷ limit', 'a correct kernel fails'),
    ],
    rows: [
      [
        tonedCell('this product needs', 'good'),
        digitsCell(fitting.rtol),
        digitsCell(fitting.atol),
        formatShort(fittingLoose),
        'never',
      ],
      ...known.map(({ name, rtol, atol, loose, failing }) => [
        name,
        ...[rtol, atol].map((x) => digitsCell(x)),
        formatShort(loose),
        failing > 0 ? tonedCell(`in ${formatPercent(failing)} of entries`, 'bad') : 'never',
      ]),
    ],
  };
  return [errors, fits];
}
