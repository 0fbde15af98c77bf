import { group } from 'd3-array';
import type { Comparison } from './compare.ts';
import { clockWords, effectiveRate, flops, isSquare, type Measurement } from './measurement.ts';
import { type BenchReport, baselineOf, type SizedAgainst } from './report.ts';
import { digits, lost, probability, type Table } from './table.ts';

/** Pairs of which chance alone is a likelier account are not shown to differ. */
const SIGNIFICANT = 0.01;
const SHOWN_PAIRS = 6;

/** The tables of a report: those of its study, then all that was measured. */
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

function timesTables(measurements: readonly Measurement[]): Table[] {
  return [...group(measurements, ({ clock }) => clock)].map(([clock, all]) => {
    const anyAbsolute = all.some(({ absolute }) => absolute);
    const anyWhole = all.some(({ absolute, whole }) => absolute && whole !== undefined);
    const rows = all.map((one) => {
      const { label, n, precision, median, interval, absolute, bits, whole, seconds, repeats } = one;
      const base = baselineOf(one, measurements);
      const [low, high] = interval.map((bound) => bound / base.median);
      const quoted = (text: () => string) => (absolute ? text() : '–');
      const tera = (rate: number) => digits(rate / 1e12);
      return [
        ...[label, precision, sizeText(one)],
        ...[repeats > 1 ? `${seconds.length} × ${repeats}` : String(seconds.length)],
        ...(anyAbsolute
          ? [
              quoted(() => digits(1000 * median, 4)),
              quoted(() => interval.map((bound) => digits(1000 * bound, 4)).join('…')),
              quoted(() => tera(effectiveRate(one, median))),
              quoted(() => (isSquare(one) ? tera(flops(n, median)) : '–')),
            ]
          : []),
        ...(anyWhole ? [quoted(() => (whole === undefined ? '–' : digits(1000 * whole, 3)))] : []),
        ...[digits(median / base.median), `${digits(low)}…${digits(high)}`, base === one ? '–' : base.label],
        ...[digits(base.median / median), bits.toFixed(1), lost(base, one)],
      ];
    });
    const headings = [
      ...['kernel', 'precision', 'm×k×n', 'trials'],
      ...(anyAbsolute ? ['median ms', '95 %', 'Tflop/s, 2mnk', 'Tflop/s, 2N³−N²'] : []),
      ...(anyWhole ? ['whole ms'] : []),
      ...['time, relative', '95 %', 'against', 'speed-up', 'bits', 'bits lost'],
    ];
    const more = `${all.some(({ panels }) => panels !== undefined) ? IN_PANELS : ''}${bitsNote(all)}`;
    return {
      title: `Times: ${clockWords[clock]}`,
      headings,
      rows,
      numbers: 3,
      note: anyAbsolute
        ? `Medians with bootstrap intervals, which are as narrow as the clock’s steps. “whole” is one product with packing, upload and read-back.${more}`
        : `Medians with bootstrap intervals, as ratios: on a processor, absolute times say little.${more}`,
    };
  });
}

/** What bits are, and of which part of C where that is not all. */
function bitsNote(all: readonly Measurement[]): string {
  const shares = new Map(all.filter(({ checked }) => checked < 1).map((one) => [sizeText(one), one.checked]));
  const sampled = [...shares].map(([size, share]) => `${digits(100 * share)} % at ${size}`).join(', ');
  const of = sampled === '' ? '' : `; of random rows where C is large: ${sampled}`;
  return ` Bits are −log₂ of the largest error in units of (|A||B|)ᵢⱼ${of}.`;
}

const IN_PANELS = ' Of what does not fit the device as a whole, the times of its panels are added up.';

function sizeText(one: Measurement): string {
  const { m, k, n, panels } = one;
  const size = isSquare(one) ? String(n) : `${m}×${k}×${n}`;
  return panels === undefined ? size : `${size}, ${panels} panels`;
}

function breakEvenTable(all: readonly SizedAgainst[]): Table {
  const rows = all.map(({ label, against, breakEven }) => {
    if (breakEven.kind !== 'from') return [label, against, 'not up to the largest size', '–'];
    return [label, against, String(breakEven.size), String(Math.round(breakEven.crossing))];
  });
  return {
    title: 'Break-even sizes',
    headings: ['kernel', 'against', 'faster from n =', 'crossing, interpolated'],
    rows,
    numbers: 2,
    note: 'The smallest measured n from which on its 95 % interval lies below the other’s at every larger n measured.',
  };
}

function testsTable(comparisons: readonly Comparison[]): Table {
  const rows = comparisons.map(({ product, anova, pairs }) => {
    if (!anova.tested) return [product, '–', '–', '–', `no test: ${anova.reason}`];
    const alike = pairs.filter(({ p }) => !(p < SIGNIFICANT));
    const shown = alike
      .slice(0, SHOWN_PAIRS)
      .map(({ one, other, p }) => `${one} and ${other} (${probability(p)})`);
    const more = alike.length > shown.length ? `; and ${alike.length - shown.length} more` : '';
    const said =
      alike.length === 0
        ? `all ${pairs.length} pairs differ`
        : `not shown to differ: ${shown.join('; ')}${more}`;
    const freedom = `${anova.between}, ${digits(anova.within)}`;
    return [product, digits(anova.f), freedom, probability(anova.p), said];
  });
  return {
    title: 'Do the speeds differ?',
    headings: ['product', 'F', 'degrees of freedom', 'p', `pairs at p < ${SIGNIFICANT}`],
    rows,
    numbers: 5,
    note: 'Welch’s analysis of variance over the trials’ speeds, then Games and Howell’s test of every pair.',
  };
}

function missedTable({ missed }: BenchReport): Table {
  const rows = missed.map(({ label, m, k, n, why }) => [label, `${m}×${k}×${n}`, why]);
  return { title: 'Not timed', headings: ['kernel', 'm×k×n', 'why'], rows, numbers: 3 };
}
