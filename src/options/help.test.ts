import { expect, it } from 'vitest';
import { command } from './command.ts';
import { commandHelp, programHelp } from './help.ts';
import { flag, text } from './kinds.ts';

const gate = command({
  args: '[...files]',
  what: 'Judge kernels',
  options: {
    list: flag('--list', 'Print the cases'),
    kernel: text('--kernel <names>', 'Kernels by their names, several of them', {
      ...{ usual: 'all of ours', scope: 'cases' },
    }),
    long: text('--a-flag-of-many-letters <value>', 'Its text begins below', { scope: 'cases' }),
  },
  example: 'matmul.ts#matmul',
  run: async () => 0,
});

it('help groups options by what they decide, within the columns there are', () => {
  expect(commandHelp('paranoia', 'gate', gate, 60)).toBe(`paranoia gate [...files]

  Judge kernels

Cases
  --kernel <names>  Kernels by their names, several of them
                    (default: all of ours)
  --a-flag-of-many-letters <value>
                    Its text begins below

Options
  --list      Print the cases
  --verbose   Print all results, stack traces and the
              kernels' standard error
  -h, --help  Print this help

Example
  paranoia gate matmul.ts#matmul
`);
});

it('no line of help is wider than the terminal', () => {
  for (const columns of [60, 80, 120]) {
    const lines = [commandHelp('p', 'gate', gate, columns), programHelp('p', { gate }, columns)]
      .join('\n')
      .split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  }
});
