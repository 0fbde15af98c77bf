import { runOptions } from '../../config/run-options.ts';
import { number, seed, texts } from '../../options/kinds.ts';
import { type OptionTable, only, type ValuesOf } from '../../options/option.ts';
import { ranges } from '../../problem/ranges.ts';
import { json } from '../gate/options.ts';

export const selftestOptions = {
  ...only(runOptions, 'adapter'),
  fault: texts('--fault <names>', 'Only these', { usual: 'all that `list faults` prints' }),
  binary64: number(
    ranges.patterns,
    '--binary64 <n>',
    'Instead, compare binary64 on the device with this engine on n random triples of bit patterns',
    { excludes: ['--fault'] },
  ),
  seed: { ...seed('1'), what: 'Of those patterns', requires: '--binary64' },
  json,
} as const satisfies OptionTable;
export type SelfTestRequest = ValuesOf<typeof selftestOptions>;
