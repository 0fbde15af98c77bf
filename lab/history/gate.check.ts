import { describe, expect, test } from 'vitest';
import { some } from '../../properties/some.ts';
import { whyNotComputed } from '../../src/kernels/check-kernel.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { batchLengthOf, extentsOf, type Gemm, storedLinesOf } from '../../src/matrix/gemm.ts';
import { readRunFactor } from '../../src/vitest/check-law.ts';
import { certainties, type HistoricBug, historyHalves } from './rates.ts';

/** A product of a record, with the sizes and layouts of its thread. */
interface Asked {
  /** The value of all entries of A, and of B; random if absent. */
  readonly values?: number;
  readonly right?: number;
  /** The place of a NaN in A. */
  readonly nan?: number;
  /** True if B has the entries of A. */
  readonly same?: boolean;
}

interface Recorded extends HistoricBug {
  readonly fails: readonly Asked[];
  readonly holds: readonly Asked[];
  /** The number of calls, for a kernel that is wrong only sometimes. @defaultValue 1 */
  readonly calls?: number;
  /** The event that must precede the call. */
  readonly after?: 'reused' | 'poisoned' | 'beside';
  /** Operands and the wrong product, as in the thread. */
  readonly told?: { readonly of: Asked; readonly [name: string]: unknown };
  /** Numbers of rows of the products of grouped calls. */
  readonly groups?: { readonly fails: readonly number[][]; readonly holds: readonly number[][] };
}

const fixture = (name: string) => new URL(`../../fixtures/history/${name}.js`, import.meta.url).href;
const { bugs }: { readonly bugs: readonly Recorded[] } = await import(fixture('bugs'));
const { gemmOf }: { gemmOf(asked: Asked): Gemm } = await import(fixture('honest'));

/** Makes the operands of a call: NaN in the gaps, and in a C that must not be read; elsewhere values from 1 to 2 that use all bits. */
function operandsOf(gemm: Gemm, precision: string | undefined, { values, right, nan, same }: Asked) {
  const extents = extentsOf(gemm);
  const made = (name: 'a' | 'b' | 'c' | 'd', seed: number, value?: number) => {
    const { ld, offset } = gemm[name];
    const used = storedLinesOf(gemm[name], extents[name]).entries;
    const length = batchLengthOf(gemm[name], extents[name], gemm.batch);
    const entries = precision === 'f64' ? new Float64Array(length) : new Float32Array(length);
    for (let at = 0, state = seed; at < length; at++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      entries[at] = (at - offset) % ld < used ? (value ?? 1 + state / 2 ** 32) : Number.NaN;
    }
    return entries as Float32Array;
  };
  const c = made('c', 3, gemm.beta === 0 ? Number.NaN : undefined);
  const a = made('a', 1, values);
  if (nan !== undefined) a[nan] = Number.NaN;
  const d = gemm.d === gemm.c ? c.slice() : made('d', 3);
  return { a, b: same === true ? a.slice() : made('b', 2, right), c, d: d.fill(-7) };
}

function same(x: ArrayLike<number>, y: ArrayLike<number>): boolean {
  for (let at = 0; at < y.length; at++) if (!Object.is(x[at], y[at])) return false;
  return x.length === y.length;
}

type Multiply = FunctionKernel['multiply'];

/** True if a kernel gives the result of its correct counterpart, which is called once. */
async function isHonest({ kernel, honest, calls = 1, after }: Recorded, asked: Asked, isAfter: boolean) {
  const gemm = gemmOf(asked);
  const given = () => operandsOf(gemm, kernel.precision, asked);
  const by = (multiply: Multiply, { a, b, c, d }: ReturnType<typeof given>) => multiply(a, b, gemm, c, d);
  const one = given();
  if (isAfter) await prepared[after as keyof typeof prepared](kernel, one);
  const expected = await by(honest, { ...given(), b: one.b.slice() });
  for (let call = 0; call < calls; call++) {
    const [answer] = await Promise.all([
      by(kernel.multiply, { ...given(), b: one.b }),
      ...(isAfter && after === 'beside'
        ? [by(kernel.multiply, { ...given(), b: one.b.map((x) => -x) })]
        : []),
    ]);
    if (!same(answer, expected)) return false;
  }
  return true;
}

/** Events that trigger kernels with state. */
const prepared = {
  async reused(kernel: FunctionKernel, { a, b, c, d }: { [name in 'a' | 'b' | 'c' | 'd']: Float32Array }) {
    const gemm = gemmOf({ m: 4, k: 5, n: 6 } as Asked);
    await kernel.multiply(a, b, gemm, c, d.slice());
    b.fill(2);
  },
  async poisoned(kernel: FunctionKernel) {
    const gemm = gemmOf({ m: 1, k: 8, n: 1 } as Asked);
    const { a, b, c, d } = operandsOf(gemm, 'f32', { right: Number.POSITIVE_INFINITY });
    await kernel.multiply(a, b, gemm, c, d);
  },
  async beside() {},
};

