import { expect, it } from 'vitest';
import { parseEdits } from '../inputs/edits/edits.ts';
import { indicesOf, parseRanges } from '../inputs/edits/zero.ts';
import { type Case, parseCase } from '../problem/case.ts';
import { simplify } from './shrink.ts';

const START = parseCase('kernel=classical:naive;input=uniform;m=20;k=9;n=5');

/** Returns the indices that an edit of the case sets to zero. */
function zeroed(edit: string, kind: string): number[] {
  const found = edit === 'none' ? [] : parseEdits(edit).filter(({ text }) => text.startsWith(kind));
  return found.flatMap(({ text }) => indicesOf(parseRanges(text.split(':')[1]) ?? []));
}

it('keeps the lines that a failure needs, and makes the others zero', async () => {
  const needed = { 'zero-rows': [3, 17], 'zero-inner': [8], 'zero-columns': [0] };
  const stillFails = async ({ problem: { edit } }: Case) =>
    !edit.includes('ones') &&
    Object.entries(needed).every(([kind, lines]) => lines.every((at) => !zeroed(edit, kind).includes(at)));
  const { case: simple, steps } = await simplify(START, stillFails);
  expect(simple.problem.edit).toBe('powers,zero-inner:0-7,zero-rows:0-2.4-16.18-19,zero-columns:1-4');
  expect(steps).toBeGreaterThan(3);
});

it('leaves a case that only fails as it is', async () => {
  expect(await simplify(START, async () => false)).toEqual({ case: START, steps: 0 });
});
