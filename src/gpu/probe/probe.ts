import type { OpenDevice } from '../device.ts';
import type { ProbeAnswer } from './answer.ts';
import { ask, type QuestionResult } from './ask.ts';
import { measureErrorFree } from './error-free.ts';
import { groups } from './groups.ts';
import type { ProbeFinding } from './question.ts';
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
