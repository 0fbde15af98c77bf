#!/usr/bin/env node

// Nearly everything is imported at run time, so that a module that fails to load is reported like other errors.
import { answerAtExit, handleSignals, recordEndReason } from './no-judgment.ts';

const [command, ...words] = process.argv.slice(2);
const [RESOURCES, INTERNAL] = [71, 70];

if (command === 'judge') handleSignals(words);
try {
  const { main } = await import('./command-line.ts');
  const ended = main();
  // Registered after the handlers of this process's end, which may change its exit code.
  if (command === 'judge') answerAtExit(words);
  await ended;
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const short = error instanceof RangeError ? 'memory' : /^(EMFILE|ENFILE|ENOMEM)$/.exec(code ?? '')?.[0];
  // A missing file is a fault of the installation; one that exists but cannot be read, of the machine.
  const isRefused = /^E[A-Z]+$/.test(code ?? '') && code !== 'ENOENT';
  if (command === 'judge') answerAtExit(words);
  const sentence =
    short === undefined
      ? `gemm-paranoia cannot be loaded: ${JSON.stringify(message)}. ${isRefused ? 'Make its files readable' : 'Install it again'}.`
      : `gemm-paranoia cannot start: this system lacks resources (${short}). Raise the limits of the process (ulimit -n, memory) and run again.`;
  recordEndReason(sentence);
  process.stderr.write(`${sentence}\n`);
  process.exitCode = short !== undefined || isRefused ? RESOURCES : INTERNAL;
}
