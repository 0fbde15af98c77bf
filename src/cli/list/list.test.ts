import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { epilogueSteps } from '../../epilogue/epilogues.ts';
import { runHere } from '../in-process.testing.ts';

it('epilogues have their parameters with defaults and valid values, on a screen', async () => {
  const { stdout } = await runHere(tmpdir(), ['list', 'epilogues'], { COLUMNS: '200' });
  const lines = stdout.trim().split('\n');
  expect(lines.length).toBeLessThanOrEqual(45);
  const [steps, parameters] = stdout.split('\nParameters\n');
  for (const { name, parameters: own } of epilogueSteps.items) {
    const line = steps.split('\n').find((one) => one.startsWith(`${name} `));
    const words = line?.slice(name.length).trim().split(/\s+/);
    for (const [key, { usual, what, need }] of Object.entries(own)) {
      expect(words).toContain(usual === undefined ? key : `${key}=${usual}`);
      const known = parameters.split('\n').filter((one) => one.startsWith(`${key} `));
      expect(known.some((one) => one.includes(need) && one.includes(what))).toBe(true);
    }
  }
});
