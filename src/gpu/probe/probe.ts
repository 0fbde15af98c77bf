import type { OpenDevice } from '../device.ts';
import type { ProbeAnswer } from './answer.ts';
import { ask, type QuestionResult } from './ask.ts';
import { measureErrorFree } from './error-free.ts';
import type { ProbeFinding, QuestionGroup } from './question.ts';
import { compensationQuestions } from './questions/compensation.ts';
import { contractionQuestions } from './questions/contraction.ts';
import { conversionQuestions } from './questions/conversions.ts';
import { exceptionQuestions } from './questions/exceptions.ts';
import { halfQuestions } from './questions/half.ts';
import { halfConversionQuestions } from './questions/half-conversions.ts';
import { integerQuestions } from './questions/integers.ts';
import { repeatQuestions } from './questions/repeat.ts';
import { roundingQuestions } from './questions/rounding.ts';
import { subnormalQuestions } from './questions/subnormals.ts';
import { zeroQuestions } from './questions/zeros.ts';
import { usedAnswers } from './used.ts';

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

/** All groups of questions, in the order of the report. */
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
