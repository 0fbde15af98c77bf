import { expect, test } from 'vitest';
import { cpuJudge } from '../../properties/cpu-judge.ts';
import { itWhole } from '../base/in-short.testing.ts';
import { builtinItems } from '../evidence/items.ts';
import { noCases } from '../fuzz/messages.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { eachEntry } from '../kernels/whole-gemm.testing.ts';
import { applyClaims } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { type Case, parseCase } from '../problem/case.ts';
import { findGroups, groupFailures } from '../run/groups/group-failures.ts';
import { withShrunk } from './shrink-example.ts';

/** A kernel that loses the last term where k is above 8 and no multiple of 4. */
const multiply: FunctionKernel<Float32Array>['multiply'] = (a, b, gemm, c, d) => {
  const k = gemm.k > 8 && gemm.k % 4 !== 0 ? gemm.k - 1 : gemm.k;
  eachEntry(a, b, { ...gemm, k }, c.slice(), (entry, place) => {
    d[place(gemm.d)] = entry;
  });
  return d;
};

const spec = { name: 'mine', accepts: 'everything', multiply } as const;
const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
const judge = cpuJudge(() => kernel);

async function groups() {
  const texts = [30, 31, 32, 33, 40].map((k) => `kernel=mine;m=20;k=${k};n=17;alpha=2;a=t+3;input=uniform`);
  const judged = await judge.judge(texts.map((text) => parseCase(text)));
  return groupFailures(judged.map(({ result }) => result));
}

test('the example of a group is made as small as it fails', async () => {
  const [group] = await withShrunk(await groups(), { judge, stop: () => false });
  expect(group.failing).toBe(3);
  expect(parseCase(group.smallerExample?.case ?? '').problem).toMatchObject({ m: 1, k: 9, n: 1, alpha: 1 });
  expect(group.smallerExample?.reason).toContain('the last term of k is missing');
  expect(group.smallerExample?.replay).toContain(group.smallerExample?.case);
  expect(group.smallerExample?.excerpt).toMatchObject({ row: 0, col: 0, found: [[expect.any(Number)]] });
});

test('a case in which the kernel throws is made smaller too', async () => {
  const throws: FunctionKernel<Float32Array>['multiply'] = (a, b, gemm, c, d) => {
    if (gemm.k > 8) throw new Error('tile too large');
    return multiply(a, b, gemm, c, d) as Float32Array;
  };
  const one = { name: 'mine', accepts: 'everything', multiply: throws } as const;
  const kernel = externalKernel(one, openFunctionKernel(one), applyClaims(singlePrecision));
  const judge = cpuJudge(() => kernel);
  const judged = await judge.judge([parseCase('kernel=mine;m=20;k=30;n=17;input=uniform')]);
  const [group] = await withShrunk(groupFailures(judged.map(({ result }) => result)), {
    judge,
    stop: () => false,
  });
  expect(parseCase(group.smallerExample?.case ?? '').problem).toMatchObject({ m: 1, k: 9, n: 1 });
});

test('a smaller case that fails only after others is no example, since its replay would pass', async () => {
  const whole: FunctionKernel<Float32Array>['multiply'] = (a, b, gemm, c, d) => {
    eachEntry(a, b, gemm, c.slice(), (entry, place) => {
      d[place(gemm.d)] = entry;
    });
    return d;
  };
  const honest = { ...spec, multiply: whole };
  const right = cpuJudge(() =>
    externalKernel(honest, openFunctionKernel(honest), applyClaims(singlePrecision)),
  );
  let isSpoiled = true;
  const stateful = {
    ...{ items: judge.items, kernel: judge.kernel.bind(judge) },
    renew: async () => {
      isSpoiled = false;
    },
    one: (value: Case) => {
      const used = isSpoiled || value.problem.m === 20 ? judge : right;
      isSpoiled = true;
      return used.one(value);
    },
  };
  const [group] = await withShrunk(await groups(), { judge: stateful, stop: () => false });
  expect(group).not.toHaveProperty('smallerExample');
});

itWhole('nothing is tried once time is up, and no more than is allowed', async () => {
  const all = await groups();
  expect(await withShrunk(all, { judge, stop: () => true })).toEqual(all);
  const [group] = await withShrunk(all, { judge, stop: () => false, most: 2 });
  expect(parseCase(group.smallerExample?.case ?? group.example).problem.k).toBeGreaterThan(9);
});

itWhole('an example stays with its own bug, however much smaller those of others are', async () => {
  // Odd n flip the sign of the first entry. Sums of more than 64 terms lose it.
  const twice: FunctionKernel<Float32Array>['multiply'] = (a, b, gemm, c, d) => {
    eachEntry(a, b, gemm, c.slice(), (entry, place) => {
      d[place(gemm.d)] = entry;
    });
    d[0] = gemm.n % 2 === 1 ? -d[0] : gemm.k > 64 ? 0 : d[0];
    return d;
  };
  const two = { name: 'mine', accepts: {}, multiply: twice } as const;
  const faulty = cpuJudge(() => externalKernel(two, openFunctionKernel(two), applyClaims(singlePrecision)));
  const texts = Array.from({ length: 60 }, (_, at) => {
    const [m, k, n] = [
      3 + ((7 * at) % 5),
      2 + ((5 * at) % 7) + (at % 5 === 3 ? 70 : 0),
      4 + ((11 * at) % 60),
    ];
    return `kernel=mine;m=${m};k=${k};n=${n};input=integers;seed=${at + 1}`;
  });
  const judged = await faulty.judge(texts.map((text) => parseCase(text)));
  const { groups: found, bounds } = findGroups(judged.map(({ result }) => result));
  const shrunk = await withShrunk(found, { judge: faulty, stop: () => false, bounds });
  const examples = shrunk.map(({ rule, looksLike, smallerExample: smaller, example }) => {
    const { k, n } = parseCase(smaller?.case ?? example).problem;
    return { rule, cause: looksLike?.cause, k, n };
  });
  expect(examples).toEqual([
    { rule: ['odd n'], cause: 'sign', k: 1, n: 1 },
    { rule: ['k ≥ 72'], cause: 'zero', k: 65, n: 4 },
  ]);
});

test('a machine that is lost meanwhile leaves groups as they are', async () => {
  const all = await groups();
  const lost = {
    ...{ items: builtinItems, kernel: async () => kernel, renew: async () => {} },
    one: () => Promise.reject(noCases()),
  };
  expect(await withShrunk(all, { judge: lost, stop: () => false })).toEqual(all);
});
