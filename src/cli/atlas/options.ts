import { defaults, runOptions } from '../../config/run-options.ts';
import { text, texts } from '../../options/kinds.ts';
import type { OptionTable, ValuesOf } from '../../options/option.ts';

/** The folder of entries. */
export const ENTRIES = 'reports/atlas/entries';
/** The folder of the pages. */
export const PAGES = `${defaults.out}/atlas`;

export const addOptions = {
  to: text('--to <folder>', 'Folder of entries', { usual: ENTRIES }),
  raw: text('--raw <where>', 'Public address or repository path of the results file'),
  device: text('--device <name>', 'Device name, if the browser does not report it'),
  driver: text('--driver <text>', 'Driver, if the results do not name it'),
  implementation: text(
    '--implementation <name>',
    'WebGPU implementation, if not reported: Firefox 140 (wgpu)',
  ),
  inspected: texts('--inspected <files>', 'Outputs of `inspect --json` on this adapter, for the grades'),
} as const satisfies OptionTable;

/** The request of `atlas add`. */
export type AddRequest = ValuesOf<typeof addOptions>;

export const buildOptions = {
  from: text('--from <folder>', 'Folder of entries', { usual: ENTRIES }),
  out: { ...runOptions.out, what: 'Folder of the pages', usual: PAGES },
} as const satisfies OptionTable;
