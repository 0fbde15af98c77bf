import { expect, it } from 'vitest';
import { syntheticCase } from '../../tests/support/synthetic.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { checksOf, type IndexedCase, inputsOf, makeCaseGrid } from './grid.ts';

const place = { algorithm: 'classical', levels: 0, seed: 1 };
const check = (name: string, status: 'pass' | 'fail' | 'not-applicable') => ({ name, status, message: '' });
const of = (m: number, k: number, n: number, rest: Partial<CaseResult> = {}): CaseResult =>
  syntheticCase({ ...place, input: 'uniform', m, k, n, checks: [check('exact', 'pass')], ...rest });
const placed = (cases: readonly CaseResult[]): IndexedCase[] => cases.map((result, at) => ({ result, at }));

const fail: Partial<CaseResult> = {
  verdict: 'fail',
  checks: [check('exact', 'pass'), check('sigma', 'fail')],
};

it('shows of each shape and input how the worst case stands, and what each check said', () => {
  const cases = placed([of(8, 8, 8), of(8, 8, 8, fail), of(4, 8, 4, { input: 'integers' })]);
  const checks = ['exact', 'sigma', 'drift'];
  const { rows, ...grid } = makeCaseGrid('mine', cases, { checks, inputs: inputsOf(cases) });
  expect(grid).toEqual({ title: 'mine', isClassed: false, inputs: ['uniform', 'integers'] });
  expect(rows.map(({ shape }) => shape)).toEqual(['4×8×4', '8×8×8']);
  expect(rows[0].cells[0]).toBeUndefined();
  expect(rows[1].cells[0]).toEqual({
    ...{ standing: 'fail', cases: 2, worst: 1 },
    ...{ marks: ['pass', 'fail', undefined], places: [1, 0] },
  });
});

it('gathers many shapes by their largest size and by which one stands out', () => {
  const shapes = [
    [0, 4, 4],
    [5, 6, 7],
    [9, 64, 9],
    [60, 9, 60],
    [2000, 60, 9],
    [9, 20, 70],
    ...Array.from({ length: 15 }, (_, at) => [100 + at, 100, 100]),
  ];
  const cases = placed(shapes.map(([m, k, n]) => of(m, k, n)));
  const { rows, isClassed } = makeCaseGrid('mine', cases, { checks: ['exact'], inputs: ['uniform'] });
  expect(isClassed).toBe(true);
  expect(rows.map(({ shape, cells }) => [shape, cells[0]?.cases])).toEqual([
    ['empty', 1],
    ['≤ 8, similar sizes', 1],
    ['≤ 64, long k', 1],
    ['≤ 64, short k', 1],
    ['≤ 256, similar sizes', 15],
    ['≤ 256, many columns', 1],
    ['> 1024, many rows', 1],
  ]);
});

it('puts rare inputs together, and names checks in their order, those of a config last', () => {
  const cases = placed(Array.from({ length: 20 }, (_, at) => of(8, 8, 8, { input: `input-${at}` })));
  const inputs = inputsOf(cases);
  expect(inputs).toHaveLength(15);
  const grid = makeCaseGrid('mine', cases, { checks: ['exact'], inputs });
  expect(grid.inputs.at(-1)).toBe('others');
  expect(grid.rows[0].cells.at(-1)?.cases).toBe(5);
  const own = of(8, 8, 8, { checks: [check('own', 'fail'), check('sigma', 'pass'), check('exact', 'pass')] });
  expect(checksOf([own], ['exact', 'drift', 'sigma'])).toEqual(['exact', 'sigma', 'own']);
});

it('has room for ten checks, and leaves out none that fails', () => {
  const many = Array.from({ length: 14 }, (_, at) => check(`check-${at}`, at === 13 ? 'fail' : 'pass'));
  const checks = checksOf([of(8, 8, 8, { checks: many })], []);
  expect([checks.length, checks.at(-1)]).toEqual([10, 'check-13']);
});
