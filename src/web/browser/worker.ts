import type { Asked, Told } from '../protocol.ts';
import { Session } from '../session.ts';

/** The worker's end of the page: everything but drawing is done here, so that the page stays responsive. */
const session = new Session((told: Told) => self.postMessage(told));
let last: Promise<void> = Promise.resolve();

self.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  // To stop is not to wait for what is being done.
  if (data.kind === 'stop') void session.do(data);
  else last = last.then(() => session.do(data));
});
