import { defaults, runOptions } from '../../config/run-options.ts';
import { text, texts } from '../../options/kinds.ts';
import type { OptionTable, ValuesOf } from '../../options/option.ts';

/** The folder of entries. */
export const ENTRIES = 'reports/atlas/entries';
/** The folder of the pages. */
export const PAGES = `${defaults.out}/atlas`;

export const addOptions = {
  to: text('--to <folder>', 'Where entries lie', { usual: ENTRIES }),
  raw: text(
    '--raw <where>',
    'Where the results file lies for others, as an address or a path of the repository',
  ),
  device: text('--device <name>', 'What the device is, where a browser does not say it'),
  driver: text('--driver <text>', 'Its driver, where nothing says it'),
  implementation: text(
    '--implementation <name>',
    'What ran the shaders, where it does not say: Firefox 140 (wgpu)',
  ),
  inspected: texts(
    '--inspected <files>',
    'Files with what `inspect --json` printed of the same kernels on the same adapter, for their grades',
  ),
} as const satisfies OptionTable;

/** The request of `atlas add`. */
export type AddRequest = ValuesOf<typeof addOptions>;

export const buildOptions = {
  from: text('--from <folder>', 'Where entries lie', { usual: ENTRIES }),
  out: { ...runOptions.out, what: 'Where the pages are written', usual: PAGES },
} as const satisfies OptionTable;
