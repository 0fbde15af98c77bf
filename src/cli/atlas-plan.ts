import { ParanoiaError } from '../base/errors.ts';
import { VERSION } from '../base/version.ts';
import { campaignOf } from '../config/campaign-of.ts';
import type { Flags } from '../config/flags.ts';
import { isFileReference } from '../config/node/file-kernels.ts';
import { optionsOf } from '../config/node/options-of.ts';
import { planCampaign } from '../gate/plan-campaign.ts';
import { formatCase } from '../problem/case.ts';
import type { Results } from '../run/results.ts';

/** Options of a gate that decide its cases. */
const DECIDING = [
  'ours',
  'kernel',
  'input',
  'levels',
  'size',
  'precision',
  'fringe',
  'tail',
  'replicates',
  'plain',
  'budget',
];
/** Those that decide nothing of them. */
const OTHERS = [
  ...['adapter', 'reporter', 'out', 'jobs', 'toggle', 'timing', 'time-limit', 'verbose', 'sigmas', 'drift'],
  ...['seed', 'baselines', 'all'],
];
const BARE = ['plain', 'all', 'ours', 'timing', 'verbose'];

/**
 * Plans the cases of a run again, from its command and its seed, where this is the version that made it.
 * @returns a sentence where some of them are not in it: it may be of another commit, or of a config.
 */
export async function planDoubts(results: Results): Promise<string[]> {
  const { version, seed, cases, leftOut = [], command, summary, shard, merged } = results;
  if (version !== VERSION || summary.interrupted || shard !== undefined || merged !== undefined) return [];
  const flags = flagsOf(command);
  if (flags === undefined) return [];
  let planned: string[];
  try {
    const { options, catalogue } = await optionsOf({ ...flags, seed: String(seed) });
    planned = planCampaign(campaignOf(options), catalogue).map(formatCase);
  } catch (error) {
    // A kernel that is not known here is planned nowhere else.
    if (error instanceof ParanoiaError) return [];
    throw error;
  }
  const told = new Set([...cases.map((result) => result.case), ...leftOut]);
  const missing = planned.filter((text) => !told.has(text));
  if (missing.length === 0) return [];
  return [
    `Of the ${planned.length} cases that this version plans for its command and seed, ${missing.length} are not in it, the first ${missing[0]}.`,
  ];
}

/** The options of `gemm-paranoia gate …` that decide its cases; undefined of a command that cannot be read so. */
function flagsOf(command: string): Flags | undefined {
  const [program, name, ...words] = command.split(' ');
  if (program !== 'gemm-paranoia' || name !== 'gate') return undefined;
  const flags = new Map<string, unknown>();
  while (words.length > 0) {
    const [, option, joined] = /^--([a-z-]+)(?:=(.*))?$/s.exec(words.shift() ?? '') ?? [];
    if (option === undefined || ![...DECIDING, ...OTHERS].includes(option)) return undefined;
    const value = BARE.includes(option) ? true : (joined ?? words.shift());
    if (value === undefined) return undefined;
    // What a results file names is not run here.
    if (option === 'kernel' && String(value).split(',').some(isFileReference)) return undefined;
    if (DECIDING.includes(option)) flags.set(option, value);
  }
  return Object.fromEntries(flags);
}
