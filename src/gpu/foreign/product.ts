import { blaming, reasonOf } from '../../kernel/thrown.ts';
import type { Call } from '../../kernel/user-kernel.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { type Problem, problem } from '../../problems.ts';
import type { OpenDevice } from '../device.ts';
import { type Running, readMapped, withScopes } from '../errors.ts';
import type { Execution } from '../execution.ts';
import type { Entries } from './entries.ts';
import { allocate, checkSizes, copyBack, type GuardedBuffers } from './guarded.ts';
import { outcomeOf } from './outcome.ts';
import { within } from './within.ts';

/** One product by work that is not ours. */
export interface Work {
  readonly kernel: string;
  readonly entries: Entries;
  /** Seconds it may take, from its start until the device is done. */
  readonly timeLimit: number;
  /** What it does, as error messages name it. */
  readonly step: string;
  /** Submits it. */
  submit(buffers: GuardedBuffers): void | Promise<void>;
}

/**
 * Uploads A and B, poisons C, has the work submitted, waits for the device, and sees what the work left. Its seconds
 * are those from its start until the device is done: what it compiles for itself is among them. A shader that never ends
 * cannot be stopped: the products after it wait for it and hang too, and so does the end of the process.
 * @throws Problem `too-large`, `out-of-gpu-memory`, `gpu-error`, `device-lost`, `kernel-threw`, `kernel-hangs`
 */
export async function multiplyGuarded(
  open: OpenDevice,
  work: Work,
  a: Matrix,
  b: Matrix,
  call: Call,
): Promise<Execution> {
  const { kernel, entries } = work;
  checkSizes(open, kernel, entries, a, b);
  const running = (step: string): Running => ({ kernel, step });
  const buffers = await allocated(open, work, a, b);
  let submitting: Promise<void> | undefined;
  try {
    const seconds = await blaming(kernel, () =>
      withScopes(open, running(work.step), () => {
        const start = performance.now();
        submitting = (async () => work.submit(buffers))();
        const done = submitting.then(() => open.device.queue.onSubmittedWorkDone());
        const elapsed = done.then(() => (performance.now() - start) / 1000);
        return within(work.timeLimit, elapsed, () => hanging(work, call));
      }),
    );
    await withScopes(open, running('copying the result'), () => copyBack(open.device, buffers));
    const words = await readMapped(open, buffers.staging, running('reading the result'));
    return { ...outcomeOf(buffers, new Uint32Array(words), a, b), seconds };
  } finally {
    // Work that comes too late finds its buffers, so that no later product is blamed for what it does.
    void (submitting ?? Promise.resolve()).catch(() => {}).then(() => buffers.destroy());
  }
}

async function allocated(open: OpenDevice, { kernel, entries }: Work, a: Matrix, b: Matrix) {
  const running = { kernel, step: 'allocating buffers' };
  return withScopes(open, running, () => {
    try {
      return allocate(open.device, entries, a, b);
    } catch (error) {
      // What cannot be mapped as it is created is thrown, not reported.
      throw problem('out-of-gpu-memory', { ...running, why: reasonOf(error) }, error);
    }
  });
}

function hanging({ kernel, timeLimit }: Work, { m, k, n }: Call): Problem {
  return problem('kernel-hangs', { kernel, shape: `${m}×${k}×${n}`, seconds: timeLimit });
}
