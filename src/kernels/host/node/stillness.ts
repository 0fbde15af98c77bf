import { setTimeout } from 'node:timers/promises';

/** Milliseconds that what was left behind has until it is no longer waited for. */
const PATIENCE = 20;

// Taken before any kernel is loaded, which may replace them.
const { setImmediate } = globalThis;
const activeResources = process.getActiveResourcesInfo.bind(process);

/** Timers and turns that are waited for here: of products in flight together each would else wait for the others' waiting. */
let own = 0;

async function waited(wait: Promise<unknown>): Promise<void> {
  own++;
  await wait;
  own--;
}

/** Timers, and what is due in the next turn, that keep this process alive. */
const pending = (): number =>
  activeResources().filter((kind) => kind === 'Timeout' || kind === 'Immediate').length - own;

/**
 * Makes what waits for a turn of the event loop, and for timers that are set meanwhile and due soon: an error or an exit in
 * one of them then comes before whatever is done next. Who leaves none behind waits for one turn alone.
 */
export function stillness(): () => Promise<void> {
  let usual = pending();
  return async () => {
    await waited(new Promise((resolve) => setImmediate(resolve)));
    for (let turns = 0; pending() > usual && turns < PATIENCE; turns++) await waited(setTimeout(1));
    usual = pending();
  };
}
