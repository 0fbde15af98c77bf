import { expect, it } from 'vitest';
import type { CaseResult } from '../../evidence/case-result.ts';
import { precisionTable } from './precisions.ts';

const result = (precision: string, verdict: CaseResult['verdict'], equalsModel?: boolean) =>
  ({ precision, verdict, equalsModel }) as CaseResult;

it('has a row for each precision, with the results that equal the mirror of those compared', () => {
  const cases = [
    result('nvfp4', 'pass', true),
    result('int8-i32', 'fail', false),
    result('nvfp4', 'inconclusive'),
    result('int8-i32', 'pass', true),
  ];
  expect(
    precisionTable(cases).rows.map((row) =>
      row.map((cell) => (typeof cell === 'object' ? cell?.value : cell)),
    ),
  ).toEqual([
    ['nvfp4', 2, 1, 0, 1, '1/1'],
    ['int8-i32', 2, 1, 1, 0, '1/2'],
  ]);
  expect(precisionTable(cases.slice(0, 1)).rows).toEqual([]);
});
