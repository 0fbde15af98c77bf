import { type CaseResult, verdicts } from '../../src/evidence/case-result.ts';
import type { ProductMaps } from '../../src/evidence/heat-map.ts';
import { heatMapOf } from '../../src/evidence/shown.ts';
import { withShownExamples } from '../../src/run/groups/group.ts';
import { groupFailures } from '../../src/run/groups/group-failures.ts';
import type { Results } from '../../src/run/results.ts';
import { syntheticCase, syntheticResults } from './synthetic.ts';

const INPUTS = ['uniform', 'integers', 'scaled-rows', 'wide-exponents', 'special-values', 'inverse-pair'];
const SIZES = [1, 3, 7, 16, 17, 33, 48, 64, 100, 128, 129, 256, 257, 600, 1100];

/** Cases of an external kernel on about a hundred shapes; the first shapes are the growth series. */
function casesOf(kernel: string, fails: (k: number) => boolean, rounds = 1): CaseResult[] {
  const place = { algorithm: 'classical', leaf: '', levels: 0, kernel };
  const series = ['uniform', 'inverse-pair'].flatMap((input) =>
    [32, 64, 128, 256].flatMap((n) =>
      [1, 2, 3].map((seed) =>
        syntheticCase({ ...place, input, n, seed, series: true, seconds: 1e-9 * n ** 2.6 }),
      ),
    ),
  );
  const drawn = Array.from({ length: rounds }, (_, round) =>
    SIZES.flatMap((m, at) =>
      INPUTS.map((input, other) => {
        const [k, n] = [SIZES[(3 * at + other) % SIZES.length], SIZES[(7 * at + 2 * other) % SIZES.length]];
        return syntheticCase({ ...place, input, m, k, n, seed: 1 + round });
      }),
    ),
  ).flat();
  return [...series, ...drawn].map((result) => (fails(result.k) ? failing(result) : result));
}

function failing(result: CaseResult): CaseResult {
  const { m, n } = result;
  const reason = `${m * n} of ${m * n} entries exceed their error bounds: all of them; the worst error is 1840 times its bound; likely mistake: the last term of k is missing.`;
  const check = { name: 'running-bound', status: 'fail', message: reason, found: 1840, allowed: 1 } as const;
  const sigma = { name: 'sigma', status: 'fail', message: 'The worst error is 9 sigmas.', found: 9 } as const;
  return { ...result, verdict: 'fail', reason, checks: [check, sigma], maps: pictures(result) };
}

function pictures({ m, k, n }: CaseResult): ProductMaps {
  const wave = (entry: number) => Math.abs(Math.sin(78.233 * (entry + 1)));
  const [a, b] = [heatMapOf({ rows: m, cols: k }, wave), heatMapOf({ rows: k, cols: n }, wave)];
  const [c, error] = [0, 1].map((part) =>
    heatMapOf({ rows: m, cols: n }, (e) =>
      part === 1 && e % n < n / 2 ? 0 : e === 0 ? Number.NaN : wave(e),
    ),
  );
  return { a, b, c, error } as ProductMaps;
}

/** Synthetic results with these cases only. */
function resultsOf(all: readonly CaseResult[]): Results {
  const { study: _, ...rest } = syntheticResults();
  const groups = groupFailures(all);
  const cases = withShownExamples(all, groups);
  const count = (verdict: string) => cases.filter((result) => result.verdict === verdict).length;
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, count(verdict)]));
  const summary = { ...rest.summary, planned: cases.length, run: cases.length, ...counts };
  const failed = count('fail');
  const verdict = failed > 0 ? 'fail' : 'pass';
  const reason =
    failed > 0 ? `${failed} of ${cases.length} cases failed.` : `All ${cases.length} cases passed.`;
  const growth: Results['growth'] = [];
  return { ...rest, cases, growth, summary, verdict, reason, ...(failed > 0 ? { groups } : {}) };
}

const never = () => false;
const odd = (k: number) => k % 2 === 1 && k > 16;

/** Adds a smaller case to the first group, as a gate finds it. */
function withSmaller(results: Results): Results {
  const [first, ...others] = results.groups ?? [];
  const place = { algorithm: 'classical', leaf: '', levels: 0, kernel: 'mine', input: 'integers', seed: 1 };
  const { case: text, replay, reason, maps } = failing(syntheticCase({ ...place, m: 2, k: 17, n: 3 }));
  const excerpt = {
    ...{ row: 0, col: 0 },
    found: [
      [4, 0, 2],
      [1, 4, 9],
    ],
    expected: [
      [4, 5, 2],
      [1, 4, 9],
    ],
    difference: [
      [0, -5, 0],
      [0, 0, 0],
    ],
  };
  return {
    ...results,
    groups: [{ ...first, smallerExample: { case: text, replay, reason, excerpt, maps } }, ...others],
  };
}

/** Five runs by which the report is tested. */
export const five: Readonly<Record<string, () => Results>> = {
  pass: () => resultsOf(casesOf('mine', never)),
  bug: () => withSmaller(resultsOf(casesOf('mine', odd))),
  three: () =>
    resultsOf(
      ['mine', 'simd-unrolled', 'f64-sums'].flatMap((name, at) => casesOf(name, at === 1 ? odd : never)),
    ),
  many: () => resultsOf(casesOf('mine', odd, 112).slice(0, 10_000)),
  study: syntheticResults,
};
