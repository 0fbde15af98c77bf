import { mean } from 'd3-array';
import { type CaseResult, fromReal } from '../../../gate/results.ts';
import { html, type Markup } from '../markup.ts';
import { fixed, levelsInWords, name } from '../text.ts';
import { linearAxis } from './axis.ts';
import { rounded, tenth } from './palette.ts';
import { ACROSS, panel, UPWARDS } from './panel.ts';

/** What an algorithm at a number of levels wins and loses against the classical one. */
export interface Trade {
  readonly algorithm: string;
  readonly levels: number;
  /** Significant bits that the worst entry has fewer. */
  readonly bitsLost: number;
  readonly speedUp: number;
}

/** Products of one kind, timed. */
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

/** The races in which the classical algorithm and another were timed on square matrices, the largest first. */
export function races(cases: readonly CaseResult[]): Race[] {
  const timed = cases.flatMap((result): Timed[] => {
    const { seconds = 0, exact, m, k, n } = result;
    const bits = exact === undefined ? Number.NaN : fromReal(exact.bits);
    return seconds > 0 && Number.isFinite(bits) && m === k && k === n ? [{ result, seconds, bits }] : [];
  });
  return groups(timed, ({ result }) => [result.n, result.input, result.precision])
    .flatMap((group): Race[] => {
      const trades = tradesOf(group);
      const { n, input, precision } = group[0].result;
      return trades.some(({ algorithm }) => algorithm !== 'classical')
        ? [{ n, input, precision, trades }]
        : [];
    })
    .sort((a, b) => b.n - a.n);
}

/** Kernels are compared leaf by leaf: another leaf has another speed. */
function tradesOf(group: readonly Timed[]): Trade[] {
  const single = groups(group, ({ result }) => [result.algorithm, result.levels, result.leaf]).map((same) => {
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

function groups<T>(items: readonly T[], keyOf: (item: T) => readonly unknown[]): T[][] {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    const group = found.get(key);
    if (group === undefined) found.set(key, [item]);
    else group.push(item);
  }
  return [...found.values()];
}

/** A race as a panel: bits lost to the right, speed won upwards; marks say their levels. */
export function speedPanel(
  { n, input, precision, trades }: Race,
  algorithms: ReadonlyMap<string, number>,
): Markup {
  const shown = trades.filter(({ algorithm }) => algorithms.has(algorithm));
  const x = linearAxis('significant bits lost', [0, ...shown.map(({ bitsLost }) => bitsLost)], ACROSS);
  const y = linearAxis('speed-up over classical', [1, ...shown.map(({ speedUp }) => speedUp)], UPWARDS);
  const series = [...algorithms].map(([algorithm, number]) => {
    const own = shown.filter((trade) => trade.algorithm === algorithm).sort((a, b) => a.levels - b.levels);
    const path = own
      .map(({ bitsLost, speedUp }) => `${tenth(x.at(bitsLost))} ${tenth(y.at(speedUp))}`)
      .join('L');
    const marks = own.map(
      ({ levels, bitsLost, speedUp }) =>
        html`<use href="#s${number}" x="${tenth(x.at(bitsLost))}" y="${tenth(y.at(speedUp))}"><title>${name(algorithm)}, ${levelsInWords(levels)}: ${fixed(speedUp, 2)} times as fast, ${fixed(bitsLost, 1)} bits lost</title></use>${levels > 0 ? html`<text class="tag" x="${tenth(x.at(bitsLost) + 6)}" y="${tenth(y.at(speedUp) - 4)}">${levels}</text>` : undefined}`,
    );
    return html`<g class="a${number}">${own.length > 1 ? html`<path class="line" d="M${rounded(path)}"/>` : undefined}${marks}</g>`;
  });
  const even = html`<path class="even" d="M${ACROSS[0]} ${tenth(y.at(1))}H${ACROSS[1]}"/>`;
  return panel({ title: `n = ${n}, ${name(input)}, ${name(precision)}`, x, y, body: html`${even}${series}` });
}
