// Nothing is imported here but at run time: what stops a module from loading is told like all else.
import type { ParanoiaError } from '../../base/errors.ts';
import type { FromJob } from '../../run/node/job-process.ts';

const say = (answer: FromJob) => process.send?.(answer);
const fail = (error: unknown) => {
  const { code, exitCode, name, message = String(error) } = (error ?? {}) as Partial<ParanoiaError>;
  say({ error: { code, exitCode, name, message } });
};

// Its parent hears of its end, and of why by its last words.
process.on('uncaughtException', ({ message }) => {
  process.stderr.write(`a process that judges: ${message}\n`);
  process.exit(1);
});

try {
  const { serve } = await import('./serve-job.ts');
  await serve(JSON.parse(process.argv[2]), say, fail);
} catch (error) {
  fail(error);
}
