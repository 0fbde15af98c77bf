import { type ArgumentTest, allowedCalls, type CallCondition } from './allowed-calls.ts';
import { type Architecture, type CallName, callNumberOf } from './calls.ts';
import type { LaunchPlan } from './plan.ts';
import { type CallRefusal, refusedCalls } from './refused-calls.ts';

/** A filter of system calls in BPF, as seccomp runs it: include/uapi/linux/seccomp.h, filter.h and audit.h. */
type Step = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const LOAD = 0x20;
const EQUALS = 0x15;
const AT_LEAST = 0x35;
const AND = 0x54;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
/** Results of calls that the filter answers itself: EPERM, ENOSYS, EOPNOTSUPP and 0. */
const results: Readonly<Record<CallRefusal, number>> = {
  refused: 0x00050001,
  absent: 0x00050026,
  unsupported: 0x0005005f,
  done: 0x00050000,
};

/** Offsets in seccomp's data of the call's number, the processor, and the low half of the first argument. */
const NUMBER = 0;
const PROCESSOR = 4;
const ARGUMENTS = 16;

const PROCESSORS: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** The bit that marks calls of the x32 interface of x86-64. */
const X32 = 0x40000000;

/** Properties of a process that its filter depends on: its plan, its process id, and whether Landlock restricts signals. */
export interface FilterOptions extends Pick<LaunchPlan, 'alone' | 'readOnly' | 'unseen' | 'gpu'> {
  readonly pid: number;
  readonly holdsSignals: boolean;
}

const give = (result: number): Step => [RETURN, 0, 0, result];
const load = (at: number): Step => [LOAD, 0, 0, at];

/** Compiles the filter: each call is allowed, refused, or absent if no record names it. */
export function filterFor(processor: Architecture, options: FilterOptions): readonly Step[] {
  const decide = (names: readonly CallName[], steps: readonly Step[]): readonly Step[] =>
    names.flatMap((name) => {
      const number = callNumberOf(name, processor);
      return number === undefined ? [] : [[EQUALS, 0, steps.length, number] as const, ...steps];
    });
  const isHere = ({ where }: { readonly where?: CallCondition }) =>
    where === undefined || holdsAt(where, options);
  return [
    load(PROCESSOR),
    [EQUALS, 1, 0, PROCESSORS[processor]],
    give(KILL),
    load(NUMBER),
    ...(processor === 'x64' ? ([[AT_LEAST, 0, 1, X32], give(results.absent)] as const) : []),
    ...allowedCalls
      .filter(isHere)
      .flatMap(({ calls, only, otherwise = 'refused' }) =>
        decide(
          calls,
          only === undefined
            ? [give(ALLOW)]
            : [...only.flatMap((test) => allowIf(test, options.pid)), give(results[otherwise])],
        ),
      ),
    ...[...allowedCalls.filter((record) => !isHere(record)), ...refusedCalls].flatMap(
      ({ calls, otherwise = 'refused' }) => decide(calls, [give(results[otherwise])]),
    ),
    give(results.absent),
  ];
}

const holdsAt = (place: CallCondition, { holdsSignals, ...plan }: FilterOptions): boolean =>
  place === 'holdsOthers' ? plan.alone || holdsSignals : plan[place];

/** Allows a call whose argument passes a test; otherwise goes on. */
function allowIf({ argument, mask, is = [], isNot }: ArgumentTest, pid: number): readonly Step[] {
  const loaded = [
    load(ARGUMENTS + 8 * argument),
    ...(mask === undefined ? [] : [[AND, 0, 0, mask] as const]),
  ];
  if (isNot === undefined)
    return [
      ...loaded,
      ...is.flatMap((value) => [[EQUALS, 0, 1, value === 'pid' ? pid : value] as const, give(ALLOW)]),
    ];
  return [
    ...loaded,
    ...isNot.map((value, at) => [EQUALS, isNot.length - at, 0, value] as const),
    give(ALLOW),
  ];
}

export function encodeFilter(steps: readonly Step[]): Buffer {
  const bytes = Buffer.alloc(8 * steps.length);
  for (const [at, [code, ifTrue, ifFalse, value]] of steps.entries()) {
    bytes.writeUInt16LE(code, 8 * at);
    bytes.writeUInt8(ifTrue, 8 * at + 2);
    bytes.writeUInt8(ifFalse, 8 * at + 3);
    bytes.writeUInt32LE(value >>> 0, 8 * at + 4);
  }
  return bytes;
}
