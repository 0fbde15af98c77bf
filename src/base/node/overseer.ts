import { type Debugger, Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { LEAVE, LIMIT, type Overseen, TURN } from './overseen.ts';

/** The thread that ends code of the user's in the main thread, which hears nothing while it loops: a debugger can stop it all the same. */

/** Milliseconds after the limit: a main thread that only waits has said by then that it waits no longer. */
const GRACE = 500;

const cells = new Int32Array(workerData as Overseen);

for (;;) {
  const turn = Atomics.load(cells, TURN);
  const isWorking = turn % 2 === 1;
  const patience = isWorking ? Atomics.load(cells, LIMIT) + GRACE : undefined;
  if (Atomics.wait(cells, TURN, turn, patience) !== 'timed-out') continue;
  await leaveLoop();
  // What was in its last moments has ended by itself.
  if (Atomics.load(cells, TURN) === turn) Atomics.wait(cells, TURN, turn, GRACE);
}

/** Has the main thread end this process from where it is: what Node has begun there would be in no order if only the loop ended. */
async function leaveLoop(): Promise<void> {
  const debug = new Session();
  debug.connectToMainThread();
  // Answers alone keep no thread.
  const kept = setInterval(() => {}, 2 ** 30);
  const paused = new Promise<Debugger.PausedEventDataType>((resolve) => {
    debug.on('Debugger.paused', ({ params }) => resolve(params));
  });
  debug.post('Debugger.enable');
  debug.post('Debugger.pause');
  const [{ callFrameId }] = (await paused).callFrames;
  debug.post('Debugger.evaluateOnCallFrame', { callFrameId, expression: LEAVE });
  debug.post('Debugger.disable');
  debug.disconnect();
  clearInterval(kept);
}
