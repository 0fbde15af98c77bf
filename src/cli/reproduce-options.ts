import { join } from 'node:path';
import type { CAC, Command } from 'cac';
import { parseChoices, parseList, parseNumber, parseText } from '../config/flags.ts';
import { defaults } from '../config/options.ts';
import { type Range, ranges } from '../config/ranges.ts';
import { studies } from '../study/studies.ts';
import type { StudyRecord } from '../study/study.ts';

/** What `reproduce` is asked for. */
export interface ReproduceOptions {
  /** Figures, by number. */
  readonly figures: readonly string[];
  /** Undefined: as large as suits the adapter. */
  readonly maxSize: number | undefined;
  readonly pairs: number;
  /** What sizes are divided by. */
  readonly shrink: number;
  readonly device: { readonly adapter?: string | undefined; readonly toggles: readonly string[] };
  readonly out: string;
  readonly fresh: boolean;
  readonly timeLimit: number | undefined;
  /** What a command must say to get the same device. */
  readonly sameDevice: string;
}

/** The command `reproduce` with its options, without an action. */
export function describeReproduce(cli: CAC): Command {
  return cli
    .command('reproduce <study>', `Measure a published study again: ${studies.map(({ name }) => name)}`)
    .option('--figures <list>', 'Only these figures: 30,31 (default: all)')
    .option('--max-size <n>', 'No product larger than this (default: 2048 in software, else any)')
    .option('--pairs <n>', 'Random pairs, where a table is over several (default: as published)')
    .option('--shrink <factor>', 'Divide all sizes, to see the machinery work: nothing is then compared')
    .option('--adapter <name>', 'hardware, software, or part of an adapter name')
    .option(
      '--toggle <names>',
      'Dawn toggles to enable, such as vulkan_enable_f16_on_nvidia; Dawn ignores those it does not know',
    )
    .option(
      '--out <folder>',
      `Where results are written, and taken up again (default: ${defaults.out}/<study>)`,
    )
    .option('--fresh', 'Measure again what an earlier run has finished')
    .option('--time-limit <seconds>', 'Begin no product after so long; the same command goes on later')
    .example('gemm-paranoia reproduce strassen-2011 --figures 30,31 --max-size 4096');
}

/** @throws Problem `unknown-name`, `bad-number`, `missing-option` */
export function reproduceOptions(
  { name, figures, pairs }: StudyRecord,
  flags: Readonly<Record<string, unknown>>,
): ReproduceOptions {
  const { adapter, toggle } = flags;
  const number = (flag: string, option: string, range: Range) =>
    flags[flag] === undefined ? undefined : parseNumber(option, flags[flag], range);
  const said = { adapter, toggle };
  return {
    figures: flags.figures === undefined ? figures : parseChoices('--figures', flags.figures, figures),
    maxSize: number('maxSize', '--max-size', ranges.size),
    pairs: number('pairs', '--pairs', upTo(1000)) ?? pairs,
    shrink: number('shrink', '--shrink', upTo(1024)) ?? 1,
    device: {
      adapter: adapter === undefined ? undefined : parseText('--adapter', adapter),
      toggles: toggle === undefined ? [] : parseList('--toggle', toggle),
    },
    out: flags.out === undefined ? join(defaults.out, name) : parseText('--out', flags.out),
    fresh: flags.fresh === true,
    timeLimit: number('timeLimit', '--time-limit', ranges.timeLimit),
    sameDevice: Object.entries(said)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ` --${name} '${value}'`)
      .join(''),
  };
}

const upTo = (most: number): Range => ({
  least: 1,
  most,
  whole: true,
  need: `a whole number from 1 to ${most}`,
});
