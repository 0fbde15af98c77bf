import { ParanoiaError } from '../../base/errors.ts';
import type { CurrentWork, ErrorSource } from '../queue/errors.ts';
import { runShader } from '../queue/run-shader.ts';
import { makeAnsweredCase } from './draws.ts';
import type { AnsweredCase, ProbeQuestion, QuestionGroup } from './question.ts';

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

export const PROBE_WORKGROUP = 64;

/** The words of a case in the buffer: four operands, the question's number, and the zero that guards read. */
export const CASE_WORDS = 8;

/**
 * Returns a shader that answers questions; each invocation answers one case. Operands come from a buffer and answers leave as bits, so that
 * no compiler can fold or canonicalize them.
 */
function probeShader(questions: readonly ProbeQuestion[], enable = ''): string {
  const functions = questions.map(
    ({ wgsl }, i) => `fn question${i}(v: vec4u) -> u32 {
  let x = bitcast<f32>(v.x); let y = bitcast<f32>(v.y); let z = bitcast<f32>(v.z);
  ${wgsl}
}`,
  );
  const choices = questions.map((_, i) => `    case ${i}u: { answers[id.x] = question${i}(v); }`);
  return /* wgsl */ `${enable}
@group(0) @binding(0) var<storage, read> asked: array<array<vec4u, 2>>;
@group(0) @binding(1) var<storage, read_write> answers: array<u32>;
var<private> zero: u32;

fn bits(a: f32) -> u32 { return bitcast<u32>(a); }
fn trip(a: f32) -> f32 { return bitcast<f32>(bitcast<u32>(a)); }
fn guard(a: f32) -> f32 { return bitcast<f32>(bitcast<u32>(a) ^ zero); }

${functions.join('\n')}

@compute @workgroup_size(${PROBE_WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&answers)) { return; }
  let v = asked[id.x][0];
  zero = asked[id.x][1].y;
  switch asked[id.x][1].x {
${choices.join('\n')}
    default: {}
  }
}`;
}

/** Returns the buffer of cases that {@link probeShader} reads. */
function probeCases(questions: readonly ProbeQuestion[]): Uint32Array<ArrayBuffer> {
  const all = questions.flatMap(({ cases }, i) => cases.map((words) => ({ words, i })));
  const data = new Uint32Array(all.length * CASE_WORDS);
  for (const [at, { words, i }] of all.entries())
    data.set([...words, 0, 0, 0, 0].slice(0, 4).concat(i), at * CASE_WORDS);
  return data;
}
