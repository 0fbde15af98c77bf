import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Simulates another time for the whole process, including native code, other threads and contexts of `vm`. Programs on Linux read the time
 * from a page that the system maps into each of them (the vDSO). That page is patched to use a system call, and to add a number of
 * seconds. Waits in the system, other processes, times of files and monotonic clocks are not changed.
 */

/** Flags of mmap and mprotect: include/uapi/asm-generic/mman-common.h. */
const [READ_EXECUTE, ALL] = [5, 7];
const [PRIVATE, ANONYMOUS] = [2, 32];
const PAGE = 4096;

/** The start and the size of a function's code. */
interface Place {
  readonly at: number;
  readonly size: number;
}

/** Patches the vDSO. @returns a function that sets the difference in seconds; undefined where the system does not allow it */
async function systemClock(): Promise<((seconds: number) => void) | undefined> {
  const code = machineCode[process.arch];
  if (process.platform !== 'linux' || code === undefined) return undefined;
  try {
    const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
    const libc = koffi.load(null);
    const mmap = libc.func('void *mmap(void *, size_t, int, int, int, long)');
    const mprotect = libc.func('int mprotect(void *, size_t, int)');
    const [begin, length] = mapped();
    const page = Buffer.from(koffi.view(begin, length));
    const shift: bigint = koffi.address(mmap(null, PAGE, ALL, PRIVATE | ANONYMOUS, -1, 0));
    const own = Buffer.from(koffi.view(shift, PAGE));
    const places = functionsIn(page);
    let free = WORD;
    const changes = Object.entries(code.functions).map(([name, make]) => {
      const place = places.get(name);
      const jump = code.jump(shift + BigInt(free));
      if (place === undefined || place.size < jump.length) throw new Error(name);
      const made = make(shift);
      own.set(made, free);
      free += WORD * Math.ceil(made.length / WORD);
      return { place, jump };
    });
    if (mprotect(begin, length, ALL) !== 0) return undefined;
    for (const { place, jump } of changes) page.set(jump, place.at);
    mprotect(begin, length, READ_EXECUTE);
    return (seconds) => void own.writeBigInt64LE(BigInt(seconds));
  } catch {
    return undefined;
  }
}

/** Bytes of the number of seconds. */
const WORD = 8;

/** Returns the address of the page, and its size in bytes. */
function mapped(): [bigint, number] {
  const found = /^([\da-f]+)-([\da-f]+) .*\[vdso\]$/m.exec(readFileSync('/proc/self/maps', 'latin1'));
  if (found === null) throw new Error('This process has no vDSO.');
  const [begin, end] = found.slice(1).map((digits) => BigInt(`0x${digits}`));
  return [begin, Number(end - begin)];
}

/** Returns the symbols of an ELF file of 64 bits, little-endian: elf(5). */
function functionsIn(file: Buffer): Map<string, Place> {
  const [SECTIONS, SECTION_SIZE, COUNT] = [0x28, 0x3a, 0x3c];
  const DYNAMIC_SYMBOLS = 11;
  const SYMBOL = 24;
  const sections = Number(file.readBigUInt64LE(SECTIONS));
  const size = file.readUInt16LE(SECTION_SIZE);
  const at = (section: number) => sections + size * section;
  const offsetOf = (section: number) => Number(file.readBigUInt64LE(at(section) + 0x18));
  const lengthOf = (section: number) => Number(file.readBigUInt64LE(at(section) + 0x20));
  const all = Array.from({ length: file.readUInt16LE(COUNT) }, (_, section) => section);
  const symbols = all.find((section) => file.readUInt32LE(at(section) + 4) === DYNAMIC_SYMBOLS);
  if (symbols === undefined) return new Map();
  const names = offsetOf(file.readUInt32LE(at(symbols) + 0x28));
  const begin = offsetOf(symbols);
  return new Map(
    Array.from({ length: lengthOf(symbols) / SYMBOL }, (_, index) => {
      const symbol = begin + SYMBOL * index;
      const name = names + file.readUInt32LE(symbol);
      const place = {
        at: Number(file.readBigUInt64LE(symbol + 8)),
        size: Number(file.readBigUInt64LE(symbol + 16)),
      };
      return [file.toString('latin1', name, file.indexOf(0, name)), place];
    }),
  );
}

/** Machine code of functions that tell the time, on one processor. */
interface MachineCode {
  /** Returns a jump to an address. */
  jump(to: bigint): Uint8Array;
  /** By the name of the function replaced: code that asks the system, and adds the seconds stored at an address. */
  readonly functions: Readonly<Record<string, (seconds: bigint) => Uint8Array>>;
}

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/\s/g, ''), 'hex'));

/** Encodes an address in the order of x86-64's immediate operands. */
function immediate(value: bigint): string {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(value);
  return buffer.toString('hex');
}

/** Numbers of calls and of clocks: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/linux/time.h. */
const x64: MachineCode = {
  // mov rax, to; jmp rax
  jump: (to) => bytes(`48b8 ${immediate(to)} ffe0`),
  functions: {
    // clock_gettime(228); on success, for clocks 0, 5 and 11 (real, real and coarse, atomic), tv_sec is increased.
    __vdso_clock_gettime: (seconds) =>
      bytes(`b8e4000000 0f05 85c0 751e 85ff 740a 83ff05 7405 83ff0b 7510
        48b9 ${immediate(seconds)} 488b09 48010e c3`),
    // gettimeofday(96), where a pointer is given for it.
    __vdso_gettimeofday: (seconds) =>
      bytes(`b860000000 0f05 85c0 7515 4885ff 7410 48b9 ${immediate(seconds)} 488b09 48010f c3`),
    // time(201), in the result and at the given pointer.
    __vdso_time: (seconds) =>
      bytes(`b8c9000000 0f05 48b9 ${immediate(seconds)} 488b09 4801c8 4885ff 7403 488907 c3`),
  },
};

/** Machine code by processor architecture. */
const machineCode: Readonly<Record<string, MachineCode | undefined>> = { x64 };

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
