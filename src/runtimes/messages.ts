import { defineMessage, EXIT } from '../base/errors.ts';

export const runtimeMissing = defineMessage(
  'runtime-missing',
  EXIT.noAdapter,
  (d: { runtime: string; tried: readonly string[]; variable: string; install: string }) =>
    `${d.runtime} was not found: ${d.tried.join(', ')}. ${d.install}, or set ${d.variable} to its path.`,
);

export const runtimeNotStarted = defineMessage(
  'runtime-not-started',
  EXIT.noAdapter,
  (d: { runtime: string; why: string }) => `${d.runtime} failed to start: ${d.why}.`,
);

export const runtimeWithoutGpu = defineMessage(
  'runtime-without-gpu',
  EXIT.noAdapter,
  (d: { runtime: string; advice: string }) => `${d.runtime} offers no WebGPU adapter here. ${d.advice}.`,
);

export const otherAdapter = defineMessage(
  'other-adapter',
  EXIT.noAdapter,
  (d: { wanted: string; runtime: string; found: string; kind: string }) =>
    `${d.runtime} has no ${d.wanted} GPU adapter. It offers ${d.found}; to judge on that: --adapter ${d.kind}.`,
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
    `${d.runtime} sent nothing for ${d.seconds} s ${d.at}. A function of the kernel may never return. If it needs longer, raise the kernel's timeLimit.`,
);

export const notInRuntime = defineMessage(
  'not-in-runtime',
  EXIT.usage,
  (d: { kernel: string; runtime: string; why: string }) =>
    `${d.kernel} cannot be judged in ${d.runtime}: ${d.why}. Judge it without --in.`,
);

export const optionNotInRuntime = defineMessage(
  'option-not-in-runtime',
  EXIT.usage,
  (d: { option: string; runtime: string; why: string }) =>
    `${d.option} cannot be combined with --in ${d.runtime}: ${d.why}.`,
);

export const bundlerMissing = defineMessage(
  'bundler-missing',
  EXIT.usage,
  (d: { runtime: string; why: string }) =>
    `--in ${d.runtime} bundles your kernels with rolldown, ${d.why}. Run: npm i -D rolldown`,
);

export const notBundled = defineMessage(
  'not-bundled',
  EXIT.usage,
  (d: { file: string; runtime: string; why: string }) =>
    `${d.file} cannot be bundled for ${d.runtime}: ${d.why}.`,
);

export const codeRefused = defineMessage(
  'code-refused',
  EXIT.usage,
  (d: { file: string; runtime: string; why: string }) =>
    `${d.file} failed to load in ${d.runtime}: ${d.why}.`,
);
