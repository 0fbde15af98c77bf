import { runOptions } from '../../config/run-options.ts';
import { flag, text } from '../../options/kinds.ts';
import { type OptionTable, only, type ValuesOf } from '../../options/option.ts';
import { json } from '../gate/options.ts';

export const mergeOptions = {
  allowMixed: flag('--allow-mixed', 'Also join runs of different adapters, versions, seeds or cases'),
  ...only(runOptions, 'reporters', 'out'),
} as const satisfies OptionTable;
export interface MergeRequest extends ValuesOf<typeof mergeOptions> {
  readonly verbose?: true | undefined;
}

export const compareOptions = {
  markdown: flag('--markdown', 'Print Markdown, for a comment', { excludes: ['--json'] }),
  json,
} as const satisfies OptionTable;
export type CompareRequest = ValuesOf<typeof compareOptions>;

export const reportOptions = {
  against: text('--against <file>', 'The results of an earlier run, to show what changed'),
  out: text('--out <folder>', 'Where to write report.html', { usual: 'beside the results' }),
  allCases: flag('--all-cases', 'List every case, on a page of up to 1 MB', {
    usual: 'as many as fit 300 KB',
  }),
  open: flag('--open', 'Show it in a browser'),
} as const satisfies OptionTable;
export type ReportRequest = ValuesOf<typeof reportOptions>;
