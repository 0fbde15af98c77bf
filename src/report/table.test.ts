import { expect, it } from 'vitest';
import {
  columnsOf,
  countCell,
  digitsCell,
  firstRows,
  sayCell,
  shareCell,
  tallyCell,
  tonedCell,
} from './table.ts';

it.each([
  ['words', 'words'],
  [tonedCell('fail', 'bad'), 'fail'],
  [countCell(4096), '4096'],
  [countCell(undefined), '–'],
  [tallyCell(0, 'bad'), '0'],
  [digitsCell(0.0123456), '0.0123'],
  [digitsCell(12.3456, 4), '12.35'],
  [shareCell(0.5), '50.0 %'],
  [shareCell(9.99), '999.0 %'],
  [shareCell(17_000), '10⁴ times'],
  [shareCell('Infinity'), '∞ %'],
  [{ value: 6.1234e-7, as: 'exponent' }, '6.12e-7'],
  [{ value: 'NaN', as: 'exponent' }, 'NaN'],
  [{ value: 0.00321, as: 'seconds' }, '3.21 ms'],
  [{ value: 200, as: 'seconds' }, '3 min 20 s'],
] as const)('says %j as %s', (cell, text) => {
  expect(sayCell(cell)).toBe(text);
});

it('tells how many rows it leaves out, and a tone only of what there is', () => {
  const table = { title: '', columns: columnsOf('text', 'a'), rows: [['1'], ['2'], ['3']], note: 'note' };
  expect(firstRows(table, 3)).toBe(table);
  const first = firstRows(table, 1);
  expect(first.rows).toEqual([['1']]);
  expect(first.note).toBe('… and 2 more rows; the results file has them all.\nnote');
  expect([tallyCell(0, 'bad').tone, tallyCell(1, 'bad').tone]).toEqual(['faint', 'bad']);
});
