import { ParanoiaError } from '../../base/errors.ts';
import type { CurrentWork, ErrorSource } from '../queue/errors.ts';
import { runShader } from '../queue/run-shader.ts';
import { makeAnsweredCase } from './bits.ts';
import type { AnsweredCase, ProbeQuestion, QuestionGroup } from './question.ts';
import { CASE_WORDS, PROBE_WORKGROUP, probeCases, probeShader } from './shader.ts';

/** The answers to a question, or the reason why it could not be asked. */
export type QuestionResult =
  | { readonly question: ProbeQuestion; readonly answers: readonly AnsweredCase[] }
  | { readonly question: ProbeQuestion; readonly refused: string };

/**
 * Asks the questions of a group. If the device refuses their common shader, each is asked alone.
 * @throws ParanoiaError device-lost or out-of-gpu-memory.
 */
export async function ask(open: ErrorSource, group: QuestionGroup): Promise<QuestionResult[]> {
  const { needs, questions, name } = group;
  if (needs !== undefined && !open.device.features.has(needs.feature)) {
    return questions.map((question) => ({ question, refused: `${needs.feature} is not offered` }));
  }
  try {
    return await askTogether(open, group);
  } catch (error) {
    if (!(error instanceof ParanoiaError) || !REFUSALS.has(error.code)) throw error;
    if (questions.length === 1) return [{ question: questions[0], refused: oneSentence(error.message) }];
    const alone: QuestionResult[] = [];
    for (const question of questions) {
      alone.push(...(await ask(open, { name, questions: [question], ...(needs && { needs }) })));
    }
    return alone;
  }
}

const REFUSALS: ReadonlySet<string> = new Set<ParanoiaError['code']>(['bad-shader', 'gpu-error']);

function oneSentence(message: string): string {
  return message.split('\n')[0];
}

async function askTogether(
  open: ErrorSource,
  { name, needs, questions }: QuestionGroup,
): Promise<QuestionResult[]> {
  const running = { kernel: 'the arithmetic probe', step: name };
  const enable = needs === undefined ? '' : `enable ${needs.enable};`;
  const words = await runCases(open, probeShader(questions, enable), probeCases(questions), running);
  let next = 0;
  return questions.map((question) => ({
    question,
    answers: question.cases.map((operands) => makeAnsweredCase(operands, words[next++])),
  }));
}

/**
 * Runs a shader over cases of {@link CASE_WORDS} words. Each case yields one word.
 * @throws ParanoiaError as the device reports.
 */
export async function runCases(
  open: ErrorSource,
  shader: string,
  input: Uint32Array<ArrayBuffer>,
  running: CurrentWork,
): Promise<Uint32Array> {
  const count = input.length / CASE_WORDS;
  const workgroups = Math.ceil(count / PROBE_WORKGROUP);
  return new Uint32Array(await runShader(open, { shader, input, bytes: 4 * count, workgroups }, running));
}
