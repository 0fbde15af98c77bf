// Everything is imported at run time, so that a module that fails to load is reported like other errors.
import type { ParanoiaError } from '../../base/errors.ts';
import type { JobMessage } from '../../run/node/job-process.ts';

const say = (answer: JobMessage) => process.send?.(answer);
const fail = (error: unknown) => {
  const { code, exitCode, name, message = String(error) } = (error ?? {}) as Partial<ParanoiaError>;
  say({ error: { code, exitCode, name, message } });
};

// The parent notices the end of this process, and reads the reason from its last words.
process.on('uncaughtException', ({ message }) => {
  process.stderr.write(`worker process: ${message}\n`);
  process.exit(1);
});

try {
  const { serveJob } = await import('./serve-job.ts');
  await serveJob(JSON.parse(process.argv[2]), say, fail);
} catch (error) {
  fail(error);
}
