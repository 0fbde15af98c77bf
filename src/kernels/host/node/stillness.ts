import { setTimeout } from 'node:timers/promises';

/** Milliseconds after which work left behind is no longer awaited. */
const PATIENCE = 20;

// Saved before any kernel is loaded, which may replace them.
const { setImmediate } = globalThis;
const activeResources = process.getActiveResourcesInfo.bind(process);

/** Number of timers and turns awaited here. Without it, products in flight would wait for each other's waits. */
let own = 0;

async function waited(wait: Promise<unknown>): Promise<void> {
  own++;
  await wait;
  own--;
}

/** Returns the number of timers and immediates that keep this process alive. */
const pending = (): number =>
  activeResources().filter((kind) => kind === 'Timeout' || kind === 'Immediate').length - own;

/**
 * Returns a function that waits for a turn of the event loop, and for timers that are set meanwhile and due soon. An error or an exit in
 * one of them then comes before the next action. Without pending work it waits for only one turn.
 */
export function createIdleWait(): () => Promise<void> {
  let usual = pending();
  return async () => {
    await waited(new Promise((resolve) => setImmediate(resolve)));
    for (let turns = 0; pending() > usual && turns < PATIENCE; turns++) await waited(setTimeout(1));
    usual = pending();
  };
}
