import { expect, it } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { type ComputedCell, judgeComputed, type TableNumbers } from '../computed-cells.ts';
import published from '../published/mary-2025.json' with { type: 'json' };
import { benson2015 } from './benson-2015.ts';
import { dumas2025 } from './dumas-2025.ts';
import { mary2025, narrowRangeError } from './mary-2025.ts';

const none: TableNumbers = { rank: 0, nonzeros: 0, norms: 0, outputExponent: 0 };
const cellsOf = ({ errors }: typeof mary2025): readonly ComputedCell[] => errors?.computed?.() ?? [];

it('asks for every number once, and fails where tables say something else', () => {
  for (const study of [dumas2025, benson2015]) {
    const cells = cellsOf(study);
    const keys = cells.map(({ row, column }) => `${row} ${column}`);
    expect(new Set(keys).size).toBe(keys.length);
    const judged = judgeComputed(cells, { maxSize: 1, tableOf: () => none });
    expect(judged.filter(({ cell }) => cell.status === 'close')).toEqual([]);
  }
});

itWhole('finds the printed errors of short products among its own, and not those of another format', () => {
  const cells = cellsOf(mary2025).filter(({ n = 0 }) => n <= 257);
  const options = { maxSize: 257, tableOf: () => none };
  const judged = judgeComputed(cells, options);
  expect(judged.filter(({ cell }) => cell.status === 'close').length).toBeGreaterThan(0.85 * cells.length);
  expect(judged.some(({ unexplained }) => unexplained)).toBe(false);
  const confused = cells.map((cell, at) => ({ ...cell, compute: cells[cells.length - 1 - at].compute }));
  expect(judgeComputed(confused, options).some(({ unexplained }) => unexplained)).toBe(true);
});

itWhole('has errors that fall with n, and of more bits smaller ones', () => {
  const at = (name: 'e4m3' | 'e5m2' | 'f16', n: number) => narrowRangeError(name, n).value;
  expect(at('e4m3', 1125)).toBeLessThan(at('e4m3', 43));
  expect(at('f16', 142)).toBeLessThan(at('e4m3', 142) / 20);
  expect(at('e4m3', 142)).toBeLessThan(at('e5m2', 142));
  for (const name of ['e4m3', 'e5m2', 'f16'] as const)
    expect(published.errors[name]).toHaveLength(published.sizes.length);
});
