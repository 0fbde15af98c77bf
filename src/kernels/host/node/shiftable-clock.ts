import { systemClock } from './system-clock.ts';

/**
 * Simulates another time for all code of a process. Where the system allows it, all sources of time are shifted. Elsewhere only those of
 * JavaScript are: `Date`, `Intl` formats without a date, and the time origin of `performance`; other threads, contexts of `vm` and native
 * code see the true time. Running clocks, such as timers, do not change; other processes and times of files show the true time.
 */

const { now } = Date;

/**
 * Starts a simulated clock.
 * @param time the time, in milliseconds since 1970.
 * @returns a function that sets another time; for the same time, the clock runs on
 */
export async function shiftableClock(time: number): Promise<(time: number) => void> {
  const ofSystem = await systemClock();
  let shift = 0;
  let last: number | undefined;
  const set = (to: number) => {
    if (to === last) return;
    const truly = ofSystem === undefined ? now() : now() - shift;
    shift = SECOND * Math.round((to - truly) / SECOND);
    ofSystem?.(shift / SECOND);
    last = to;
  };
  set(time);
  const told = ofSystem === undefined ? () => now() + shift : now;
  if (ofSystem === undefined) {
    shiftDate(globalThis, told);
    shiftFormats(told);
  }
  const running = shiftRunning(time);
  shiftOrigin(told);
  // A process that started before its first request is known is not older for it.
  let isAsked = false;
  return (to) => {
    if (to !== last && isAsked) running(to);
    isAsked = true;
    set(to);
  };
}
const SECOND = 1000;

/** The longest uptime of a process at its start, as a power of two of seconds: 24 days. */
const LONGEST = 21;
/** The most seconds that running clocks advance from one time to the next. */
const PAUSE = 600;
const REMAINDERS = 997;

/** Advances running clocks at the start, and again where another time is set; both amounts follow from the times. */
function shiftRunning(time: number): (time: number) => void {
  let more = Math.round(SECOND * 2 ** ((LONGEST * (time % REMAINDERS)) / REMAINDERS));
  const { uptime, hrtime } = process;
  const since = performance.now.bind(performance);
  const ticks = hrtime.bigint.bind(hrtime);
  const put = (holder: object, name: string, value: unknown) =>
    Object.defineProperty(holder, name, { value, writable: true, configurable: true, enumerable: true });
  put(Object.getPrototypeOf(performance), 'now', { now: () => since() + more }.now);
  put(process, 'uptime', { uptime: () => uptime.call(process) + more / SECOND }.uptime);
  const bigint = () => ticks() + BigInt(more) * 1_000_000n;
  const told = (before?: readonly [number, number]): [number, number] => {
    const [whole, rest] = hrtime();
    const seconds = whole + Math.floor(more / SECOND) - (before?.[0] ?? 0);
    const nanoseconds = rest + (more % SECOND) * 1e6 - (before?.[1] ?? 0);
    const carry = Math.floor(nanoseconds / 1e9);
    return [seconds + carry, nanoseconds - carry * 1e9];
  };
  put(process, 'hrtime', Object.assign(told, { bigint }));
  return (to) => {
    more += SECOND * (to % PAUSE);
  };
}

/** Replaces `Date` in a realm; without arguments it gives the simulated time. */
function shiftDate(realm: object, told: () => number): void {
  const True = Reflect.get(realm, 'Date') as DateConstructor;
  const Told = new Proxy(True, {
    apply: () => new True(told()).toString(),
    construct: (target, given, made) =>
      Reflect.construct(target, given.length === 0 ? [told()] : given, made),
  });
  Object.defineProperty(True, 'now', {
    value: { now: () => told() }.now,
    writable: true,
    configurable: true,
  });
  Object.defineProperty(True.prototype, 'constructor', { value: Told, writable: true, configurable: true });
  Object.defineProperty(realm, 'Date', { value: Told, writable: true, configurable: true });
}

/** Replaces `Intl` formats without a date. */
function shiftFormats(told: () => number): void {
  const { prototype } = Intl.DateTimeFormat;
  const { formatToParts } = prototype;
  const { get } = Object.getOwnPropertyDescriptor(prototype, 'format') as PropertyDescriptor;
  Object.defineProperty(prototype, 'format', {
    configurable: true,
    get(this: Intl.DateTimeFormat) {
      const format = get?.call(this) as Intl.DateTimeFormat['format'];
      return (date?: Date | number) => format(date ?? told());
    },
  });
  prototype.formatToParts = function (date) {
    return formatToParts.call(this, date ?? told());
  };
}

/** Shifts the time origin of this process to the simulated clock. */
function shiftOrigin(told: () => number): void {
  const origin = () => told() - performance.now();
  const toJSON = performance.toJSON.bind(performance);
  Object.defineProperty(performance, 'timeOrigin', { configurable: true, enumerable: true, get: origin });
  Object.defineProperty(performance, 'toJSON', {
    configurable: true,
    value: () => ({ ...toJSON(), timeOrigin: origin() }),
  });
}
