import { flushingOf } from '../../precision/arithmetic.ts';
import type { Arithmetic, OpenDevice } from '../device.ts';
import { ask, type QuestionResult } from './ask.ts';
import { type ErrorFreeFinding, measureErrorFree } from './error-free.ts';
import type { ProbeAnswer, ProbeFinding, QuestionGroup } from './question.ts';
import { compensationQuestions } from './questions/compensation.ts';
import { contractionQuestions } from './questions/contraction.ts';
import { conversionQuestions, halfConversionQuestions } from './questions/conversions.ts';
import { halfQuestions } from './questions/half.ts';
import { integerQuestions } from './questions/integers.ts';
import { repeatQuestions } from './questions/repeat.ts';
import { roundingQuestions } from './questions/rounding.ts';
import { exceptionQuestions, zeroQuestions } from './questions/special-values.ts';
import { subnormalQuestions } from './questions/subnormals.ts';

/** The probe's findings by question, for comparison with the arithmetic in use. */
type ProbeFindings = ReadonlyMap<string, ProbeFinding>;

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

/**
 * Probes a device's arithmetic, in the spirit of Kahan's Paranoia (1983): its behavior, beside WGSL's promises. A question that cannot be
 * asked on the device has the standing `absent`.
 * @throws ParanoiaError device-lost, or another error that the device reports.
 */
export async function probeDevice(open: OpenDevice): Promise<ProbeAnswer[]> {
  const answers: ProbeAnswer[] = [];
  const findings = new Map<string, ProbeFinding>();
  for (const group of groups) {
    for (const asked of await ask(open, group)) {
      const { id, question, promise } = asked.question;
      const finding = judge(asked);
      findings.set(id, finding);
      const { answer, standing } = finding;
      answers.push({ id, group: group.name, question, answer, promise, standing });
    }
  }
  return [...answers, ...usedAnswers(open.arithmetic, findings, await measureErrorFree(open))];
}

function judge(asked: QuestionResult): ProbeFinding {
  if ('refused' in asked) return { answer: `not offered: ${asked.refused}`, standing: 'absent' };
  return asked.question.judge(asked.answers);
}

export const groups: readonly QuestionGroup[] = [
  roundingQuestions,
  contractionQuestions,
  compensationQuestions,
  subnormalQuestions,
  exceptionQuestions,
  zeroQuestions,
  conversionQuestions,
  halfConversionQuestions,
  halfQuestions,
  integerQuestions,
  repeatQuestions,
];
