import { systemClock } from './system-clock.ts';

/**
 * Another time for all code of a process: where the system lets it be, for all that asks it; else as JavaScript tells it: `Date`, what
 * `Intl` formats where it is given no date, and the time at which clocks of `performance` began, and other threads, contexts of
 * `vm` and native code tell the true time. What runs on, such as timers, stays as it is; other processes and times of files
 * tell the true time.
 */

const { now } = Date;

/**
 * @param time what time it is, in milliseconds since 1970.
 * @returns what sets it to another; to the same again, it runs on
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
  // One that began before it was known what it is asked first is no older for that.
  let isAsked = false;
  return (to) => {
    if (to !== last && isAsked) running(to);
    isAsked = true;
    set(to);
  };
}
const SECOND = 1000;

/** The longest that a process has run when it begins, as powers of two of a second: 24 days. */
const LONGEST = 21;
/** The most seconds that pass from one time to the next. */
const PAUSE = 600;
const REMAINDERS = 997;

/** What runs on has run for longer, and goes on a while where another time is told: both follow from the times. */
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

/** Dates of one realm: what gives none is told this time. */
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

/** What is formatted where no date is given. */
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

/** When this process began, by the clock that is told. */
function shiftOrigin(told: () => number): void {
  const origin = () => told() - performance.now();
  const toJSON = performance.toJSON.bind(performance);
  Object.defineProperty(performance, 'timeOrigin', { configurable: true, enumerable: true, get: origin });
  Object.defineProperty(performance, 'toJSON', {
    configurable: true,
    value: () => ({ ...toJSON(), timeOrigin: origin() }),
  });
}
