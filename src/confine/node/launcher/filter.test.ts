import { describe, expect, it } from 'vitest';
import { type Architecture, architectures, type CallName, numberOf } from './calls.ts';
import { filterFor } from './filter.ts';

const PROCESSORS = { x64: 0xc000003e, arm64: 0xc00000b7 };
const [ALLOW, KILL, NO, ABSENT] = [0x7fff0000, 0x80000000, 0x00050001, 0x00050026];

type Options = Parameters<typeof filterFor>[1];
const nothing: Options = {
  alone: false,
  readOnly: false,
  unseen: false,
  gpu: false,
  pid: 42,
  holdsSignals: false,
};
const all: Options = { alone: true, readOnly: true, unseen: true, gpu: false, pid: 42, holdsSignals: true };

/** What the filter gives for a call, as the kernel would run it. */
function given(
  on: Architecture,
  options: Options,
  number: number,
  args: readonly number[] = [],
  processor = PROCESSORS[on],
) {
  const steps = filterFor(on, options);
  const data = (at: number) => (at === 0 ? number : at === 4 ? processor : (args[(at - 16) / 8] ?? 0));
  let held = 0;
  for (let at = 0; ; at++) {
    const [code, ifTrue, ifFalse, value] = steps[at];
    const jump = (isTrue: boolean) => {
      at += isTrue ? ifTrue : ifFalse;
    };
    if (code === 0x20) held = data(value);
    else if (code === 0x54) held = (held & value) >>> 0;
    else if (code === 0x15) jump(held === value >>> 0);
    else if (code === 0x35) jump(held >= value >>> 0);
    else if (code === 0x45) jump((held & value) !== 0);
    else return value >>> 0;
  }
}

describe.each(architectures)('on %s', (on) => {
  const call = (options: Options, name: CallName, ...args: number[]) =>
    given(on, options, numberOf(name, on) as number, args);

  it('steps are few enough to jump over, and as the kernel takes them', () => {
    for (const [, ifTrue, ifFalse] of filterFor(on, nothing))
      expect(Math.max(ifTrue, ifFalse)).toBeLessThan(256);
    expect(filterFor(on, nothing).length).toBeLessThan(4096);
  });

  it('calls of another processor end the process', () => {
    expect(given(on, all, 0, [], 0x40000003)).toBe(KILL);
  });

  it.each([nothing, all])('what looks into others, mounts or hides is refused', (options) => {
    for (const name of ['ptrace', 'process_vm_readv', 'mount', 'unshare', 'bpf', 'kexec_load'] as const)
      expect(call(options, name), name).toBe(NO);
    for (const name of ['io_uring_setup', 'clone3', 'memfd_create', 'memfd_secret'] as const)
      expect(call(options, name), name).toBe(ABSENT);
    expect(given(on, options, on === 'x64' ? 0 : 63)).toBe(ALLOW);
  });

  it('a process that is alone may leave its group, and others may not', () => {
    expect([call(all, 'setsid'), call(nothing, 'setsid')]).toEqual([ALLOW, NO]);
    expect([call(all, 'prlimit64', 7), call(nothing, 'prlimit64', 7)]).toEqual([ALLOW, NO]);
    expect([call(nothing, 'prlimit64', 0), call(nothing, 'prlimit64', 42)]).toEqual([ALLOW, ALLOW]);
  });

  it('signals go to itself where nothing else holds them', () => {
    expect(['kill', 'tgkill'].map((name) => call(nothing, name as CallName, 42))).toEqual([ALLOW, ALLOW]);
    expect([
      call(nothing, 'kill', 43),
      call(nothing, 'kill', 0xffffffff),
      call(nothing, 'tkill', 42),
    ]).toEqual([NO, NO, NO]);
    expect(call({ ...nothing, holdsSignals: true }, 'kill', 43)).toBe(ALLOW);
  });

  it('sockets lead to nobody else', () => {
    for (const family of [2, 10, 16, 17, 40]) expect(call(all, 'socket', family)).toBe(NO);
    expect([call(all, 'socket', 1), call(nothing, 'socket', 1)]).toEqual([ALLOW, NO]);
    // A stream that is closed at exec, as Node makes it; datagrams could be sent to anybody.
    expect([call(nothing, 'socketpair', 1, 0x80001), call(nothing, 'socketpair', 1, 2)]).toEqual([ALLOW, NO]);
  });

  it('processes and threads are started in no namespace of their own', () => {
    expect([call(all, 'clone', 0x3d0f00), call(all, 'clone', 17), call(all, 'clone', 0x10000011)]).toEqual([
      ALLOW,
      ALLOW,
      NO,
    ]);
  });

  it('modes of files may be changed where all others are read-only', () => {
    expect([call(all, 'fchmodat'), call(nothing, 'fchmodat')]).toEqual([ALLOW, NO]);
  });
});

it('the 32-bit interface of x64 is absent', () => {
  expect(given('x64', all, 0x40000000)).toBe(ABSENT);
});
