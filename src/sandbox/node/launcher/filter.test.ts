import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Architecture, architectures, type CallName, callNames, callNumberOf } from './calls.ts';
import { filterFor } from './filter.ts';

const PROCESSORS = { x64: 0xc000003e, arm64: 0xc00000b7 };
const [ALLOW, KILL] = [0x7fff0000, 0x80000000];
const [DONE, NO, ABSENT, UNSUPPORTED] = [0x50000, 0x50001, 0x50026, 0x5005f];

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

/** Interprets the filter for a call, as the kernel would. */
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
    else return value >>> 0;
  }
}

describe.each(architectures)('on %s', (on) => {
  const call = (options: Options, name: CallName, ...args: number[]) =>
    given(on, options, callNumberOf(name, on) as number, args);

  it('steps are few enough to jump over, and as the kernel takes them', () => {
    for (const [, ifTrue, ifFalse] of filterFor(on, nothing))
      expect(Math.max(ifTrue, ifFalse)).toBeLessThan(256);
    expect(filterFor(on, nothing).length).toBeLessThan(4096);
  });

  it('calls of another processor end the process', () => {
    expect(given(on, all, 0, [], 0x40000003)).toBe(KILL);
  });

  it.each([nothing, all])('what attacks is refused, and what is not known is absent', (options) => {
    for (const name of [
      'ptrace',
      'process_vm_readv',
      'mount',
      'unshare',
      'bpf',
      'inotify_add_watch',
    ] as const)
      expect(call(options, name), name).toBe(NO);
    // io_uring_setup, clone3, memfd_secret, and a call that Linux does not have yet.
    for (const number of [425, 435, 447, 900]) expect(given(on, options, number)).toBe(ABSENT);
    expect(call(options, 'memfd_create')).toBe(ABSENT);
    expect(call(options, 'listxattr')).toBe(UNSUPPORTED);
    expect(call(options, 'read')).toBe(ALLOW);
  });

  it('descriptors signal no process', () => {
    // F_GETFL and F_DUPFD_CLOEXEC; F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE and F_NOTIFY.
    for (const command of [3, 1030]) expect(call(nothing, 'fcntl', 9, command)).toBe(ALLOW);
    for (const command of [8, 10, 15, 1024, 1026]) expect(call(all, 'fcntl', 9, command)).toBe(NO);
    // FIONBIO; FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX, FS_IOC_SETFLAGS and FS_IOC_FSSETXATTR.
    for (const gpu of [true, false]) {
      expect(call({ ...nothing, gpu }, 'ioctl', 9, 0x5421)).toBe(ALLOW);
      for (const request of [0x8901, 0x8902, 0x5412, 0x541c, 0x40086602, 0x401c5820])
        expect(call({ ...nothing, gpu }, 'ioctl', 9, request), request.toString(16)).toBe(NO);
    }
  });

  it('requests of drivers are for kernels on GPUs', () => {
    // Requests of NVIDIA's control device, of its memory device, and of the kernel's graphics.
    for (const request of [0xc020462a, 0x30000001, 0xc0406400])
      expect([
        call({ ...nothing, gpu: true }, 'ioctl', 9, request),
        call(nothing, 'ioctl', 9, request),
      ]).toEqual([ALLOW, NO]);
  });

  it('settings of a thread are its own', () => {
    // PR_SET_NAME and PR_SET_VMA; PR_SET_DUMPABLE, PR_SET_MM and PR_SCHED_CORE.
    for (const option of [15, 0x53564d41]) expect(call(nothing, 'prctl', option)).toBe(ALLOW);
    for (const option of [4, 35, 62]) expect(call(nothing, 'prctl', option)).toBe(NO);
  });

  it('processors are set of itself, and of others only where it is alone', () => {
    expect([0, 42, 43].map((pid) => call(nothing, 'sched_setaffinity', pid))).toEqual([ALLOW, ALLOW, DONE]);
    expect(call(all, 'sched_setaffinity', 43)).toBe(ALLOW);
    expect([call(nothing, 'setpriority', 0, 0), call(all, 'setpriority')]).toEqual([NO, ALLOW]);
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
    expect([call(all, 'connect'), call(nothing, 'connect')]).toEqual([ALLOW, NO]);
    for (const family of [2, 10, 16, 17, 40]) expect(call(all, 'socket', family)).toBe(NO);
    expect([call(all, 'socket', 1), call(nothing, 'socket', 1)]).toEqual([ALLOW, NO]);
    // A stream that is closed at exec, as Node makes it; datagrams could be sent to any socket.
    expect([call(nothing, 'socketpair', 1, 0x80001), call(nothing, 'socketpair', 1, 2)]).toEqual([ALLOW, NO]);
  });

  it('processes and threads are started in no namespace of their own', () => {
    expect([call(all, 'clone', 0x3d0f00), call(all, 'clone', 17)]).toEqual([ALLOW, ALLOW]);
    // CLONE_NEWUSER, and CLONE_PARENT, which would make the child ours.
    expect([call(all, 'clone', 0x10000011), call(all, 'clone', 0x8011)]).toEqual([NO, NO]);
  });

  it('modes of files may be changed where all others are read-only', () => {
    expect([call(all, 'fchmodat'), call(nothing, 'fchmodat')]).toEqual([ALLOW, NO]);
  });
});

it('the 32-bit interface of x64 is absent', () => {
  expect(given('x64', all, 0x40000000)).toBe(ABSENT);
});

/** Headers with Linux's own numbers. */
const HEADERS = {
  x64: ['/usr/include/x86_64-linux-gnu/asm/unistd_64.h', '/usr/include/asm/unistd_64.h'],
  arm64: ['/usr/include/asm-generic/unistd.h'],
};

it.for(architectures)('numbers on %s are those of the headers of this system', (on, { skip }) => {
  const header = HEADERS[on].find((path) => existsSync(path));
  if (header === undefined) return skip('there are no headers of Linux here');
  const numbers = new Map(
    [...readFileSync(header, 'utf8').matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm)].map(
      ([, name, number]) => [name, Number(number)],
    ),
  );
  const found = (name: string) =>
    numbers.get(name) ?? (name === 'newfstatat' ? numbers.get('fstatat') : undefined);
  const wrong = callNames.filter((name) => {
    const [ours, theirs] = [callNumberOf(name, on), found(name)];
    return ours === undefined ? theirs !== undefined : theirs !== undefined && theirs !== ours;
  });
  expect(wrong).toEqual([]);
  expect(callNames.filter((name) => found(name) !== undefined).length).toBeGreaterThan(200);
});
