import { group } from 'd3-array';
import { formatProbability, formatShort } from '../../report/numbers.ts';
import type { Table } from '../../report/table.ts';
import {
  bitsLost,
  formatBitsOf,
  NOTHING,
  type ReadingColumn,
  readingsTable,
  timesAsFast,
} from '../readings.ts';
import { clockWords, effectiveRate, flops, isSquare, type Measurement } from './measurement.ts';
import { type BenchReport, baselineOf, type SizeAgainst, type SpeedComparison } from './report.ts';

/** Significance level. Pairs with a larger p are not shown as different. */
const SIGNIFICANT = 0.01;
const SHOWN_PAIRS = 6;

/** Returns the tables of a report: those of its study, then all measurements. */
export function tablesOf(report: BenchReport): Table[] {
  const { measurements, missed, comparisons, breakEvens, study } = report;
  return [
    ...(study?.tables ?? []),
    ...timesTables(measurements),
    ...(breakEvens.length > 0 ? [breakEvenTable(breakEvens)] : []),
    ...(comparisons.length > 0 ? [testsTable(comparisons)] : []),
    ...(missed.length > 0 ? [missedTable(report)] : []),
  ];
}

interface Timed {
  readonly one: Measurement;
  readonly base: Measurement;
}

function timesTables(measurements: readonly Measurement[]): Table[] {
  return [...group(measurements, ({ clock }) => clock)].map(([clock, all]) => {
    const anyAbsolute = all.some(({ absolute }) => absolute);
    const anyWhole = all.some(({ absolute, whole }) => absolute && whole !== undefined);
    const rows = all.map((one): Timed => ({ one, base: baselineOf(one, measurements) }));
    const more = `${all.some(({ panels }) => panels !== undefined) ? IN_PANELS : ''}${bitsNote(all)}`;
    return readingsTable(
      `Times: ${clockWords[clock]}`,
      rows,
      [
        ['kernel', ({ one }) => one.label],
        ['precision', ({ one }) => one.precision],
        ['m×k×n', ({ one }) => sizeText(one)],
      ],
      [
        [
          'trials',
          ({ one: { seconds, repeats } }) =>
            repeats > 1 ? `${seconds.length} × ${repeats}` : String(seconds.length),
        ],
        ...(anyAbsolute ? ABSOLUTE : []),
        ...(anyWhole ? [WHOLE] : []),
        ['time, relative', ({ one, base }) => formatShort(one.median / base.median)],
        ['95 %', ({ one, base }) => one.interval.map((bound) => formatShort(bound / base.median)).join('…')],
        ['against', ({ one, base }) => (base === one ? NOTHING : base.label)],
        ['speed-up', ({ one, base }) => timesAsFast(one, base)],
        ['bits', ({ one }) => formatBitsOf(one)],
        ['bits lost', ({ one, base }) => bitsLost(one, base)],
      ],
      {
        note: anyAbsolute
          ? `Medians with bootstrap intervals, no narrower than a step of the clock. “whole” is one product with packing, upload and read-back.${more}`
          : `Medians with bootstrap intervals, as ratios. Absolute times on a CPU depend on its load.${more}`,
      },
    );
  });
}

/** Makes a column that quotes only measurements on a GPU. */
const quoted = (heading: string, text: (one: Measurement) => string): ReadingColumn<Timed> => [
  heading,
  ({ one }) => (one.absolute ? text(one) : NOTHING),
];
const milliseconds = (seconds: number) => formatShort(1000 * seconds, 4);
const tera = (rate: number) => formatShort(rate / 1e12);

const ABSOLUTE: readonly ReadingColumn<Timed>[] = [
  quoted('median ms', ({ median }) => milliseconds(median)),
  quoted('95 %', ({ interval }) => interval.map(milliseconds).join('…')),
  quoted('Tflop/s, 2mnk', (one) => tera(effectiveRate(one, one.median))),
  quoted('Tflop/s, 2N³−N²', (one) => (isSquare(one) ? tera(flops(one.n, one.median)) : NOTHING)),
];
const WHOLE = quoted('whole ms', ({ whole }) =>
  whole === undefined ? NOTHING : formatShort(1000 * whole, 3),
);

/** Explains the bits, and the share of C that was compared, if not all. */
function bitsNote(all: readonly Measurement[]): string {
  const shares = new Map(all.filter(({ checked }) => checked < 1).map((one) => [sizeText(one), one.checked]));
  const sampled = [...shares].map(([size, share]) => `${formatShort(100 * share)} % at ${size}`).join(', ');
  const of = sampled === '' ? '' : `; large products are compared in random rows: ${sampled}`;
  return ` Bits are −log₂ of the largest error in units of (|A||B|)ᵢⱼ${of}.`;
}

const IN_PANELS = ' Products too large for the device run in panels, whose times are summed.';

function sizeText(one: Measurement): string {
  const { m, k, n, panels } = one;
  const size = isSquare(one) ? String(n) : `${m}×${k}×${n}`;
  return panels === undefined ? size : `${size}, ${panels} panels`;
}

function breakEvenTable(all: readonly SizeAgainst[]): Table {
  return readingsTable(
    'Break-even sizes',
    all,
    [
      ['kernel', ({ label }) => label],
      ['against', ({ against }) => against],
    ],
    [
      ['faster from n =', ({ breakEven }) => (breakEven.kind === 'from' ? String(breakEven.size) : 'never')],
      [
        'interpolated crossing',
        ({ breakEven }) => (breakEven.kind === 'from' ? String(Math.round(breakEven.crossing)) : NOTHING),
      ],
    ],
    {
      note: 'The smallest measured n from which its 95 % interval stays below the other’s; “never” up to the largest n.',
    },
  );
}

function testsTable(comparisons: readonly SpeedComparison[]): Table {
  const tested =
    (text: (anova: SpeedComparison['anova'] & { tested: true }) => string) => (one: SpeedComparison) =>
      one.anova.tested ? text(one.anova) : NOTHING;
  return readingsTable(
    'Tests of equal speed',
    comparisons,
    [['product', ({ product }) => product]],
    [
      ['F', tested(({ f }) => formatShort(f))],
      ['degrees of freedom', tested(({ between, within }) => `${between}, ${formatShort(within)}`)],
      ['p', tested(({ p }) => formatProbability(p))],
    ],
    {
      last: [[`pairs at p < ${SIGNIFICANT}`, pairsText]],
      note: 'Welch’s analysis of variance of the speeds, then the Games–Howell test of every pair.',
    },
  );
}

function pairsText({ anova, pairs }: SpeedComparison): string {
  if (!anova.tested) return `no test: ${anova.reason}`;
  const alike = pairs.filter(({ p }) => !(p < SIGNIFICANT));
  if (alike.length === 0) return `all ${pairs.length} pairs differ`;
  const shown = alike
    .slice(0, SHOWN_PAIRS)
    .map(({ one, other, p }) => `${one} and ${other} (${formatProbability(p)})`);
  const more = alike.length > shown.length ? `; and ${alike.length - shown.length} more` : '';
  return `no significant difference: ${shown.join('; ')}${more}`;
}

function missedTable({ missed }: BenchReport): Table {
  return readingsTable(
    'Not timed',
    missed,
    [
      ['kernel', ({ label }) => label],
      ['m×k×n', ({ m, k, n }) => `${m}×${k}×${n}`],
      ['why', ({ why }) => why],
    ],
    [],
  );
}
