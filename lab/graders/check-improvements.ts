import { createRandom } from '../../src/base/random.ts';
import { type Item, type Registry, registryOf } from '../../src/base/registry.ts';
import type { GraderProduct, GraderRequest } from './ask.ts';
import { shrinkProduct } from './ask.ts';
import { componentwise, equal } from './comparisons.ts';
import type { ExpectedComparison } from './expected-comparison.ts';
import { integers } from './fills.ts';
import type { Grader } from './grader.ts';

/** One improvement of a grader's test, tried in addition to the test itself. */
export interface CheckImprovement extends Item {
  /** Returns the additional requests, and the grader that judges them: the same one, or one with another comparison. */
  of(
    grader: Grader,
    own: readonly GraderRequest[],
  ): { readonly grader: Grader; readonly asks: readonly GraderRequest[] };
}

/** An odd shape, small enough to be cheap. */
const ODD = { m: 33, k: 65, n: 47 };

/** Caches a change by the requests of a grader, so that products prepared for one kernel are found for the next. */
function once(of: CheckImprovement['of']): CheckImprovement['of'] {
  const made = new WeakMap<readonly GraderRequest[], ReturnType<CheckImprovement['of']>>();
  return (grader, own) => {
    const found = made.get(own) ?? of(grader, own);
    made.set(own, found);
    return found;
  };
}

/** Requests more products from the same grader, filled like its first one. */
const asking = (
  wanted: readonly GraderProduct[],
  more: Partial<GraderRequest> = {},
): CheckImprovement['of'] =>
  once((grader, [first]) => ({
    grader,
    asks: wanted.map((one) => ({ ...first, times: 1, ...more, wanted: one })),
  }));

/** Limits of repeated requests: their number, and the multiplications of each. */
const AGAIN = 64;
const SMALL = 2 ** 22;

/** Samples the requests of a grader evenly, and shrinks them. */
function some(own: readonly GraderRequest[]): GraderRequest[] {
  const step = Math.max(1, Math.floor(own.length / AGAIN));
  return own
    .filter((_, at) => at % step === 0)
    .map((ask) => ({ ...ask, wanted: shrinkProduct(ask.wanted, SMALL) }));
}

const t = { op: 't' } as const;

/** Rounds fractional factors up to whole numbers. */
const wholeFactors = (wanted: GraderProduct): GraderProduct => ({
  ...wanted,
  alpha: Math.ceil(wanted.alpha ?? 1),
  beta: Math.ceil(wanted.beta ?? 0),
});

/** True if NaN and infinities are where they are expected. */
const inTheirPlaces = ({ found, expected }: ExpectedComparison): boolean =>
  expected.every((value, at) => Number.isFinite(value) || Object.is(value, found[at]));

/** Replaces entries by 0 where the expected entry is not finite. */
function finite(compared: ExpectedComparison): ExpectedComparison {
  const { found, expected } = compared;
  return {
    ...compared,
    found: found.map((value, at) => (Number.isFinite(expected[at]) ? value : 0)),
    expected: expected.map((value) => (Number.isFinite(value) ? value : 0)),
  };
}

/** Products with sizes log-uniform from 1 to 300, from a fixed seed. */
const drawn = (): GraderProduct[] => {
  const random = createRandom(1);
  const size = () => Math.round(300 ** random.uniform01());
  return Array.from({ length: 20 }, () => ({ m: size(), k: size(), n: size() }));
};

/** Single improvements, with a description each. */
export const checkImprovements: Registry<CheckImprovement> = registryOf<CheckImprovement>('change', [
  {
    name: 'odd-shape',
    what: 'one shape of primes, 61×67×59',
    of: asking([{ m: 61, k: 67, n: 59 }]),
  },
  {
    name: 'vectors',
    what: 'a row and a column: 1×257×65 and 65×257×1',
    of: asking([
      { m: 1, k: 257, n: 65 },
      { m: 65, k: 257, n: 1 },
    ]),
  },
  { name: 'long-sums', what: 'one long sum, 17×4097×19', of: asking([{ m: 17, k: 4097, n: 19 }]) },
  {
    name: 'large-result',
    what: 'more than a million results, 1031×3×1033',
    of: asking([{ m: 1031, k: 3, n: 1033 }]),
  },
  { name: 'drawn-shapes', what: 'twenty shapes drawn log-uniformly from 1 to 300', of: asking(drawn()) },
  {
    name: 'transposes',
    what: 'each transpose of 33×65×47',
    of: asking([
      { ...ODD, a: t },
      { ...ODD, b: t },
      { ...ODD, a: t, b: t },
    ]),
  },
  {
    name: 'columns',
    what: 'column-major matrices, together and each alone, at 33×65×47',
    of: asking(
      (['abc', 'a', 'b', 'c'] as const).map((names) => ({
        ...ODD,
        ...Object.fromEntries([...names].map((name) => [name, { order: 'column' }])),
      })),
    ),
  },
  {
    name: 'gaps',
    what: 'leading dimensions above the minimum, NaN in the gaps, memory around compared',
    of: once((grader, own) => ({
      ...asking([
        { ...ODD, a: { pad: 3 }, b: { pad: 5 }, c: { pad: 7 } },
        { ...ODD, a: { ...t, pad: 3 }, b: { ...t, pad: 5 } },
      ])(grader, own),
      grader: { ...grader, gaps: Number.NaN, guards: true },
    })),
  },
  {
    name: 'factors',
    what: 'alpha and beta: −2 and 3, 1 and 1, 0 and 2, at 33×65×47',
    of: asking([
      { ...ODD, alpha: -2, beta: 3 },
      { ...ODD, alpha: 1, beta: 1 },
      { ...ODD, alpha: 0, beta: 2 },
    ]),
  },
  {
    name: 'batches',
    what: 'a batch of 3, and a batch of 5 with one B, at 33×65×47',
    of: asking([
      { ...ODD, batch: 3 },
      { ...ODD, batch: 5, b: { shared: true } },
    ]),
  },
  {
    name: 'poison',
    what: 'NaN in D and C beforehand with beta 0, at 33×65×47 and for a column',
    of: asking([ODD, { ...ODD, n: 1 }], { before: 'nan', poisonsC: true }),
  },
  {
    name: 'special',
    what: 'a NaN and an infinity in A at 33×65×47: they must reach their rows, and nothing else may change',
    of: once((grader, [first]) => ({
      grader: { ...grader, passes: (compared) => inTheirPlaces(compared) && grader.passes(finite(compared)) },
      asks: [Number.NaN, Number.POSITIVE_INFINITY].map((value) => ({
        ...{ ...first, times: 1, wanted: ODD },
        special: [31, 63, value] as const,
      })),
    })),
  },
  {
    name: 'ten-times',
    what: 'its first product ten times',
    of: once((grader, own) => ({
      grader,
      asks: some(own)
        .slice(0, 1)
        .map((ask) => ({ ...ask, times: 10 })),
    })),
  },
  {
    name: 'integers',
    what: 'its own shapes, at most 64 of them, with whole numbers from −3 to 3, every entry equal',
    of: once((grader, own) => ({
      grader: { ...grader, passes: equal, reference: 'binary64', rounds: false },
      asks: some(own).map((ask) => ({ ...ask, wanted: wholeFactors(ask.wanted), fill: integers(-3, 3) })),
    })),
  },
  {
    name: 'componentwise',
    what: 'its own products, at most 64 of them, each error at most 2(k + 3)·u·|A||B|',
    of: once((grader, own) => ({
      grader: { ...grader, passes: componentwise, reference: 'binary64', rounds: false },
      asks: some(own),
    })),
  },
]);
