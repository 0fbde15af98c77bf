import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import promises from 'node:timers/promises';
import { step } from './trigger.mjs';

/** The delay of a late timer in milliseconds. */
const LATE = 1500;

const later = (wait) => (step('timer', `after ${wait} ms`) === undefined ? wait : (wait ?? 1) + LATE);

/** Hooks timers, one of which is late. */
export function hookTimers() {
  const set = globalThis.setTimeout;
  const hooked = (work, wait, ...args) => set(work, later(wait), ...args);
  // `promisify` uses the properties of the original.
  Object.defineProperties(hooked, Object.getOwnPropertyDescriptors(set));
  globalThis.setTimeout = hooked;
  timers.setTimeout = hooked;
  const wait = promises.setTimeout;
  promises.setTimeout = (delay, ...args) => wait(later(delay), ...args);
  syncBuiltinESMExports();
}
