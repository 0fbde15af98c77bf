import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { graderJobLost } from '../messages.ts';
import type { GraderJobArgs, GraderTask } from './job.ts';
import type { GraderOutcome } from './outcome.ts';

/** The time limit for grading a kernel in seconds; one that hangs fails. */
const LIMIT = 1200;

/** A grading process, with one task at a time; it is restarted when it ends. */
export class GraderJob {
  readonly #args: GraderJobArgs;
  #child: Promise<ChildProcess> | undefined;

  constructor(args: GraderJobArgs) {
    this.#args = args;
  }

  /** Grades a kernel; one that crashes or hangs its process fails. @throws ParanoiaError `grader-job-lost` */
  async ask(task: GraderTask): Promise<GraderOutcome> {
    const lost = (why: string, cause?: unknown) =>
      graderJobLost({ grader: task.grader, specimen: task.source.name, why }, cause);
    this.#child ??= started(this.#args);
    const child = await this.#child.catch((error: Error) => {
      throw lost(error.message, error);
    });
    return new Promise((resolve, reject) => {
      const start = performance.now();
      const settle = () => {
        clearTimeout(clock);
        child.removeAllListeners();
      };
      const failed = (why: string) => {
        settle();
        this.#child = undefined;
        const seconds = (performance.now() - start) / 1000;
        const { grader, source } = task;
        resolve({ specimen: source.name, grader, caught: true, why, products: 1, work: 0, seconds });
      };
      const clock = setTimeout(() => {
        child.kill('SIGKILL');
        failed(`it did not finish within ${LIMIT} s`);
      }, LIMIT * 1000);
      child.once('exit', (code, signal) => failed(`its process ended with ${signal ?? code}`));
      child.once('message', (said: GraderOutcome | { readonly error: string }) => {
        settle();
        if ('error' in said) reject(lost(said.error));
        else resolve(said);
      });
      child.send(task);
    });
  }

  /** Ends the process. */
  async close(): Promise<void> {
    (await this.#child)?.disconnect();
    this.#child = undefined;
  }
}

/** Starts a process that is ready for tasks. */
function started(args: GraderJobArgs): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('job.ts', import.meta.url));
  const child = fork(script, [JSON.stringify(args)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--import', 'jiti/register'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', () => {
      child.removeAllListeners();
      resolve(child);
    });
    child.once('exit', (code) => reject(new Error(`it failed to start (exit code ${code})`)));
  });
}
