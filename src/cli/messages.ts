import { defineMessage, EXIT } from '../base/errors.ts';

export const idleOption = defineMessage(
  'idle-option',
  EXIT.usage,
  (d: { option: string; kernels: readonly string[]; why: string }) =>
    `${d.option} changes nothing for ${d.kernels.join(', ')}: ${d.why}; leave it out.`,
);

export const noKernels = defineMessage(
  'no-kernels',
  EXIT.usage,
  (d: { folder: string }) =>
    `No kernel to judge: no paranoia.config that names kernels lies in ${d.folder} or above it. Name a file (gate matmul.mjs#matmul), a config (--config), a kernel (--kernel), or give --ours for gemm-paranoia's own kernels.`,
);

export const noLastRun = defineMessage(
  'no-last-run',
  EXIT.usage,
  (d: { option: string; file: string }) =>
    `${d.option} needs the results of a run, and there is no ${d.file}: run the gate once with the reporter json, or name its folder with --out.`,
);

export const noSuchFailure = defineMessage(
  'no-such-failure',
  EXIT.usage,
  (d: { file: string; number: number; failures: number }) =>
    d.failures === 0
      ? `--replay ${d.number} names a failure, and ${d.file} has none: name the folder of another run with --out.`
      : `--replay ${d.number} names no failure of ${d.file}, which counts them from 1 to ${d.failures}: give one of these numbers.`,
);

export const goneCase = defineMessage(
  'gone-case',
  EXIT.usage,
  (d: { case: string; why: string }) =>
    `${d.case} failed, and cannot be run again: ${d.why.replace(/\.$/, '')}; name the kernels and the config of that run.`,
);

export const goneWord = defineMessage(
  'gone-word',
  EXIT.usage,
  (d: { word: string; became: string }) => `\`${d.word}\` ${d.became}.`,
);

export const noUpdateInCi = defineMessage(
  'no-update-in-ci',
  EXIT.usage,
  () =>
    'Baselines are not written where CI is set: run with --update on a machine of your own and commit the file.',
);

export const noWatchInCi = defineMessage(
  'no-watch-in-ci',
  EXIT.usage,
  () => '--watch never ends, and CI is set: leave it out, or watch on a machine of your own.',
);

export const nothingTimed = defineMessage(
  'nothing-timed',
  EXIT.inconclusive,
  (d: { why: string }) => `Nothing was timed: ${d.why}`,
);

export const wouldOverwrite = defineMessage(
  'would-overwrite',
  EXIT.usage,
  (d: { path: string; option: string }) =>
    `${d.path} is the file given as ${d.option}, and would be overwritten: give --out another path.`,
);

export const entryOverflows = defineMessage(
  'entry-overflows',
  EXIT.usage,
  (d: { file: string; entry: string; value: number; format: string; most: number }) =>
    `Entry ${d.entry} of ${d.file} is ${d.value}, beyond the largest ${d.format}, ${d.most.toPrecision(3)}: choose a wider --precision or scale the matrix.`,
);

export const referencesDiffer = defineMessage(
  'references-differ',
  EXIT.fail,
  (d: { way: string; entry: string; shape: string; found: number; expected: number }) =>
    `The product by ${d.way} is not exact: entry ${d.entry} of ${d.shape} is ${d.found}, but should be ${d.expected}; nothing more is timed.`,
);

export const outputLost = defineMessage(
  'output-lost',
  EXIT.output,
  (d: { why: string }) =>
    `What is printed cannot be written to the standard output: ${d.why}; the rest of it is lost, so run this again with another output.`,
);

export const reportLost = defineMessage(
  'report-lost',
  EXIT.output,
  (d: { why: string; instead: string | undefined }) =>
    `${d.why} ${d.instead === undefined ? 'What is printed above is all that there is of this run.' : `All results are in ${d.instead} instead.`}`,
);

export const initInTheWay = defineMessage(
  'init-in-the-way',
  EXIT.usage,
  (d: { path: string }) =>
    `There is a ${d.path} already, and init overwrites nothing: move it away, or begin in another folder.`,
);

export const initNeedsTerminal = defineMessage(
  'init-needs-terminal',
  EXIT.usage,
  () => 'init has questions, and there is no terminal to ask them on: give --yes, or --language and --ci.',
);

export const initUnanswered = defineMessage(
  'init-unanswered',
  EXIT.usage,
  () => 'The questions of init were not answered, and nothing was written: --yes takes what is usual.',
);

export const initUnwritable = defineMessage(
  'init-unwritable',
  EXIT.usage,
  (d: { path: string; why: string }) =>
    `The file ${d.path} cannot be written: ${d.why}; begin in a folder that you may write to.`,
);
