import { defineMessage, EXIT } from '../base/errors.ts';

export const runtimeMissing = defineMessage(
  'runtime-missing',
  EXIT.noAdapter,
  (d: { runtime: string; tried: readonly string[]; variable: string; install: string }) =>
    `There is no ${d.runtime} on this machine (${d.tried.join(', ')}): ${d.install}, or say where it is with ${d.variable}.`,
);

export const runtimeNotStarted = defineMessage(
  'runtime-not-started',
  EXIT.noAdapter,
  (d: { runtime: string; why: string }) => `${d.runtime} did not begin to judge: ${d.why}.`,
);

export const runtimeWithoutGpu = defineMessage(
  'runtime-without-gpu',
  EXIT.noAdapter,
  (d: { runtime: string; advice: string }) => `${d.runtime} offers no WebGPU adapter here: ${d.advice}.`,
);

export const otherAdapter = defineMessage(
  'other-adapter',
  EXIT.noAdapter,
  (d: { wanted: string; runtime: string; found: string; kind: string }) =>
    `There is no ${d.wanted} GPU adapter in ${d.runtime}, which offers ${d.found} (${d.kind}).`,
);

export const runtimeEnded = defineMessage(
  'runtime-ended',
  EXIT.inconclusive,
  (d: { runtime: string; at: string; why: string }) => `${d.runtime} ended ${d.at}: ${d.why}.`,
  'machine',
);

export const runtimeHangs = defineMessage(
  'runtime-hangs',
  EXIT.inconclusive,
  (d: { runtime: string; at: string; seconds: number }) =>
    `${d.runtime} said nothing for ${d.seconds} s ${d.at}: a function that never returns holds its page; raise the timeLimit of the kernel if it needs longer.`,
);

export const notInRuntime = defineMessage(
  'not-in-runtime',
  EXIT.usage,
  (d: { kernel: string; runtime: string; why: string }) =>
    `${d.kernel} cannot be judged in ${d.runtime}: ${d.why}; judge it without --in.`,
);

export const optionNotInRuntime = defineMessage(
  'option-not-in-runtime',
  EXIT.usage,
  (d: { option: string; runtime: string; why: string }) =>
    `${d.option} cannot be given with --in ${d.runtime}: ${d.why}.`,
);

export const bundlerMissing = defineMessage(
  'bundler-missing',
  EXIT.usage,
  (d: { runtime: string; why: string }) =>
    `--in ${d.runtime} makes one file of your kernels and the gate with rolldown, ${d.why}; run: npm i -D rolldown`,
);

export const notBundled = defineMessage(
  'not-bundled',
  EXIT.usage,
  (d: { file: string; runtime: string; why: string }) =>
    `${d.file} cannot be brought into ${d.runtime}: ${d.why}.`,
);

export const codeRefused = defineMessage(
  'code-refused',
  EXIT.usage,
  (d: { file: string; runtime: string; why: string }) => `${d.file} does not load in ${d.runtime}: ${d.why}.`,
);
