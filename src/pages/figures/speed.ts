import { group, mean } from 'd3-array';
import { fromJsonNumber } from '../../base/real.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Figure, Series } from '../../report/figure.ts';
import { describeLevels, describeTrade, shortName } from './figure-words.ts';
import { isOurs } from './series.ts';

/** Speed-up and lost bits of an algorithm at a number of levels, compared with the classical one. */
export interface Trade {
  readonly algorithm: string;
  readonly levels: number;
  /** Significant bits that the worst entry loses. */
  readonly bitsLost: number;
  readonly speedUp: number;
}

/** Timed products of one kind. */
export interface Race {
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
