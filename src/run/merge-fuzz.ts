import { lookUp } from '../base/objects.ts';
import type { Verdict } from '../evidence/case-result.ts';
import { parseCase } from '../problem/case.ts';
import type { FuzzResult, Results } from './results.ts';
import { describeViolations } from './violations.ts';

type Coverage = FuzzResult['coverage'];
type Range = Coverage['exponents']['a'];

/** Merges the draws and findings of the shards of a fuzz campaign: each violation, and each kernel's champion, once. */
export function mergeFuzz([first, ...others]: readonly FuzzResult[]): FuzzResult {
  return others.reduce((sum, one) => {
    const { runs = one.runs, corpus = one.corpus, champions: _, ...rest } = sum;
    const champions = largest([...(sum.champions ?? []), ...(one.champions ?? [])]);
    return {
      ...rest,
      ...(runs === undefined ? {} : { runs }),
      ...(corpus === undefined ? {} : { corpus }),
      maxSize: Math.max(sum.maxSize, one.maxSize),
      coverage: joinCoverage(sum.coverage, one.coverage),
      findings: distinct([...sum.findings, ...one.findings], ({ case: text, check }) => `${text} ${check}`),
      ...(champions.length === 0 ? {} : { champions }),
    };
  }, first);
}

/** Merges the coverage of two parts of a campaign. */
export const joinCoverage = (one: Coverage, other: Coverage): Coverage => ({
  counts: added(one.counts, other.counts),
  exponents: widened(one.exponents, other.exponents),
});

type Counts = Coverage['counts'];

function added(a: Counts, b: Counts): Counts {
  const topics = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(
    topics.map((topic) => {
      const [one = {}, other = {}] = [lookUp(a, topic), lookUp(b, topic)];
      const seen = [...new Set([...Object.keys(one), ...Object.keys(other)])];
      return [
        topic,
        Object.fromEntries(seen.map((what) => [what, (lookUp(one, what) ?? 0) + (lookUp(other, what) ?? 0)])),
      ];
    }),
  );
}

function widened(a: Coverage['exponents'], b: Coverage['exponents']): Coverage['exponents'] {
  const both = (x: Range, y: Range): Range =>
    x === undefined || y === undefined
      ? (x ?? y)
      : { least: Math.min(x.least, y.least), largest: Math.max(x.largest, y.largest) };
  const matrices = (['a', 'b', 'c'] as const).map((matrix) => [matrix, both(a[matrix], b[matrix])] as const);
  return Object.fromEntries(matrices.filter(([, range]) => range !== undefined));
}

function distinct<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

type Champions = NonNullable<FuzzResult['champions']>;

/** Returns the champion with the largest value for each kernel and objective. */
function largest(champions: Champions): Champions {
  const sorted = champions.toSorted((a, b) => b.value - a.value);
  return distinct(sorted, ({ case: text, objective }) => {
    const {
      kernel,
      problem: { precision },
    } = parseCase(text);
    return JSON.stringify([kernel, precision, objective]);
  });
}

const WORST: readonly Verdict[] = ['fail', 'inconclusive', 'pass'];

/**
 * Derives the verdict of a fuzz campaign from those of its shards. A violation in one shard is one of the campaign. An inconclusive
 * shard leaves its part open.
 * @param missing - a sentence on missing shards, if there are any.
 */
export function fuzzVerdict(
  runs: readonly Results[],
  findings: number,
  missing: string | undefined,
): Pick<Results, 'verdict' | 'reason'> {
  const worst = WORST.find((verdict) => runs.some((run) => run.verdict === verdict)) ?? 'inconclusive';
  const total = (count: 'run' | 'pass' | 'inconclusive') =>
    runs.reduce((sum, { summary }) => sum + summary[count], 0);
  const also = missing === undefined ? '' : ` ${missing}`;
  if (worst === 'fail')
    return { verdict: 'fail', reason: `${describeViolations(findings, total('run'))}${also}` };
  if (missing !== undefined) return { verdict: 'inconclusive', reason: missing };
  if (worst === 'inconclusive') {
    return { verdict: worst, reason: runs.find(({ verdict }) => verdict === worst)?.reason ?? '' };
  }
  const open = total('inconclusive');
  const rest = open === 0 ? '' : `; ${open} more could not be judged`;
  return { verdict: 'pass', reason: `No violation in ${total('pass')} judged cases${rest}.` };
}
