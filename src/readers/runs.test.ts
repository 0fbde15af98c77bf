import { describe, expect, it } from 'vitest';
import { classical } from '../algorithms/classical.ts';
import { winograd } from '../algorithms/strassen.ts';
import { uniform } from '../inputs/uniform.ts';
import { compile } from '../plan/compile.ts';
import { assumed } from '../precision/arithmetic.ts';
import { singleComputation, singlePrecision } from '../precision/single.ts';
import { aPriori } from './a-priori.ts';
import { analyze } from './analysis.ts';
import { leafErrors } from './leaf-sums.ts';
import { runModel } from './model.ts';

const u = 2 ** -24;
const computation = singleComputation(assumed);

describe('products that are summed in runs', () => {
  it('are the sums of the products of the runs, one after the other', () => {
    const shape = { m: 3, k: 70, n: 5 };
    const { a, b } = uniform.generate({ ...shape, levels: 0, seed: 1, precision: singlePrecision });
    const part = (from: number, k: number) => ({
      a: { rows: 3, cols: k, data: a.data.filter((_, e) => e % 70 >= from && e % 70 < from + k) },
      b: { rows: k, cols: 5, data: b.data.slice(from * 5, (from + k) * 5) },
    });
    const parts = [part(0, 32), part(32, 32), part(64, 6)].map(({ a, b }) => {
      const plan = compile({ algorithm: classical, shape: { m: 3, k: a.cols, n: 5 } });
      return runModel(plan, a, b, computation).data;
    });
    const sum = parts.reduce((sum, part) => sum.map((x, e) => Math.fround(x + part[e])));
    expect(runModel(compile({ algorithm: classical, shape, run: 32 }), a, b, computation).data).toEqual(sum);
  });

  it('err as two stages of sums do: k·r/2 + k²/2r in place of k²/2', () => {
    const [one, runs] = [leafErrors(computation, 2048), leafErrors(computation, 2048, 256)];
    expect(Math.sqrt(one.terms * 2048) / u).toBeCloseTo(1449, 0);
    expect(Math.sqrt(runs.terms * 2048) / u).toBeCloseTo(522, 0);
    expect(runs.loss / u).toBeCloseTo(256 + 7, 1);
  });

  it('are bounded by that, in every plan', () => {
    const shape = { m: 16, k: 512, n: 16 };
    const { a, b } = uniform.generate({ ...shape, levels: 1, seed: 1, precision: singlePrecision });
    for (const [algorithm, levels] of [
      [classical, 0],
      [winograd, 1],
    ] as const) {
      const planned = (run?: number) => compile({ algorithm, shape, depth: { levels }, style: 'wide', run });
      const [one, runs] = [planned(), planned(16)].map((plan) => analyze(plan, a, b, computation));
      const largest = (of: { readonly data: ArrayLike<number> }) => Math.max(...Array.from(of.data));
      expect(largest(runs.bound)).toBeLessThan(largest(one.bound) / 3);
      expect(largest(runs.sigma)).toBeLessThan(largest(one.sigma) / 2);
      expect(aPriori(planned(16), u).factor).toBeLessThan(aPriori(planned(), u).factor / 3);
    }
  });
});
