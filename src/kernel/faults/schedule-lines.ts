import type { Algorithm } from '../../algorithms/algorithm.ts';
import { findAlgorithm } from '../../algorithms/algorithms.ts';
import { scheduleFaults as wrongBlocks } from '../../algorithms/verify-schedule.ts';
import { leafFamilies } from '../../gpu/leaves/leaves.ts';
import { FAST_LEVELS, type Fault } from './fault.ts';

/** A line of a schedule, and what takes its place; nothing where it is left out. */
interface Change {
  readonly kind: 'sign' | 'without';
  readonly line: string;
  readonly instead: readonly string[];
}

/** What is planted by hand already: as {@link scheduleFaults}'s wrong-sign-m6, decrement-becomes-increment, forgotten-s8. */
const PLANTED = new Set(['sign C12 = A21 - A11', 'sign C11 = C11 - T1', 'without T2 = T2 - B21']);

const SUM = /^\w+ = \w+ ([+-]) \w+$/;

/**
 * A schedule's faults, one a line: every sum with its second sign turned round, and every sum left out. None computes
 * the product: each is run symbolically, which says what blocks of C become wrong.
 */
function lineFaults(name: string): Fault[] {
  const algorithm = findAlgorithm(name);
  const sums = (algorithm.schedule ?? []).flat().filter((line) => SUM.test(line));
  const changes = sums.flatMap((line): Change[] => [
    { kind: 'sign', line, instead: [turned(line)] },
    { kind: 'without', line, instead: [] },
  ]);
  const fresh = changes.filter(({ kind, line }) => !PLANTED.has(`${kind} ${line}`));
  return fresh.map((change, at): Fault => {
    const { kind, line, instead } = change;
    return {
      name: `${name}-${kind}-${line.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
      class: 'schedule',
      what: kind === 'sign' ? `${instead[0]}, where the schedule has ${line}` : `${line} is left out`,
      kernel: `${name}:${leafFamilies[at % leafFamilies.length]}`,
      levels: FAST_LEVELS,
      pointsAt: pointingAt(wrongBlocks({ ...algorithm, ...changed(algorithm, change) })),
      tampering: { algorithm: (claimed) => ({ ...claimed, ...changed(claimed, change) }) },
    };
  });
}

const turned = (line: string) =>
  line.replace(/ ([+-]) (?=\w+$)/, (_, sign) => (sign === '+' ? ' - ' : ' + '));

function changed(algorithm: Algorithm, { line, instead }: Change): Pick<Algorithm, 'schedule'> {
  const groups = (algorithm.schedule ?? []).map((group) =>
    group.flatMap((one) => (one === line ? instead : [one])),
  );
  return { schedule: groups.filter((group) => group.length > 0) };
}

/** What a message says where exactly these blocks of C are wrong, at one level; all of them are no region. */
function pointingAt(sentences: readonly string[]): RegExp {
  // What nobody wrote is poison, and stays so.
  if (sentences.some((sentence) => sentence.includes('before it is written'))) return /never written/;
  const blocks = sentences.flatMap((sentence) => /^(C\d\d) is /.exec(sentence)?.[1] ?? []);
  if (blocks.length === 4) return /all \d+×\d+ entries|everything but|scattered/;
  const [last, ...before] = [...blocks].reverse();
  const names = before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`;
  return new RegExp(`(quadrants?|parts?) ${names}.* \\(at level 1\\)`);
}

/** The faults of every line of the schedules of Strassen's and Winograd's algorithms. */
export const scheduleLineFaults: readonly Fault[] = ['strassen', 'winograd'].flatMap(lineFaults);
