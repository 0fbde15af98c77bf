import type { Architecture, CallName } from './calls.ts';
import { numberOf } from './calls.ts';
import type { LaunchPlan } from './plan.ts';
import { refusedCalls } from './refused-calls.ts';

/** A filter of system calls in BPF, as seccomp runs it: include/uapi/linux/seccomp.h, filter.h and audit.h. */
type Step = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const LOAD = 0x20;
const EQUALS = 0x15;
const AT_LEAST = 0x35;
const HAS_BITS = 0x45;
const AND = 0x54;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const refuse = (error: number) => 0x00050000 | error;
const [EPERM, ENOSYS] = [1, 38];

/** Where seccomp's data has the number of a call, the processor, and the low half of an argument. */
const NUMBER = 0;
const PROCESSOR = 4;
const argument = (at: number) => 16 + 8 * at;

const PROCESSORS: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** Calls of the 32-bit interface of x86-64 have this bit. */
const X32 = 0x40000000;

const AF_UNIX = 1;
/** Sockets that reach only whom they are connected with. */
const CONNECTED = [1, 5];
const TYPE = 0xf;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NAMESPACES = 0x7e020000;
/** Types characters into the terminal of others, and into the console. */
const TERMINAL = [0x5412, 0x541c];

/** What decides on a process: its plan, its number, and whether signals to others are held by Landlock. */
export interface FilterOptions extends Pick<LaunchPlan, 'alone' | 'readOnly' | 'unseen' | 'gpu'> {
  readonly pid: number;
  readonly holdsSignals: boolean;
}

const give = (result: number): Step => [RETURN, 0, 0, result];
const load = (at: number): Step => [LOAD, 0, 0, at];
/** Gives a result where what was loaded is a value. */
const on = (value: number, result: number): readonly Step[] => [[EQUALS, 0, 1, value], give(result)];

/** What calls are allowed, as the steps that decide on one. */
export function filterFor(processor: Architecture, options: FilterOptions): readonly Step[] {
  const call = (name: CallName, ...steps: readonly Step[]): readonly Step[] => {
    const number = numberOf(name, processor);
    return number === undefined ? [] : [[EQUALS, 0, steps.length, number], ...steps];
  };
  const head: readonly Step[] = [
    load(PROCESSOR),
    [EQUALS, 1, 0, PROCESSORS[processor]],
    give(KILL),
    load(NUMBER),
    ...(processor === 'x64' ? ([[AT_LEAST, 0, 1, X32], give(refuse(ENOSYS))] as const) : []),
  ];
  const refused = refusedCalls
    .filter(({ unless }) => unless === undefined || !options[unless])
    .flatMap(({ calls, as }) =>
      calls.flatMap((name) => call(name, give(refuse(as === 'absent' ? ENOSYS : EPERM)))),
    );
  return [...head, ...refused, ...byArguments(call, options), give(ALLOW)];
}

/** Calls that are allowed with some arguments. */
function byArguments(
  call: (name: CallName, ...steps: readonly Step[]) => readonly Step[],
  { alone, unseen, gpu, pid, holdsSignals }: FilterOptions,
): readonly Step[] {
  const only = (at: number, ...values: readonly number[]): readonly Step[] => [
    load(argument(at)),
    ...values.flatMap((value) => on(value, ALLOW)),
    give(refuse(EPERM)),
  ];
  const holdsOthers = alone || holdsSignals;
  const named = ['rt_sigqueueinfo', 'rt_tgsigqueueinfo', 'pidfd_send_signal', 'tkill'] as const;
  return [
    ...(unseen ? call('socket', ...only(0, AF_UNIX)) : call('socket', give(refuse(EPERM)))),
    ...call(
      'socketpair',
      load(argument(1)),
      [AND, 0, 0, TYPE],
      ...CONNECTED.flatMap((type) => on(type, ALLOW)),
      give(refuse(EPERM)),
    ),
    ...call('clone', load(argument(0)), [HAS_BITS, 0, 1, NAMESPACES], give(refuse(EPERM)), give(ALLOW)),
    ...call(
      'ioctl',
      load(argument(1)),
      ...TERMINAL.flatMap((value) => on(value, refuse(EPERM))),
      give(ALLOW),
    ),
    ...(gpu ? [] : call('memfd_create', give(refuse(ENOSYS)))),
    ...(alone ? [] : call('prlimit64', ...only(0, 0, pid))),
    ...(holdsOthers ? [] : [...call('kill', ...only(0, 0, pid)), ...call('tgkill', ...only(0, pid))]),
    ...(holdsOthers ? [] : named.flatMap((name) => call(name, give(refuse(EPERM))))),
  ];
}

/** Steps as the kernel reads them. */
export function assembled(steps: readonly Step[]): Buffer {
  const bytes = Buffer.alloc(8 * steps.length);
  for (const [at, [code, ifTrue, ifFalse, value]] of steps.entries()) {
    bytes.writeUInt16LE(code, 8 * at);
    bytes.writeUInt8(ifTrue, 8 * at + 2);
    bytes.writeUInt8(ifFalse, 8 * at + 3);
    bytes.writeUInt32LE(value >>> 0, 8 * at + 4);
  }
  return bytes;
}
