import type { Arithmetic, OpenDevice } from '../device.ts';
import type { ProbeAnswer } from './answer.ts';
import type { ErrorFree } from './error-free.ts';
import type { Finding } from './question.ts';

/** What the probe found of a question, for comparison with what is used. */
export type Findings = ReadonlyMap<string, Finding>;

/** Something gemm-paranoia relies on, and the questions that must agree with it. */
interface Use {
  readonly id: string;
  readonly question: string;
  readonly say: (arithmetic: Arithmetic) => string;
  readonly ieee: (arithmetic: Arithmetic) => boolean;
  /** The facts that the probe's own questions should have found. */
  readonly agrees: (arithmetic: Arithmetic) => Readonly<Record<string, string>>;
}

const NEAREST = 'to nearest, ties to even';

const uses: readonly Use[] = [
  {
    id: 'used.roundoff',
    question: 'the unit roundoff of bounds and sigmas',
    say: ({ roundsToNearest }) => (roundsToNearest ? '2^-24' : '2^-23: + or × does not round to nearest'),
    ieee: ({ roundsToNearest }) => roundsToNearest,
    agrees: ({ roundsToNearest }) =>
      roundsToNearest
        ? {
            'f32.add.ties': NEAREST,
            'f32.add.random': NEAREST,
            'f32.mul.ties': NEAREST,
            'f32.mul.random': NEAREST,
          }
        : {},
  },
  {
    id: 'used.fma',
    question: 'fma of the mirror',
    say: ({ fused }) => (fused ? 'rounds once' : 'rounds twice'),
    ieee: ({ fused }) => fused,
    agrees: ({ fused }) => ({ 'f32.fma': fused ? 'fused' : 'unfused' }),
  },
  {
    id: 'used.subnormal.operands',
    question: 'subnormal operands of the mirror',
    say: ({ flushesOperands }) => (flushesOperands ? 'flushed to zero' : 'kept'),
    ieee: ({ flushesOperands }) => !flushesOperands,
    agrees: ({ flushesOperands }) => {
      const fact = flushesOperands ? 'flushed' : 'kept';
      return { 'f32.subnormal.operand.add': fact, 'f32.subnormal.operand.mul': fact };
    },
  },
  {
    id: 'used.subnormal.results',
    question: 'subnormal results of the mirror',
    say: ({ flushesBelow }) => (flushesBelow > 0 ? 'flushed to zero' : 'kept'),
    ieee: ({ flushesBelow }) => flushesBelow === 0,
    agrees: ({ flushesBelow }) => {
      const fact = flushesBelow > 0 ? 'flushed' : 'kept';
      return { 'f32.subnormal.result.add': fact, 'f32.subnormal.result.mul': fact };
    },
  },
  {
    id: 'used.exceptions',
    question: 'whether the check of NaN and infinities may judge',
    say: ({ exceptionsFollowIeee }) =>
      exceptionsFollowIeee ? 'yes: they follow IEEE 754' : 'no: the device computes them its own way',
    ieee: ({ exceptionsFollowIeee }) => exceptionsFollowIeee,
    agrees: ({ exceptionsFollowIeee }) => {
      const asked = ['overflow.add', 'overflow.mul', 'infinity.minus-infinity', 'infinity.times-zero'];
      return exceptionsFollowIeee ? Object.fromEntries(asked.map((id) => [`f32.${id}`, 'ieee'])) : {};
    },
  },
  {
    id: 'used.mirror',
    question: 'whether the CPU repeats + × and fma bit for bit',
    say: ({ mirrored }) => (mirrored ? 'yes' : 'no: results are not compared with the mirror'),
    ieee: ({ mirrored }) => mirrored,
    agrees: () => ({}),
  },
];

const GROUP = 'used by gemm-paranoia';
const PROMISE = 'nothing; bounds, mirror and checks rely on it';

/** What gemm-paranoia relies on, as rows; `broken` where the probe's own questions found otherwise. */
export function usedAnswers(
  arithmetic: OpenDevice['arithmetic'],
  findings: Findings,
  errorFree: ErrorFree,
): ProbeAnswer[] {
  const answers = uses.map(({ id, question, say, ieee, agrees }): ProbeAnswer => {
    const against = Object.entries(agrees(arithmetic)).filter(
      ([asked, fact]) => findings.has(asked) && findings.get(asked)?.fact !== fact,
    );
    const told = { id, group: GROUP, question, promise: PROMISE };
    if (against.length === 0) {
      return { ...told, answer: say(arithmetic), standing: ieee(arithmetic) ? 'ieee' : 'allowed' };
    }
    const doubts = against.map(([asked]) => `${asked}: ${findings.get(asked)?.answer}`).join('; ');
    return {
      ...told,
      answer: `${say(arithmetic)}, but the probe found otherwise (${doubts})`,
      standing: 'broken',
    };
  });
  return [...answers, errorFreeAnswer(errorFree)];
}

function errorFreeAnswer({ exact, reason }: ErrorFree): ProbeAnswer {
  return {
    id: 'used.error-free',
    group: GROUP,
    question: 'whether pairs of f32 can carry rounding errors',
    promise: 'every guarded step; float-float products rely on it',
    answer: exact ? 'yes: guarded TwoSum and TwoProduct are exact' : `no: ${reason}`,
    standing: exact ? 'ieee' : 'allowed',
  };
}
