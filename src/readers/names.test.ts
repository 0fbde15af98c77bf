import { expect, test } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { compile, type PlanOptions } from '../plan/compile.ts';
import { nameStep } from './names.ts';

const lines = (options: Omit<PlanOptions, 'algorithm'>) =>
  compile({ algorithm: findAlgorithm('strassen'), ...options }).steps.flatMap((step) => nameStep(step).lines);

const odd = { m: 9, k: 11, n: 13 };

test('steps of a schedule are its lines', () => {
  const { schedule = [] } = findAlgorithm('strassen');
  expect(lines({ shape: { m: 8, k: 8, n: 8 }, depth: { levels: 1 } })).toEqual(schedule.flat());
});

test('without levels, the whole matrices', () => {
  expect(lines({ shape: odd })).toEqual(['C = A * B']);
});

test('thin products of peeling say what they complete', () => {
  expect(lines({ shape: odd, depth: { levels: 1 }, fringe: 'peel' }).slice(-3)).toEqual([
    'core of C += A * B',
    'right fringe of C = A * B',
    'bottom fringe of C = A * B',
  ]);
});

test('fused products are rows of the table, in parts of what they multiply', () => {
  const fused = lines({ shape: odd, depth: { levels: 1 }, style: 'fused' });
  expect(fused).toContain('M4 = A22 * (-B11 + B21)');
  expect(fused).toContain('C11 -= M5');
  const scaled = { style: 'fused', scaling: { alpha: 2, beta: 0.5 } } as const;
  const [first, target] = lines({ shape: odd, depth: { levels: 1 }, ...scaled });
  expect(first).toBe('M1 = 2 * (A11 + A22) * (B11 + B22)');
  expect(target).toBe('C11 = 0.5 * C11 + M1');
});

test('products that are added in any order begin with what C is before', () => {
  const shape = { m: 4, k: 4, n: 4 };
  const start = (scaling?: PlanOptions['scaling']) =>
    lines({ shape, depth: { levels: 1 }, style: 'atomic', ...(scaling && { scaling }) }).slice(0, 3);
  expect(start()).toEqual(['C = 0', 'M1 = (A11 + A22) * (B11 + B22)', 'C11 += M1']);
  expect(start({ alpha: 1, beta: 0.5 })[0]).toBe('C = 0.5 * C');
});
