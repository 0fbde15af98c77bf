import { type Debugger, Session } from 'node:inspector';
import { setTimeout } from 'node:timers/promises';
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

/**
 * Has the main thread end this process from where it is: what Node has begun there would be in no order if only the loop ended. A thread
 * that does not stop in time, or stops where no function runs, is asked again the next time.
 */
async function leaveLoop(): Promise<void> {
  const debug = new Session();
  debug.connectToMainThread();
  const paused = new Promise<Debugger.CallFrame | undefined>((resolve) => {
    debug.on('Debugger.paused', ({ params }) => resolve(params.callFrames.at(0)));
  });
  debug.post('Debugger.enable');
  debug.post('Debugger.pause');
  const frame = await Promise.race([paused, setTimeout(GRACE)]);
  if (frame !== undefined)
    debug.post('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression: LEAVE });
  debug.post('Debugger.disable');
  debug.disconnect();
}
