/**
 * Another time for all code of a process, as JavaScript tells it: `Date`, what `Intl` formats where it is given no date, and the time at
 * which clocks of `performance` began. What runs on, such as `performance.now` and timers, stays as it is. Other threads,
 * contexts of `vm`, other processes, native code and times of files tell the true time.
 */

const { now } = Date;

/**
 * @param time what time it is, in milliseconds since 1970.
 * @returns what sets it to another; to the same again, it runs on
 */
export function shiftableClock(time: number): (time: number) => void {
  let shift = 0;
  let last: number | undefined;
  const set = (to: number) => {
    if (to !== last) shift = to - now();
    last = to;
  };
  set(time);
  const told = () => now() + shift;
  shiftDate(globalThis, told);
  shiftFormats(told);
  shiftOrigin(told);
  return set;
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
