import type { OpenDevice } from '../device.ts';
import type { ProbeAnswer } from './answer.ts';
import { type Asked, ask } from './ask.ts';
import { measureErrorFree } from './error-free.ts';
import { groups } from './groups.ts';
import type { Finding } from './question.ts';
import { usedAnswers } from './used.ts';

/**
 * Asks a device about its arithmetic, in the spirit of Kahan's Paranoia (1983): what it does, beside what WGSL
 * promises. A question that the device cannot be asked has the standing `absent`.
 * @throws ParanoiaError device-lost, or what else the device reports.
 */
export async function probeDevice(open: OpenDevice): Promise<ProbeAnswer[]> {
  const answers: ProbeAnswer[] = [];
  const findings = new Map<string, Finding>();
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

function judge(asked: Asked): Finding {
  if ('refused' in asked) return { answer: `not offered: ${asked.refused}`, standing: 'absent' };
  return asked.question.judge(asked.answers);
}
