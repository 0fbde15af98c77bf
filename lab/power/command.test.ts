import { expect, it } from 'vitest';
import { terminalTables } from '../../src/report/terminal/table.ts';
import { plainLook } from '../../src/report/terminal/text.ts';
import { powerTables } from './command.ts';
import type { PowerCell } from './measure.ts';

it('makes a table of each fault, k down and entries across', () => {
  const fault = 'bits of the accumulator';
  const cell = (k: number, inputs: PowerCell['inputs'], said: string): PowerCell => ({
    ...{ fault, k, inputs, said, entries: 16, seeds: 3, found: 4 },
  });
  const tables = powerTables([cell(8, 'uniform', '20'), cell(8, 'gate', '21'), cell(64, 'uniform', 'none')]);
  expect(tables).toHaveLength(1);
  const text = terminalTables(tables, plainLook);
  expect(text).toMatch(/^bits of the accumulator: the most bits below 24/);
  expect(text).toMatch(/^ *k +uniform 16 +gate 16\n +8 +20 +21\n *64 +none +-$/m);
});
