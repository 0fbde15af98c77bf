import { OURS } from '../../base/registry.ts';
import type { Plausible } from './plausible.ts';

/** Clocks differ, and so do time zones that are set wrong: a day is let through. */
const SLACK = 24 * 3600 * 1000;

export const dates: Plausible = {
  name: 'dates',
  what: 'Was it made at a time that has been?',
  source: OURS,
  faults({ createdAt }, now) {
    const time = Date.parse(createdAt);
    if (Number.isNaN(time)) return [`it was made at "${createdAt}", which is no time`];
    return time > now.getTime() + SLACK ? [`it was made at ${createdAt}, which is yet to come`] : [];
  },
};
