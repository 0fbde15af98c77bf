import { expect, it } from 'vitest';
import { plainLook } from '../../src/report/terminal/text.ts';
import { honestRun } from './run.ts';
import { honestText } from './text.ts';

it('names cases that could not be made', async () => {
  const outcome = await honestRun([], { judge: async () => [], sigmas: 6 });
  expect(honestText(outcome, plainLook)).not.toMatch(/not made/i);
  const unmade = [{ case: 'kernel=mine;m=1', reason: 'Its operands are no numbers.' }];
  const text = honestText({ ...outcome, unmade }, plainLook);
  expect(text).toContain('0 inconclusive, 1 not made.');
  expect(text).toContain('NOT MADE kernel=mine;m=1\n  Its operands are no numbers.');
});
