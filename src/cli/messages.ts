import { defineMessage, EXIT } from '../base/errors.ts';

export const idleOption = defineMessage(
  'idle-option',
  EXIT.usage,
  (d: { option: string; kernels: readonly string[]; why: string }) =>
    `${d.option} has no effect on ${d.kernels.join(', ')}: ${d.why}. Leave it out.`,
);

export const noKernels = defineMessage(
  'no-kernels',
  EXIT.usage,
  (d: { folder: string }) =>
    `No kernel to judge: ${d.folder} and its parents have no paranoia.config that names kernels. Name a file (gate matmul.mjs#matmul), a config (--config) or a kernel (--kernel). --ours judges the built-in kernels.`,
);

export const noLastRun = defineMessage(
  'no-last-run',
  EXIT.usage,
  (d: { option: string; file: string }) =>
    `${d.option} needs the results of an earlier run, but ${d.file} does not exist. Run the gate once with --reporter json, or name the folder with --out.`,
);

export const noSuchFailure = defineMessage(
  'no-such-failure',
  EXIT.usage,
  (d: { file: string; number: number; failures: number }) =>
    d.failures === 0
      ? `--replay ${d.number} does not exist: ${d.file} has no failures. If you mean another run, name its folder: --out <folder>.`
      : `--replay ${d.number} does not exist: ${d.file} has ${d.failures === 1 ? 'one failure. Use --replay 1' : `failures 1 to ${d.failures}. Use one of these numbers`}.`,
);

export const goneCase = defineMessage(
  'gone-case',
  EXIT.usage,
  (d: { case: string; why: string }) =>
    `${d.case} failed, but cannot run again: ${d.why.replace(/\.$/, '')}. Name the kernels and the config of that run.`,
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
    '--update writes no baselines if the environment variable CI is set. Run it on your own machine, and commit fixtures/baselines.',
);

export const noWatchInCi = defineMessage(
  'no-watch-in-ci',
  EXIT.usage,
  () => '--watch never ends, and CI is set. Leave it out, or watch on your own machine.',
);

export const nothingTimed = defineMessage(
  'nothing-timed',
  EXIT.inconclusive,
  (d: { why: string }) => `No product was timed: ${d.why}`,
);

export const wouldOverwrite = defineMessage(
  'would-overwrite',
  EXIT.usage,
  (d: { path: string; option: string }) =>
    `${d.path} would be overwritten: it is the file of ${d.option}. Give --out another path.`,
);

export const entryOverflows = defineMessage(
  'entry-overflows',
  EXIT.usage,
  (d: { file: string; entry: string; value: number; format: string; most: number }) =>
    `Entry ${d.entry} of ${d.file} is ${d.value}, beyond the largest ${d.format} (${d.most.toPrecision(3)}). Choose a wider --precision, or scale the matrix.`,
);

export const referencesDiffer = defineMessage(
  'references-differ',
  EXIT.fail,
  (d: { way: string; entry: string; shape: string; found: number; expected: number }) =>
    `The product by ${d.way} is not exact: entry ${d.entry} of ${d.shape} is ${d.found}, expected ${d.expected}. Timing stopped.`,
);

export const outputLost = defineMessage(
  'output-lost',
  EXIT.output,
  (d: { why: string }) =>
    `Cannot write to standard output: ${d.why}. The rest of the output is lost. Run again with another output.`,
);

export const reportLost = defineMessage(
  'report-lost',
  EXIT.output,
  (d: { why: string; instead: string | undefined }) =>
    `${d.why} ${d.instead === undefined ? 'Only the text above remains of this run.' : `All results are in ${d.instead} instead.`}`,
);

export const initInTheWay = defineMessage(
  'init-in-the-way',
  EXIT.usage,
  (d: { path: string }) =>
    `${d.path} already exists, and init overwrites nothing. Move it away, or use another folder.`,
);

export const initNeedsTerminal = defineMessage(
  'init-needs-terminal',
  EXIT.usage,
  () => 'init asks questions, and this is no terminal. Give --yes, or --language and --ci.',
);

export const initUnanswered = defineMessage(
  'init-unanswered',
  EXIT.usage,
  () => 'init got no answers, and wrote nothing. --yes takes the defaults.',
);

export const initUnwritable = defineMessage(
  'init-unwritable',
  EXIT.usage,
  (d: { path: string; why: string }) =>
    `${d.path} cannot be written: ${d.why}. Use a folder that you can write to.`,
);

export const checkPrecisionNeeded = defineMessage(
  'check-precision-needed',
  EXIT.usage,
  (d: { a: string; b: string; d: string }) =>
    `No precision has A in ${d.a}, B in ${d.b} and D in ${d.d}. Name the kernel's with --precision, as in --precision bf16-f32.`,
);

export const claimsUnreadable = defineMessage(
  'claims-unreadable',
  EXIT.usage,
  (d: { given: string }) =>
    `--claims is no JSON object: ${d.given}. Example: --claims '{"order":"pairwise"}'.`,
);

export const requestUnreadable = defineMessage(
  'request-unreadable',
  EXIT.usage,
  (d: { why: string }) =>
    `Cannot read a request to serve: ${d.why}. Send one JSON object a line, then the bytes that it announces.`,
);

export const noCommonBits = defineMessage(
  'no-common-bits',
  EXIT.usage,
  (d: { old: string; recent: string; common: number }) =>
    d.common === 0
      ? `${d.old} and ${d.recent} have no case in common. Run the same kernels with the same --seed and --cases.`
      : `${d.old} and ${d.recent} have no product with digests in common. An earlier version wrote one of them, or no product was computed. Run the gate again.`,
);
