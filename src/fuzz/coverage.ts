import type { Registry } from '../base/registry.ts';
import type { Check } from '../evidence/checks/check.ts';
import type { Matrix } from '../matrix/dense.ts';
import { features } from '../matrix/features.ts';
import { toGemm } from '../problem/gemm-of.ts';
import { isPowerOfTwo, isPrime } from '../problem/size-classes.ts';
import type { CaseOutcome } from '../run/scheduler.ts';
import type { Target } from './target.ts';

/** Coverage of judged cases: the number of cases with each property. */
export interface CaseCoverage {
  /** Counts by topic ("shape", "input", …) and by observed value. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The range of binary exponents in each matrix. */
  readonly exponents: {
    readonly [matrix in 'a' | 'b' | 'c']?: { readonly least: number; readonly largest: number } | undefined;
  };
}

/** Returns every class in which a case is counted. */
type Classes = (seen: Seen, target: Target, checks: Registry<Check>) => readonly string[];

/** A judged case, with the exponents in its matrices. These are undefined without a product. */
interface Seen extends CaseOutcome {
  readonly exponents: { readonly a: Exponents; readonly b: Exponents; readonly c: Exponents } | undefined;
}

const topics: Readonly<Record<string, Classes>> = {
  shape: ({
    case: {
      problem: { m, k, n },
    },
  }) => shapeClasses(m, k, n),
  sizes: (
    {
      case: {
        problem: { m, k, n },
      },
    },
    { tiles },
  ) => [...new Set([m, k, n].flatMap((size) => sizeClasses(size, tiles)))],
  input: ({
    case: {
      problem: { input },
    },
  }) => [input],
  edit: ({
    case: {
      problem: { edit },
    },
  }) => edit?.split(',').map((text) => text.split(':')[0]) ?? ['none'],
  exponents: ({ exponents }) =>
    exponents === undefined ? [] : [spreadClass(uniteRanges(exponents.a, exponents.b))],
  levels: ({ result: { levelsUsed } }) => [String(levelsUsed)],
  fringe: ({
    case: {
      method: { fringe },
    },
  }) => [fringe],
  tail: ({
    case: {
      method: { tail },
    },
  }) => [tail],
  beyond: ({ case: { problem } }) => {
    const gemm = toGemm(problem);
    const found = features.filter(({ needs }) => needs(gemm)).map(({ key }) => key);
    return found.length === 0 ? ['nothing'] : found;
  },
  kernel: ({
    case: {
      kernel,
      problem: { precision },
    },
  }) => [precision === 'f32' ? kernel : `${kernel} ${precision}`],
  decided: ({ result }, _, checks) => decidedBy(result, checks),
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

/** Steps of the number of binades between the least and the largest entry of A and B. */
const SPREADS = [1, 8, 16, 32, 64, 128];

function spreadClass(range: Exponents): string {
  if (range === undefined) return 'all zero';
  const binades = range.largest - range.least + 1;
  const below = SPREADS.find((step) => binades <= step);
  return below === undefined ? `> ${SPREADS[SPREADS.length - 1]} binades` : `≤ ${below} binades`;
}

/** Returns the checks that decided a case: those that failed, else the decisive ones that passed. */
function decidedBy({ verdict, checks: answers }: CaseOutcome['result'], checks: Registry<Check>): string[] {
  if (verdict === 'inconclusive') return ['none'];
  const isDecisive = (name: string) => checks.get(name)?.decisive === true;
  return answers
    .filter(({ name, status }) => status === verdict && (verdict === 'fail' || isDecisive(name)))
    .map(({ name }) => name);
}

function exponentsIn({ evidence }: CaseOutcome): Seen['exponents'] {
  if (evidence === undefined) return undefined;
  const { operands, outcomes } = evidence;
  return { a: exponentsOf(operands.a), b: exponentsOf(operands.b), c: exponentsOf(outcomes[0].c) };
}

/** Counts cases as they are judged. */
export class CoverageTally {
  private readonly checks: Registry<Check>;
  private readonly counts = new Map(Object.keys(topics).map((topic) => [topic, new Map<string, number>()]));
  private readonly ranges: { a: Exponents; b: Exponents; c: Exponents } = {
    a: undefined,
    b: undefined,
    c: undefined,
  };

  /** @param checks the checks of products. */
  constructor(checks: Registry<Check>) {
    this.checks = checks;
  }

  add(judged: CaseOutcome, target: Target): void {
    const seen = { ...judged, exponents: exponentsIn(judged) };
    for (const [topic, classesOf] of Object.entries(topics)) {
      const counts = this.counts.get(topic) as Map<string, number>;
      for (const name of classesOf(seen, target, this.checks)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const matrix of ['a', 'b', 'c'] as const) {
      this.ranges[matrix] = uniteRanges(this.ranges[matrix], seen.exponents?.[matrix]);
    }
  }

  coverage(): CaseCoverage {
    const { a, b, c } = this.ranges;
    return {
      counts: Object.fromEntries(
        [...this.counts].map(([topic, counts]) => [topic, Object.fromEntries(counts)]),
      ),
      exponents: {
        ...(a === undefined ? {} : { a }),
        ...(b === undefined ? {} : { b }),
        ...(c === undefined ? {} : { c }),
      },
    };
  }
}

/** The least and the largest binary exponent of finite nonzero entries. Undefined where there are none. */
type Exponents = { readonly least: number; readonly largest: number } | undefined;

/** Returns the exponents of a matrix: e for sizes from 2^e up to 2^(e+1). */
export function exponentsOf({ data }: Matrix): Exponents {
  let [least, largest] = [Number.POSITIVE_INFINITY, 0];
  for (let at = 0; at < data.length; at++) {
    const size = Math.abs(data[at]);
    if (size > largest && size < Number.POSITIVE_INFINITY) largest = size;
    if (size < least && size > 0) least = size;
  }
  if (largest === 0) return undefined;
  return { least: exponentOf(least), largest: exponentOf(largest) };
}

function exponentOf(size: number): number {
  const exponent = Math.floor(Math.log2(size));
  // The logarithm may be rounded up to the next whole number.
  return 2 ** exponent > size ? exponent - 1 : exponent;
}

/** Returns the union of two ranges. */
export function uniteRanges(x: Exponents, y: Exponents): Exponents {
  if (x === undefined || y === undefined) return x ?? y;
  return { least: Math.min(x.least, y.least), largest: Math.max(x.largest, y.largest) };
}
