import type { Algorithm } from '../../algorithms/algorithm.ts';
import { findAlgorithm } from '../../algorithms/algorithms.ts';
import { findWrongBlocks } from '../../algorithms/verify-algorithm.ts';
import { lookUp } from '../../base/objects.ts';
import { leafFamilies } from '../../gpu/wgsl/leaves/leaves.ts';
import { FAST_LEVELS, type Fault, faultsIn, laddersIn } from './fault.ts';

/** Replacements for lines of a schedule: lines of its group, or groups of lines before them. */
type Changes = Readonly<Record<string, readonly string[]>>;

/** Returns an algorithm with lines of its schedule changed. A product begins a group of its own. */
const changed = (algorithm: Algorithm, changes: Changes): Algorithm => ({
  ...algorithm,
  schedule: (algorithm.schedule ?? []).flatMap((group) => {
    const lines = group.flatMap((line) => lookUp(changes, line) ?? [line]);
    const [first, ...sums] = lines;
    if (first === undefined) return [];
    const at = sums.findIndex((line) => line.includes('*'));
    return at < 0 ? [lines] : [lines.slice(0, at + 1), lines.slice(at + 1)];
  }),
});

const tampering = (changes: Changes) => ({ algorithm: (claimed: Algorithm) => changed(claimed, changes) });

/** Faults in the order of block operations, and in their operands. */
const orderFaults: readonly Fault[] = [
  ...faultsIn('schedule', 'strassen:register', FAST_LEVELS, {
    'swapped-m3-m5': {
      what: 'M3 and M5 change places in C11 and C22',
      pointsAt: /C11.*C22/,
      ...tampering({ 'C22 = C22 + C12': ['C11 = C11 - C12'], 'C11 = C11 - T1': ['C22 = C22 + T1'] }),
    },
  }),
  ...faultsIn('schedule', 'winograd:register', FAST_LEVELS, {
    'temporary-reused-early': {
      what: 'T1 is overwritten with S4 before M1 has read S2 from it',
      pointsAt: /C12|C21|C22/,
      ...tampering({ 'C11 = T1 * T2': ['T1 = A12 - T1', 'C11 = T1 * T2'], 'T1 = A12 - T1': [] }),
    },
  }),
  ...faultsIn('schedule', 'winograd:naive', FAST_LEVELS, {
    'winograd-m5-m6-exchanged': {
      what: 'M5 multiplies the operands of M2, and M2 those of M5',
      ...tampering({ 'T1 = A11 * B11': ['T1 = A12 * B21'], 'C11 = A12 * B21': ['C11 = A11 * B11'] }),
    },
  }),
  ...faultsIn('schedule', 'strassen:tiled', FAST_LEVELS, {
    'strassen-operands-exchanged': {
      what: 'M1 multiplies B11 + B22 by A11 + A22',
      pointsAt: /C11|C22|entries/,
      ...tampering({ 'C12 = A11 + A22': ['C12 = B11 + B22'], 'C21 = B11 + B22': ['C21 = A11 + A22'] }),
    },
  }),
  ...faultsIn('schedule', 'classical:register', FAST_LEVELS, {
    'classical-second-half-lost': {
      what: 'the second half of k is not added to C22',
      pointsAt: /C22/,
      ...tampering({ 'C22 = C22 + T1': [] }),
    },
  }),
];

const SUM = /^\w+ = \w+ ([+-]) \w+$/;

/**
 * Returns a schedule's faults, one a line: every sum with its second sign changed, and every sum left out. None computes the product: each
 * is run symbolically, which tells the wrong blocks of C.
 */
function lineFaults(name: string): Fault[] {
  const algorithm = findAlgorithm(name);
  const sums = (algorithm.schedule ?? []).flat().filter((line) => SUM.test(line));
  const faults = sums.flatMap((line) => {
    const turned = line.replace(/ ([+-]) (?=\w+$)/, (_, sign) => (sign === '+' ? ' - ' : ' + '));
    const signed = {
      kind: 'sign',
      line,
      what: `${turned} instead of ${line}`,
      instead: [turned],
    };
    return [signed, { kind: 'without', line, what: `${line} is left out`, instead: [] }];
  });
  return faults.flatMap(({ kind, line, what, instead }, at) =>
    faultsIn('schedule', `${name}:${leafFamilies[at % leafFamilies.length]}`, FAST_LEVELS, {
      [`${name}-${kind}-${line.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`]: {
        what,
        pointsAt: () => pointingAt(findWrongBlocks(changed(algorithm, { [line]: instead }))),
        ...tampering({ [line]: instead }),
      },
    }),
  );
}

/** Returns the message expected where exactly these blocks of C are wrong, at one level; all blocks together are no region. */
function pointingAt(sentences: readonly string[]): RegExp {
  // Unwritten entries stay poison.
  if (sentences.some((sentence) => sentence.includes('before it is written'))) return /never written/;
  const blocks = sentences.flatMap((sentence) => /^(C\d\d) is /.exec(sentence)?.[1] ?? []);
  if (blocks.length === 4) return /all \d+×\d+ entries|everything but|scattered/;
  const names = blocks.join(', ').replace(/, (?=\w+$)/, ' and ');
  return new RegExp(`(quadrants?|parts?) ${names}.* \\(at level 1\\)`);
}

/** The faults of every line of the schedules of Strassen's and Winograd's algorithms. */
export const scheduleLineFaults: readonly Fault[] = ['strassen', 'winograd'].flatMap(lineFaults);

/** Faults in the order, the operands and the signs of block operations. */
export const scheduleFaults: readonly Fault[] = [...orderFaults, ...scheduleLineFaults];

/** Faults by the depth in the recursion of one lost product. */
export const scheduleLadders: readonly Fault[] = laddersIn('schedule', 'strassen:naive', FAST_LEVELS, {
  'lost-product': {
    what: 'the last product of ‹level #› is never computed',
    sizes: [1, 2, 3],
    plant: (level) => ({
      steps: (all) =>
        all.filter(({ path }) => path.length < level || path.slice(0, level).some((at) => at !== 7)),
    }),
  },
});
