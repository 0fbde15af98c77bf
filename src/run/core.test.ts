import { expect, it } from 'vitest';
import { caseOf, changeCase } from '../problem/case.ts';
import { CORE, orderPlanned } from './core.ts';
import type { PlannedCase } from './planned-case.ts';

const cube = (size: number, fields: Parameters<typeof changeCase>[1] = {}, kernel = 'mine'): PlannedCase => ({
  ...changeCase(caseOf({ kernel, m: size, k: size, n: size, input: 'integers' }), fields),
  series: false,
});
const core = (cases: readonly PlannedCase[]) => orderPlanned(cases).filter(({ needed }) => needed === true);
const told = (cases: readonly PlannedCase[]) => cases.map(({ kernel, problem: { m } }) => `${kernel} ${m}`);

it('has a case of each pair of size classes of each kernel', () => {
  const plan = [cube(300), cube(20), cube(22), cube(5), cube(310), cube(1), cube(9, {}, 'other')];
  expect(told(core(plan)).toSorted()).toEqual(['mine 1', 'mine 20', 'mine 300', 'mine 5', 'other 9']);
});

it('orders the core and the rest together by what they show, kernels in turn, and omits none', () => {
  const sizes = [300, 20, 22, 5, 310, 1];
  const plan = [...sizes.map((size) => cube(size)), cube(9, {}, 'other'), cube(1, {}, 'other')];
  const ordered = orderPlanned(plan);
  expect(told(ordered).toSorted()).toEqual(told(plan).toSorted());
  expect(ordered.slice(0, 4).map(({ kernel }) => kernel)).toEqual(['mine', 'other', 'mine', 'other']);
  const mine = ordered.filter(({ kernel }) => kernel === 'mine');
  const isSmall = ({ problem: { m } }: PlannedCase) => m <= 22;
  expect(mine.slice(0, 4).every(isSmall)).toBe(true);
  expect(mine.slice(0, 4).some(({ needed }) => needed !== true)).toBe(true);
});

it.each([
  ['a feature', { a: { op: 't', pad: 0, offset: 0, order: 'row' } }],
  ['a factor of 0', { alpha: 0 }],
  ['an input', { input: 'special-values' }],
  ['an edit', { edit: 'minus-zeros' }],
  ['repetition', { repeats: 3 }],
  ['a program', { program: 2 }],
  ['sums that round', { input: 'uniform' }],
] as [string, Parameters<typeof changeCase>[1]][])('has a case with %s', (_, fields) => {
  const plain = Array.from({ length: 9 }, (_, seed) => cube(20, { seed }));
  const special = cube(20, { ...fields, seed: 99 });
  expect(core([...plain, special])).toContainEqual({ ...special, needed: true });
  expect(core(plain)).toHaveLength(1);
});

it('has the size after each power of two in each dimension', () => {
  const beside = [16, 17, 18].map((k) => cube(20, { k }));
  expect(core(beside).map(({ problem: { k } }) => k)).toContain(17);
});

it('keeps marks, counts each kernel by itself, and has a limit', () => {
  const marked = { ...cube(21), needed: true };
  expect(core([cube(20), marked])).toEqual([marked]);
  const many = Array.from({ length: 400 }, (_, at) => cube(20, { edit: `opposed:${at + 1}` }));
  expect(core(many)).toHaveLength(CORE);
});
