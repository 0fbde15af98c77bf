import { checks } from '../gate/checks/checks.ts';
import { type Exponents, widened } from './exponents.ts';
import type { Judged } from './judge.ts';
import { isPowerOfTwo, isPrime } from './sizes.ts';
import type { Target } from './target.ts';

/** What was really visited: how many judged cases had what. */
export interface Coverage {
  /** Counts by topic ("shape", "input", …) and by what was seen. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The range of exponents of two seen in each matrix. */
  readonly exponents: {
    readonly [matrix in 'a' | 'b' | 'c']?: { readonly least: number; readonly largest: number } | undefined;
  };
}

/** Everything a case is counted under. */
type Classes = (judged: Judged, target: Target) => readonly string[];

const topics: Readonly<Record<string, Classes>> = {
  shape: ({ case: { m, k, n } }) => shapeClasses(m, k, n),
  sizes: ({ case: { m, k, n } }, { tiles }) => [
    ...new Set([m, k, n].flatMap((size) => sizeClasses(size, tiles))),
  ],
  input: ({ case: { input } }) => [input],
  edit: ({ case: { edit } }) => edit?.split(',').map((text) => text.split(':')[0]) ?? ['none'],
  exponents: ({ exponents }) =>
    exponents === undefined ? [] : [spreadClass(widened(exponents.a, exponents.b))],
  levels: ({ result: { levelsUsed } }) => [String(levelsUsed)],
  border: ({ case: { border } }) => [border],
  edge: ({ case: { edge } }) => [edge],
  layout: ({ case: { layout = 'nn' } }) => [layout.replace(/\+.*/, '+pad')],
  kernel: ({ case: { kernel, precision = 'f32' } }) => [
    precision === 'f32' ? kernel : `${kernel} ${precision}`,
  ],
  decided: ({ result }) => decidedBy(result),
};

const shapes: readonly { name: string; is: (m: number, k: number, n: number) => boolean }[] = [
  { name: '1×1×1', is: (m, k, n) => m * k * n === 1 },
  { name: 'square', is: (m, k, n) => m === k && k === n && m > 1 },
  { name: 'thin', is: (m, _, n) => m >= 8 * n },
  { name: 'fat', is: (m, _, n) => n >= 8 * m },
  { name: 'k long', is: (m, k, n) => k >= 8 * Math.max(m, n) },
  { name: 'k short', is: (m, k, n) => 8 * k <= Math.min(m, n) },
];

function shapeClasses(m: number, k: number, n: number): string[] {
  const found = shapes.filter(({ is }) => is(m, k, n)).map(({ name }) => name);
  return found.length === 0 ? ['other'] : found;
}

function sizeClasses(size: number, tiles: readonly number[]): string[] {
  const near = (test: (size: number) => boolean) => test(size - 1) || test(size + 1);
  const ofTile = (size: number) => size > 0 && tiles.some((tile) => size % tile === 0);
  const classes: readonly (readonly [string, boolean])[] = [
    ['1', size === 1],
    ['prime', isPrime(size)],
    ['2^e', size > 1 && isPowerOfTwo(size)],
    ['2^e ± 1', size > 2 && near(isPowerOfTwo)],
    ['tile edge', ofTile(size)],
    ['tile edge ± 1', near(ofTile)],
  ];
  const found = classes.filter(([, is]) => is).map(([name]) => name);
  return found.length === 0 ? ['other'] : found;
}

/** Binades between the least and the largest entry of A and B, in steps. */
const SPREADS = [1, 8, 16, 32, 64, 128];

function spreadClass(range: Exponents): string {
  if (range === undefined) return 'all zero';
  const binades = range.largest - range.least + 1;
  const below = SPREADS.find((step) => binades <= step);
  return below === undefined ? `> ${SPREADS[SPREADS.length - 1]} binades` : `≤ ${below} binades`;
}

const decisive = new Set(checks.filter((check) => check.decisive).map(({ name }) => name));

/** The checks that made the verdict of a case: those that failed, else the decisive ones that passed. */
function decidedBy({ verdict, checks: answers }: Judged['result']): string[] {
  if (verdict === 'inconclusive') return ['none'];
  return answers
    .filter(({ name, status }) => status === verdict && (verdict === 'fail' || decisive.has(name)))
    .map(({ name }) => name);
}

/** Counts cases as they are judged. */
export class CoverageTally {
  private readonly counts: Record<string, Record<string, number>> = Object.fromEntries(
    Object.keys(topics).map((topic) => [topic, {}]),
  );
  private readonly ranges: { a: Exponents; b: Exponents; c: Exponents } = {
    a: undefined,
    b: undefined,
    c: undefined,
  };

  add(judged: Judged, target: Target): void {
    for (const [topic, classes] of Object.entries(topics)) {
      const counts = this.counts[topic];
      for (const seen of classes(judged, target)) counts[seen] = (counts[seen] ?? 0) + 1;
    }
    for (const matrix of ['a', 'b', 'c'] as const) {
      this.ranges[matrix] = widened(this.ranges[matrix], judged.exponents?.[matrix]);
    }
  }

  coverage(): Coverage {
    const { a, b, c } = this.ranges;
    return {
      counts: this.counts,
      exponents: {
        ...(a === undefined ? {} : { a }),
        ...(b === undefined ? {} : { b }),
        ...(c === undefined ? {} : { c }),
      },
    };
  }
}
