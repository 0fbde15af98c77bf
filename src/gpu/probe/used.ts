import { flushingOf } from '../../precision/arithmetic.ts';
import type { Arithmetic, OpenDevice } from '../device.ts';
import type { ProbeAnswer } from './answer.ts';
import type { ErrorFreeFinding } from './error-free.ts';
import type { ProbeFinding } from './question.ts';

/** The probe's findings by question, for comparison with the arithmetic in use. */
export type ProbeFindings = ReadonlyMap<string, ProbeFinding>;

/** A fact that gemm-paranoia relies on, and the questions that must agree with it. */
interface Use {
  readonly id: string;
  readonly question: string;
  readonly say: (arithmetic: Arithmetic) => string;
  readonly ieee: (arithmetic: Arithmetic) => boolean;
  /** Returns the facts that the probe's own questions must have found. */
  readonly agrees: (arithmetic: Arithmetic) => Readonly<Record<string, string>>;
}

const NEAREST = 'to nearest, ties to even';

const uses: readonly Use[] = [
  {
    id: 'used.roundoff',
    question: 'unit roundoff of bounds and sigmas',
    say: ({ rounding }) => (rounding === 'nearest' ? '2^-24' : '2^-23: + or × does not round to nearest'),
    ieee: ({ rounding }) => rounding === 'nearest',
    agrees: ({ rounding }) =>
      rounding === 'nearest'
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
    question: 'fma of the bit-exact model',
    say: ({ fma }) => (fma === 'once' ? 'rounds once' : 'rounds twice'),
    ieee: ({ fma }) => fma === 'once',
    agrees: ({ fma }) => ({ 'f32.fma': fma === 'once' ? 'fused' : 'unfused' }),
  },
  {
    id: 'used.subnormal.operands',
    question: 'subnormal operands of the bit-exact model',
    say: (arithmetic) => (flushingOf(arithmetic).operands ? 'flushed to zero' : 'kept'),
    ieee: (arithmetic) => !flushingOf(arithmetic).operands,
    agrees: (arithmetic) => {
      const fact = flushingOf(arithmetic).operands ? 'flushed' : 'kept';
      return { 'f32.subnormal.operand.add': fact, 'f32.subnormal.operand.mul': fact };
    },
  },
  {
    id: 'used.subnormal.results',
    question: 'subnormal results of the bit-exact model',
    say: (arithmetic) => (flushingOf(arithmetic).below > 0 ? 'flushed to zero' : 'kept'),
    ieee: (arithmetic) => flushingOf(arithmetic).below === 0,
    agrees: (arithmetic) => {
      const fact = flushingOf(arithmetic).below > 0 ? 'flushed' : 'kept';
      return { 'f32.subnormal.result.add': fact, 'f32.subnormal.result.mul': fact };
    },
  },
  {
    id: 'used.exceptions',
    question: 'the check of NaN and infinities applies',
    say: ({ exceptions }) =>
      exceptions ? 'yes: they follow IEEE 754' : 'no: the device computes them its own way',
    ieee: ({ exceptions }) => exceptions,
    agrees: ({ exceptions }) => {
      const asked = ['overflow.add', 'overflow.mul', 'infinity.minus-infinity', 'infinity.times-zero'];
      return exceptions ? Object.fromEntries(asked.map((id) => [`f32.${id}`, 'ieee'])) : {};
    },
  },
  {
    id: 'used.mirror',
    question: 'the CPU repeats + × and fma bit for bit',
    say: ({ modeled }) => (modeled ? 'yes' : 'no: results are not compared with the model'),
    ieee: ({ modeled }) => modeled,
    agrees: () => ({}),
  },
];

const GROUP = 'used by gemm-paranoia';
const PROMISE = 'nothing; bounds, model and checks rely on it';

/** Returns the facts that gemm-paranoia relies on, as rows. A row is `broken` if the probe's own questions found otherwise. */
export function usedAnswers(
  arithmetic: OpenDevice['arithmetic'],
  findings: ProbeFindings,
  errorFree: ErrorFreeFinding,
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

function errorFreeAnswer({ exact, reason }: ErrorFreeFinding): ProbeAnswer {
  return {
    id: 'used.error-free',
    group: GROUP,
    question: 'pairs of f32 can carry rounding errors',
    promise: 'every guarded step; float-float products rely on it',
    answer: exact ? 'yes: guarded TwoSum and TwoProduct are exact' : `no: ${reason}`,
    standing: exact ? 'ieee' : 'allowed',
  };
}
