import { extent, group, mean } from 'd3-array';
import { fromJsonNumber } from '../../base/real.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { BITS_CAP } from '../../evidence/tally.ts';
import type { Figure, Series } from '../../report/figure.ts';
import { formatShort } from '../../report/numbers.ts';
import { describeLevels, shortName } from './figure-words.ts';
import { isOurs, type SeriesName } from './series.ts';

/** Speed and accuracy of a kernel at one size. */
interface Rate {
  readonly series: string;
  readonly levels: number;
  readonly n: number;
  /** Significant bits of the worst entry. */
  readonly bits: number;
  /** Rate in 10⁹ operations a second, at 2·m·k·n operations. */
  readonly gigaflops: number;
}

/** The timed square products of one input, of external kernels. */
export interface RateField {
  readonly title: string;
  readonly rates: readonly Rate[];
}

/** Smallest size shown. Below it, starting a product takes longer than computing it. */
const SMALLEST = 32;

/** Returns the fields, those with the most kernels first. */
export function rateFields(cases: readonly CaseResult[], seriesOf: SeriesName): RateField[] {
  const grows = cases.some(({ series, seconds = 0 }) => series && seconds > 0);
  const timed = cases.flatMap((result) => {
    const { seconds = 0, exact, m, k, n, levels } = result;
    const bits = exact === undefined ? Number.NaN : fromJsonNumber(exact.bits);
    // Exact results lose no bits. Scattered sizes show less than growing ones.
    if (bits >= BITS_CAP || (grows && !result.series)) return [];
    if (isOurs(result) || seconds <= 0 || !Number.isFinite(bits) || m !== k || k !== n || n < SMALLEST)
      return [];
    return [
      { result, rate: { series: seriesOf(result), levels, n, bits, gigaflops: (2e-9 * n ** 3) / seconds } },
    ];
  });
  const fields = group(timed, ({ result }) => `${shortName(result.input)}, ${shortName(result.precision)}`);
  const rates = [...fields].map(([title, own]) => ({ title, rates: meansOf(own.map(({ rate }) => rate)) }));
  const told = ({ rates }: RateField) => new Set(rates.map(({ series }) => series)).size;
  return rates
    .filter((field) => field.rates.length > 1)
    .sort((one, other) => told(other) - told(one) || other.rates.length - one.rates.length);
}

function meansOf(rates: readonly Rate[]): Rate[] {
  const same = group(rates, ({ series, levels, n }) => JSON.stringify([series, levels, n]));
  return [...same.values()].map((own) => ({
    ...own[0],
    bits: mean(own, ({ bits }) => bits) ?? 0,
    gigaflops: Math.exp(mean(own, ({ gigaflops }) => Math.log(gigaflops)) ?? 0),
  }));
}

/** Draws a field: bits to the right, speed upwards; a line joins the sizes of a kernel, which its marks state. */
export function rateFigure({ title, rates }: RateField): Figure {
  const [least = 0, most = 0] = extent(rates, ({ bits }) => bits);
  return {
    title,
    x: {
      label: 'significant bits of the worst entry',
      scale: 'linear',
      include: [most + (most - least) / 10],
    },
    y: { label: '10⁹ operations a second', scale: 'logarithmic' },
    series: [...group(rates, ({ series, levels }) => JSON.stringify([series, levels])).values()].flatMap(
      marksOf,
    ),
  };
}

function marksOf(rates: readonly Rate[]): Series[] {
  const own = [...rates].sort((one, other) => one.n - other.n);
  const [{ series: hue }] = own;
  const marks = own.map(({ levels, n, bits, gigaflops }) => ({
    x: bits,
    y: gigaflops,
    says: `${hue}, n = ${n}${levels > 0 ? `, ${describeLevels(levels)}` : ''}: ${formatShort(bits)} bits, ${formatShort(gigaflops)} · 10⁹ operations a second`,
    tag: String(n),
  }));
  return [
    { draw: 'line', stroke: 'solid', hue, points: own.map(({ bits, gigaflops }) => [bits, gigaflops]) },
    { draw: 'points', shape: 'own', hue, marks },
  ];
}
