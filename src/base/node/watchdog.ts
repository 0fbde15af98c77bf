import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { ProcessDeadline } from './time-limits.ts';

/** The watchdog thread. It ends this process when its main thread is stuck in a loop. */

/** Seconds after the limit. A main thread that only waits has canceled it by then. */
const GRACE = 0.5;

let timer: NodeJS.Timeout | undefined;

parentPort?.on('message', (deadline: ProcessDeadline | undefined) => {
  clearTimeout(timer);
  if (deadline !== undefined) timer = setTimeout(end, 1000 * (deadline.seconds + GRACE), deadline);
});

/** Ends the process. `process.exit` would only end this thread, so the C library is called. */
function end({ message, exitCode }: ProcessDeadline): void {
  try {
    writeSync(2, `${message}\n`);
    const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
    koffi.load(process.platform === 'win32' ? 'ucrtbase.dll' : null).func('void _exit(int)')(exitCode);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
