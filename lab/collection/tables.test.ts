import { expect, it } from 'vitest';
import { readTable } from '../../src/collection/node/read-tables.ts';
import { parseTable } from '../../src/collection/table-text.ts';
import { formatTable } from './tables.ts';

it('reads what it writes', () => {
  for (const name of ['strassen-1969', 'smirnov-3x3x6', 'dps-2x2x2-accurate', 'alphatensor-2x4x5']) {
    const table = readTable(name);
    expect(parseTable(name, formatTable(table))).toEqual(table);
  }
});
