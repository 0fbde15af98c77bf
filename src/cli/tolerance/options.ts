import { field, number, text } from '../../options/kinds.ts';
import { type OptionTable, pickOptions, type ValuesOf } from '../../options/option.ts';
import { ranges } from '../../problem/ranges.ts';
import { checkOptions } from '../check/options.ts';
import { json } from '../gate/options.ts';

export const toleranceOptions = {
  k: number(ranges.size, '--k <n>', 'The number of terms of a sum, the columns of A', { excludes: ['--a'] }),
  precision: field('precision', 'f32'),
  ...pickOptions(checkOptions, 'claims', 'algorithm'),
  input: field('input', 'uniform', { excludes: ['--a'] }),
  a: text('--a <file>', 'Your own A, in place of --k and --input; with --b', { requires: '--b' }),
  b: text('--b <file>', 'Your own B', { requires: '--a' }),
  sigmas: checkOptions.sigmas && {
    ...checkOptions.sigmas,
    what: 'Largest error allowed, in sigmas',
    usual: '6',
  },
  seed: field('seed', '1'),
  json,
} as const satisfies OptionTable;

/** The request of `tolerance`. */
export type ToleranceRequest = ValuesOf<typeof toleranceOptions>;
