import type { Algorithm } from '../../algorithms/algorithm.ts';
import { editShaders, type Fault } from './fault.ts';

const FAST_LEVELS = [1, 2, 3];

/** Replaces a group of a schedule (told by its first line) by other groups. */
function regroup(
  algorithm: Algorithm,
  changes: Readonly<Record<string, readonly (readonly string[])[]>>,
): Algorithm {
  const schedule = (algorithm.schedule ?? []).flatMap((group) => changes[group.join('; ')] ?? [group]);
  return { ...algorithm, schedule };
}

/** Faults in the order and the signs of block operations. */
export const scheduleFaults: readonly Fault[] = [
  {
    name: 'swapped-m3-m5',
    what: 'M3 and M5 change places in C11 and C22',
    kernel: 'strassen:register',
    levels: FAST_LEVELS,
    pointsAt: /C11.*C22/,
    tampering: {
      algorithm: (strassen) =>
        regroup(strassen, {
          'C12 = A11 * T1; C22 = C22 + C12': [['C12 = A11 * T1', 'C11 = C11 - C12']],
          'T1 = T2 * B22; C12 = C12 + T1; C11 = C11 - T1': [
            ['T1 = T2 * B22', 'C12 = C12 + T1', 'C22 = C22 + T1'],
          ],
        }),
    },
  },
  {
    name: 'wrong-sign-m6',
    what: 'M6 multiplies A21 + A11 instead of A21 - A11',
    kernel: 'strassen:tiled',
    levels: FAST_LEVELS,
    pointsAt: /C22/,
    tampering: { algorithm: (strassen) => regroup(strassen, { 'C12 = A21 - A11': [['C12 = A21 + A11']] }) },
  },
  {
    name: 'decrement-becomes-increment',
    what: 'the epilogue adds M5 to C11 instead of subtracting it',
    kernel: 'strassen:naive',
    levels: FAST_LEVELS,
    pointsAt: /C11/,
    tampering: { program: (made) => editShaders(made, 'r1 = r1 - P;', 'r1 = r1 + P;') },
  },
  {
    name: 'temporary-reused-early',
    what: 'T1 is overwritten with S4 before M1 has read S2 from it',
    kernel: 'winograd:register',
    levels: FAST_LEVELS,
    pointsAt: /C12|C21|C22/,
    tampering: {
      algorithm: (winograd) =>
        regroup(winograd, {
          'C11 = T1 * T2': [['T1 = A12 - T1'], ['C11 = T1 * T2']],
          'T1 = A12 - T1': [],
        }),
    },
  },
  {
    name: 'forgotten-s8',
    what: 'M7 multiplies T2 before B21 is subtracted from it',
    kernel: 'winograd:tiled',
    levels: FAST_LEVELS,
    pointsAt: /C21/,
    tampering: { algorithm: (winograd) => regroup(winograd, { 'T2 = T2 - B21': [] }) },
  },
];
