import type { WorkerMessage, WorkerRequest } from '../protocol.ts';
import { WorkerSession } from '../session.ts';

/** The worker's side of the page. It does everything but drawing, so that the page stays responsive. */
const session = new WorkerSession((told: WorkerMessage) => self.postMessage(told));
let last: Promise<void> = Promise.resolve();

self.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  // A stop must not wait for the task in progress.
  if (data.kind === 'stop') void session.do(data);
  else last = last.then(() => session.do(data));
});
