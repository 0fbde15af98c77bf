import type { Algorithm } from '../../algorithms/algorithm.ts';
import { edited, FAST_LEVELS, type Fault, type Ladder } from './fault.ts';

/** Replaces a group of a schedule (told by its first line) by other groups. */
function regroup(
  algorithm: Algorithm,
  changes: Readonly<Record<string, readonly (readonly string[])[]>>,
): Algorithm {
  const schedule = (algorithm.schedule ?? []).flatMap((group) => changes[group.join('; ')] ?? [group]);
  return { ...algorithm, schedule };
}

/** Faults in the order and the signs of block operations. */
export const scheduleFaults: readonly Fault[] = (
  [
    {
      name: 'swapped-m3-m5',
      what: 'M3 and M5 change places in C11 and C22',
      kernel: 'strassen:register',
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
      pointsAt: /C22/,
      tampering: {
        algorithm: (strassen) => regroup(strassen, { 'C12 = A21 - A11': [['C12 = A21 + A11']] }),
      },
    },
    {
      name: 'decrement-becomes-increment',
      what: 'the epilogue adds M5 to C11 instead of subtracting it',
      kernel: 'strassen:naive',
      pointsAt: /C11/,
      tampering: edited(['r1 = -r1;', 'r1 = r1;']),
    },
    {
      name: 'temporary-reused-early',
      what: 'T1 is overwritten with S4 before M1 has read S2 from it',
      kernel: 'winograd:register',
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
      pointsAt: /C21/,
      tampering: { algorithm: (winograd) => regroup(winograd, { 'T2 = T2 - B21': [] }) },
    },
    {
      name: 'winograd-m5-m6-exchanged',
      what: 'M5 multiplies what is meant for M2, and M2 what is meant for M5',
      kernel: 'winograd:naive',
      pointsAt: /entries/,
      tampering: {
        algorithm: (winograd) =>
          regroup(winograd, {
            'T1 = A11 * B11; C11 = C11 + T1; C12 = C11 + C12; C11 = C11 + C21': [
              ['T1 = A12 * B21', 'C11 = C11 + T1', 'C12 = C11 + C12', 'C11 = C11 + C21'],
            ],
            'C11 = A12 * B21; C11 = T1 + C11': [['C11 = A11 * B11', 'C11 = T1 + C11']],
          }),
      },
    },
    {
      name: 'strassen-operands-exchanged',
      what: 'M1 multiplies B11 + B22 by A11 + A22',
      kernel: 'strassen:tiled',
      pointsAt: /C11|C22|entries/,
      tampering: {
        algorithm: (strassen) =>
          regroup(strassen, {
            'C12 = A11 + A22': [['C12 = B11 + B22']],
            'C21 = B11 + B22': [['C21 = A11 + A22']],
          }),
      },
    },
    {
      name: 'classical-second-half-lost',
      what: 'the second half of k is not added to C22',
      kernel: 'classical:register',
      pointsAt: /C22/,
      tampering: {
        algorithm: (classical) =>
          regroup(classical, { 'T1 = A22 * B22; C22 = C22 + T1': [['T1 = A22 * B22']] }),
      },
    },
  ] satisfies Omit<Fault, 'class' | 'levels'>[]
).map((fault) => ({ ...fault, class: 'schedule', levels: FAST_LEVELS }));

/** How deep in the recursion one product must be for its loss to go unnoticed. */
export const scheduleLadders: readonly Ladder[] = [
  {
    name: 'lost-product',
    class: 'schedule',
    what: 'the last product of the … is never computed',
    kernel: 'strassen:naive',
    levels: FAST_LEVELS,
    rungs: ['1st level', '2nd level', '3rd level'].map((size, at) => ({
      size,
      tampering: {
        program: (made) => {
          const path = `, product ${'7.'.repeat(at)}7:`;
          return { ...made, dispatches: made.dispatches.filter(({ label }) => !label.includes(path)) };
        },
      },
    })),
  },
];