/** True if the products of a group equal those of the correct counterpart, one by one. @param rows the number of rows of each product */
async function isHonestInGroups({ kernel, honest }: Recorded, rows: readonly number[]) {
  const list = rows.map((m) => {
    const gemm = gemmOf({ m, k: 5, n: 6 } as Asked);
    return { gemm, ...operandsOf(gemm, kernel.precision, {}) };
  });
  const expected = list.map(({ a, b, gemm, c, d }) => honest(a, b, gemm, c, d.slice()));
  const answers = (await kernel.multiplyGroup?.(list)) ?? [];
  return answers.every((answer, at) => same(answer, expected[at] as Float32Array));
}

/** The cost of a product: its multiplications and entries. */
function costOf(asked: Asked): number {
  const { m, k, n, batch } = gemmOf(asked);
  return batch * (m * k * n + m * n);
}

const isSmall = (asked: Asked) => costOf(asked) < 2 ** 19;

/** True for records whose bug needs a large product; only one in ten of these is tried. */
const isLong = ({ fails }: Recorded) => fails.length > 0 && Math.min(...fails.map(costOf)) >= 2 ** 22;
const sampled = new Set(some(bugs.filter(isLong), 10));
const asksAll = readRunFactor() >= 5;
const isAsked = (one: Recorded, asked: Asked) =>
  asksAll || (isLong(one) ? sampled.has(one) : costOf(asked) < 2 ** 22);

describe('the bugs of history', () => {
  test('are at least 100 of as many threads and of many projects in two halves, each told in full', () => {
    expect(bugs.length).toBeGreaterThanOrEqual(100);
    for (const part of historyHalves) {
      expect(bugs.filter(({ half }) => half === part).length).toBeGreaterThanOrEqual(34);
    }
    expect(new Set(bugs.map(({ issue }) => issue)).size).toBe(bugs.length);
    expect(new Set(bugs.map(({ project }) => project)).size).toBeGreaterThan(20);
    for (const { id, issue, what, trigger, where, sure, kernel } of bugs) {
      expect(kernel.name).toBe(id);
      expect(issue).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+$/);
      expect(id).toMatch(new RegExp(`^[a-z][a-z-]*-${issue.split('/').at(-1)}$`));
      expect(what).toMatch(/^\S.* .*\.$/);
      expect([trigger, where].join()).not.toMatch(/\.,|\.$/);
      expect(certainties).toContain(sure);
    }
  });

  test.each(bugs.map((one) => [one.id, one] as const))(
    '%s is wrong where its thread says so',
    async (_, one) => {
      const { fails, holds, after, groups = { fails: [], holds: [] } } = one;
      expect(fails.length + groups.fails.length).toBeGreaterThan(0);
      for (const asked of holds.filter((each) => readRunFactor() > 1 || isSmall(each))) {
        expect([asked, await isHonest(one, asked, false)]).toEqual([asked, true]);
      }
      for (const rows of groups.holds) expect(await isHonestInGroups(one, rows)).toBe(true);
      for (const asked of fails.filter((each) => isAsked(one, each))) {
        expect([asked, await isHonest(one, asked, after !== undefined)]).toEqual([asked, false]);
      }
      for (const rows of groups.fails) expect(await isHonestInGroups(one, rows)).toBe(false);
    },
  );
});

test('each accepts a product that shows it, as else nobody could ask for one', () => {
  const unasked = bugs.filter(({ fails, groups, kernel }) => {
    const refused = fails.map((asked) => whyNotComputed(kernel, gemmOf(asked)));
    return groups === undefined && refused.every((why) => why !== undefined);
  });
  expect(unasked.map(({ id, fails, kernel }) => [id, whyNotComputed(kernel, gemmOf(fails[0]))])).toEqual([]);
});

const told = bugs.flatMap(({ id, kernel, told }) =>
  told === undefined ? [] : [[id, kernel, told] as const],
);
test.each(told)('%s gives the very numbers of its thread', async (_, kernel, { of, ...shown }) => {
  const gemm = gemmOf(of);
  const [a, b, d] = ['a', 'b', 'd'].map((name) => {
    const numbers = shown[name] as number[];
    return (kernel.precision === 'f64' ? Float64Array : Float32Array).from(numbers) as Float32Array;
  });
  const found = await kernel.multiply(a, b, gemm, d.slice().fill(Number.NaN), d.slice());
  expect(Math.max(...found.map((entry, at) => Math.abs(entry - d[at])))).toBeLessThan(1e-6);
});
