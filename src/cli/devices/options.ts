import { runOptions } from '../../config/run-options.ts';
import { choices, number, shapes, texts } from '../../options/kinds.ts';
import { type OptionTable, only, type ValuesOf } from '../../options/option.ts';
import { ranges } from '../../problem/ranges.ts';
import { json } from '../gate/options.ts';

export const tuneOptions = {
  ...only(runOptions, 'adapter', 'toggles'),
  size: shapes(ranges.size, '--size <list>', 'Time these sizes n or mxkxn, and keep nothing'),
  leaf: texts('--leaf <list>', 'Time these leaf kernels, or all whose names begin so, and keep nothing'),
  runs: number(ranges.runs, '--runs <n>', 'Timed runs of each leaf kernel and size', { usual: '5' }),
  robustness: choices(
    ['on', 'off'],
    '--robustness <list>',
    "Dawn's checks of indices: on, off or both as on,off",
    { usual: 'on' },
  ),
  json,
} as const satisfies OptionTable;
export type TuneRequest = ValuesOf<typeof tuneOptions>;
