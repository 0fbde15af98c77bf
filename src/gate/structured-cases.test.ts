import { expect, test } from 'vitest';
import { builtinCaseItems } from '../kernels/case-items.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { caseOf } from '../problem/case.ts';
import { whyUnfit } from '../problem/fit-structure.ts';
import { asGeneral, withStructures } from './structured-cases.ts';

const kernel = (structure?: string): FunctionKernel => ({
  ...{ name: 'mine', multiply: (_, __, ___, c) => c },
  accepts: structure === undefined ? {} : { structure },
});

const planned = Array.from({ length: 30 }, (_, at) => ({
  ...caseOf({
    kernel: 'mine',
    m: 1 + at,
    k: 1 + (at % 7),
    n: 40 - at,
    input: at % 9 === 0 ? 'special-values' : 'uniform',
  }),
  series: at === 5,
}));
const given = (structure?: string) => withStructures(planned, kernel(structure), 1, builtinCaseItems);

test('a kernel of general products alone keeps its cases', () => {
  expect(given()).toEqual(planned);
  expect(given('general')).toEqual(planned);
  const own = kernel();
  expect(asGeneral(own)).toBe(own);
});

test('a kernel of structures alone gets every case in one of them, without special values and series', () => {
  const cases = given('syrk-*|trmm-left-lower');
  expect(cases).toHaveLength(planned.length);
  expect(new Set(cases.map(({ problem }) => problem.structure)).size).toBe(3);
  for (const { problem, series } of cases) {
    expect(whyUnfit(problem)).toBe(undefined);
    expect([problem.input, series]).toEqual(['uniform', false]);
  }
});

test('a kernel of both gets copies of some cases', () => {
  const cases = given('general|symm-*');
  expect(cases.filter(({ problem }) => problem.structure === 'general')).toEqual(planned);
  expect(cases.length).toBeGreaterThan(planned.length + 3);
  expect(cases.length).toBeLessThan(planned.length + 20);
});

test('a long line becomes no large square', () => {
  const long = { ...caseOf({ kernel: 'mine', m: 30_000, k: 1, n: 2 }), series: false };
  const [{ problem }] = withStructures([long], kernel('syrk-lower'), 1, builtinCaseItems);
  expect([problem.m, problem.k, problem.n]).toEqual([2, 1, 2]);
});
