import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Bars } from '../../report/figure.ts';
import { readResults } from '../read-results.ts';
import { histogramFigure } from './error-map.ts';

const example = 'share/schemas/results.example.json';
const [result] = readResults(readFileSync(new URL(`../../../${example}`, import.meta.url), 'utf8'), example)
  .cases as [CaseResult];

const barsOf = (width: number, counts: number[]) =>
  histogramFigure(result, { width, counts }).series.find(({ draw }) => draw === 'bars') as Bars;

it.each([0.25, 0.5, 2])('bars of %f sigmas have the area 1, as the density beside them', (width) => {
  const { marks } = barsOf(width, [3, 0, 40, 17, 2]);
  expect(marks.reduce((area, { y }) => area + Number(y) * width, 0)).toBeCloseTo(1, 12);
});

it('bars of no entry have no height', () => {
  expect(barsOf(0.5, [0, 0]).marks.map(({ y }) => y)).toEqual([0, 0]);
});
