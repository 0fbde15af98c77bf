import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Algorithm, levelsWithin } from '../src/algorithms/algorithm.ts';
import { algorithms } from '../src/algorithms/algorithms.ts';
import { brentViolations } from '../src/algorithms/brent.ts';
import { scheduleFromTable } from '../src/algorithms/schedule.ts';
import { scheduleFaults } from '../src/algorithms/verify-schedule.ts';
import { seeded } from '../src/base/random.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { compile } from '../src/plan/compile.ts';
import { caseOf } from '../src/problem/case.ts';
import { type Fringe, fringes } from '../src/problem/method.ts';
import { runMirror } from '../src/readers/mirror.ts';
import { expand, seeds, shapes } from './arbitraries.ts';
import { expectSameNumbers } from './compare.ts';
import { law } from './law.ts';
import { NEAREST } from './simulated-device.ts';

/**
 * The law: a table satisfies the Brent equations if and only if it multiplies matrices, so every algorithm's does,
 * every equivalent table does, and no table that differs in one coefficient does.
 *
 * Why: the equations say that the trilinear form Σ_r u_r(A)·v_r(B)·w_r(C) is the trace of A·B·Cᵀ. Reordering the
 * products, changing two signs of one, renumbering rows, columns and inner indices of the blocks, and
 * transposing, (AB)ᵀ = BᵀAᵀ, keep the form. One changed coefficient adds δ·e⊗v_r⊗w_r (or alike), which is not 0
 * because no row of a table is 0.
 */

/** A symmetry of matrix multiplication, applied to a table of square blocks; drawn from one seed. */
function equivalent({ schedule: _schedule, ...bare }: Algorithm, seed: number): Algorithm {
  const random = seeded(seed);
  const { m, k, n } = bare.base;
  const order = random.permutation(bare.u.length);
  const [rows, inner, cols] = [m, k, n].map((size) => random.permutation(size));
  const renumber = (row: readonly number[], from: Uint32Array, to: Uint32Array, sign: number) =>
    row.map((_, at) => sign * row[from[Math.floor(at / to.length)] * to.length + to[at % to.length]] + 0);
  const renumbered = Array.from(order, (r) => {
    const [p, q] = [random.sign(), random.sign()];
    return {
      u: renumber(bare.u[r], rows, inner, p),
      v: renumber(bare.v[r], inner, cols, q),
      w: renumber(bare.w[r], rows, cols, p * q),
    };
  });
  const flipped = random.sign() > 0;
  const flip = (row: readonly number[], height: number, width: number) =>
    row.map((_, at) => row[(at % height) * width + Math.floor(at / height)]);
  return {
    ...bare,
    base: flipped ? { m: n, k, n: m } : bare.base,
    u: renumbered.map(({ u, v }) => (flipped ? flip(v, k, n) : u)),
    v: renumbered.map(({ u, v }) => (flipped ? flip(u, m, k) : v)),
    w: renumbered.map(({ w }) => (flipped ? flip(w, m, n) : w)),
  };
}

describe.each(algorithms.map((algorithm) => [algorithm.name, algorithm] as const))('%s', (_, algorithm) => {
  law('its table, and every equivalent one, satisfies the equations', 100, seeds, (seed) => {
    expect(brentViolations(algorithm)).toEqual([]);
    expect(brentViolations(equivalent(algorithm, seed))).toEqual([]);
  });

  const corruptions = fc.record({
    seed: seeds,
    part: fc.constantFrom('u' as const, 'v' as const, 'w' as const),
    row: fc.nat(algorithm.u.length - 1),
    column: fc.nat(),
    by: fc.constantFrom(-2, -1, 1, 2),
  });
  law('one changed coefficient violates them', 200, corruptions, ({ seed, part, row, column, by }) => {
    const sound = equivalent(algorithm, seed);
    const table = sound[part].map((values, r) =>
      values.map((value, c) => (r === row && c === column % values.length ? value + by : value)),
    );
    expect(brentViolations({ ...sound, [part]: table })).not.toEqual([]);
  });

  const products = fc.record({
    seed: seeds,
    levels: fc.nat(levelsWithin(algorithm, 100)),
    fringe: fc.constantFrom<Fringe>(...fringes),
    shape: shapes(13),
  });
  law(
    'every equivalent table multiplies integers exactly',
    100,
    products,
    ({ seed, levels, fringe, shape }) => {
      const table = equivalent(algorithm, seed);
      const made = { ...table, schedule: scheduleFromTable(table) };
      expect(scheduleFaults(made)).toEqual([]);
      const plan = compile({ algorithm: made, shape, depth: { levels }, fringe });
      const how = { kernel: algorithm.name, levels, fringe };
      const { a, b } = expand(caseOf({ ...how, ...shape, input: 'integers', seed }));
      expectSameNumbers(runMirror(plan, a, b, NEAREST), exactProduct(a, b).product);
    },
  );
});
