import { extent, group, mean } from 'd3-array';
import { fromJsonNumber } from '../../base/numbers.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { BITS_CAP } from '../../evidence/tally.ts';
import type { Figure, Series } from '../../report/figure.ts';
import { formatShort } from '../../report/numbers.ts';
import { describeLevels, describeTrade, isOurs, type SeriesName, shortName } from './series.ts';

/** Speed-up and lost bits of an algorithm at a number of levels, compared with the classical one. */
interface Trade {
  readonly algorithm: string;
  readonly levels: number;
  /** Significant bits that the worst entry loses. */
  readonly bitsLost: number;
  readonly speedUp: number;
}

/** Timed products of one kind. */
interface Race {
  readonly n: number;
  readonly input: string;
  readonly precision: string;
  readonly trades: readonly Trade[];
}

interface Timed {
  readonly result: CaseResult;
  readonly seconds: number;
  readonly bits: number;
}

/** Returns the races of our kernels in which the classical algorithm and another were timed on square matrices, the largest first. */
export function races(cases: readonly CaseResult[]): Race[] {
  const timed = cases.flatMap((result): Timed[] => {
    const { seconds = 0, exact, m, k, n } = result;
    const bits = exact === undefined ? Number.NaN : fromJsonNumber(exact.bits);
    const isTimed = seconds > 0 && Number.isFinite(bits) && m === k && k === n;
    return isTimed && isOurs(result) ? [{ result, seconds, bits }] : [];
  });
  return groups(timed, ({ result: { n, input, precision } }) => [n, input, precision])
    .flatMap((own): Race[] => {
      const trades = tradesOf(own);
      const { n, input, precision } = own[0].result;
      return trades.some(({ algorithm }) => algorithm !== 'classical')
        ? [{ n, input, precision, trades }]
        : [];
    })
    .sort((a, b) => b.n - a.n);
}

/** Compares kernels leaf by leaf, since another leaf has another speed. */
function tradesOf(all: readonly Timed[]): Trade[] {
  const single = groups(all, ({ result }) => [result.algorithm, result.levels, result.leaf]).map((same) => {
    const { algorithm, levels, leaf } = same[0].result;
    const [seconds = 0, bits = 0] = [mean(same, (one) => one.seconds), mean(same, (one) => one.bits)];
    return { algorithm, levels, leaf, seconds, bits };
  });
  const against = single.flatMap((one) => {
    const base = single.find(
      ({ algorithm, levels, leaf }) => algorithm === 'classical' && levels === 0 && leaf === one.leaf,
    );
    if (base === undefined) return [];
    return [{ ...one, bitsLost: base.bits - one.bits, speedUp: base.seconds / one.seconds }];
  });
  return groups(against, ({ algorithm, levels }) => [algorithm, levels]).map((same) => ({
    algorithm: same[0].algorithm,
    levels: same[0].levels,
    bitsLost: mean(same, ({ bitsLost }) => bitsLost) ?? 0,
    speedUp: Math.exp(mean(same, ({ speedUp }) => Math.log(speedUp)) ?? 0),
  }));
}

const groups = <T>(items: readonly T[], keyOf: (item: T) => readonly unknown[]): T[][] => [
  ...group(items, (item) => JSON.stringify(keyOf(item))).values(),
];

/** Draws a race: bits lost to the right, speed won upwards; marks state their levels. */
export function speedFigure({ n, input, precision, trades }: Race): Figure {
  return {
    title: `n = ${n}, ${shortName(input)}, ${shortName(precision)}`,
    x: { label: 'significant bits lost', scale: 'linear', include: [0] },
    y: { label: 'speed-up over classical', scale: 'linear', include: [1] },
    series: [EVEN, ...groups(trades, ({ algorithm }) => [algorithm]).flatMap(tradeSeries)],
  };
}

/** The line of equal speed, from edge to edge. */
const EVEN: Series = { draw: 'rule', y: 1 };

function tradeSeries(trades: readonly Trade[]): Series[] {
  const own = [...trades].sort((a, b) => a.levels - b.levels);
  const hue = shortName(own[0].algorithm);
  return [
    { draw: 'line', stroke: 'solid', hue, points: own.map(({ bitsLost, speedUp }) => [bitsLost, speedUp]) },
    {
      draw: 'points',
      shape: 'own',
      hue,
      marks: own.map(({ levels, bitsLost, speedUp }) => ({
        x: bitsLost,
        y: speedUp,
        says: `${hue}, ${describeLevels(levels)}: ${describeTrade(speedUp, bitsLost)}`,
        tag: levels > 0 ? String(levels) : undefined,
      })),
    },
  ];
}

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
interface RateField {
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
