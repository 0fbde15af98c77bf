import { algorithms } from '../../src/algorithms/algorithms.ts';
import type { CaseResult } from '../../src/evidence/case-result.ts';
import { editKinds } from '../../src/inputs/edits/edits.ts';
import { inputRegistry } from '../../src/inputs/inputs.ts';
import { features } from '../../src/matrix/features.ts';
import type { Case } from '../../src/problem/case.ts';
import { toGemm } from '../../src/problem/gemm-of.ts';
import { coded, numeric } from './sum-cases.ts';
import { honestTraits } from './traits.ts';
import { honestWays } from './ways.ts';

/** The coverage of one kind of item: how many cases used each, and their verdicts. */
export interface ItemCoverage {
  /** The kind in the plural: `precisions`. */
  readonly of: string;
  readonly met: readonly Met[];
  /** Names of items that no case used. */
  readonly unmet: readonly string[];
}

interface Met {
  readonly name: string;
  readonly cases: number;
  readonly pass: number;
  readonly undecided: number;
}

/** A kind of item to count: its names, and those that a case uses. */
interface Counted {
  readonly of: string;
  readonly all: () => readonly string[];
  readonly in: (value: Case) => readonly string[];
}

const named = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

const counted: readonly Counted[] = [
  { of: 'precisions', all: () => named([...numeric, ...coded]), in: ({ problem }) => [problem.precision] },
  { of: 'families', all: () => named(inputRegistry.items), in: ({ problem }) => [problem.input] },
  {
    of: 'edits',
    all: () => named(editKinds),
    in: ({ problem }) =>
      problem.edit === 'none' ? [] : problem.edit.split(',').map((text) => text.split(':')[0]),
  },
  {
    of: 'features',
    // These kernels take neither general strides nor lists of addresses.
    all: () => features.flatMap(({ key, what }) => (key === 'strides' || key === 'addresses' ? [] : [what])),
    in: ({ problem }) => {
      const gemm = toGemm(problem);
      return features.filter(({ needs }) => needs(gemm)).map(({ what }) => what);
    },
  },
  {
    of: 'algorithms and orders of summation',
    all: () => [...named(algorithms), ...honestWays.map(({ name }) => `sum-${name}`)],
    in: ({ kernel }) => {
      const [base] = kernel.split('+');
      if (base.startsWith('sum-')) return ['classical', base];
      return named(algorithms).filter((name) => [':', '-'].some((end) => base.startsWith(`${name}${end}`)));
    },
  },
  {
    of: 'other claims',
    all: () => [...new Set(named(honestTraits)), 'unclaimed'],
    in: ({ kernel }) => kernel.split('+').slice(1),
  },
];

/** Counts the items that cases use. */
export class HonestCoverage {
  private readonly sums = counted.map(
    () => new Map<string, { cases: number; pass: number; undecided: number }>(),
  );

  add(value: Case, { verdict }: Pick<CaseResult, 'verdict'>): void {
    for (const [at, one] of counted.entries()) {
      for (const name of new Set(one.in(value))) {
        const own = this.sums[at].get(name) ?? { cases: 0, pass: 0, undecided: 0 };
        own.cases++;
        if (verdict === 'pass') own.pass++;
        if (verdict === 'inconclusive') own.undecided++;
        this.sums[at].set(name, own);
      }
    }
  }

  get found(): ItemCoverage[] {
    return counted.map(({ of, all }, at) => {
      const names = all();
      const sums = this.sums[at];
      return {
        of,
        met: names.flatMap((name) => {
          const own = sums.get(name);
          return own === undefined ? [] : [{ name, ...own }];
        }),
        unmet: names.filter((name) => !sums.has(name)),
      };
    });
  }
}
