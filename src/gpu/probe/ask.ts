import { Problem } from '../../problems.ts';
import { compileShader, type Running, readMapped, type Watched, withScopes } from '../errors.ts';
import { answered } from './bits.ts';
import type { Answered, Group, Question } from './question.ts';
import { CASE_WORDS, PROBE_WORKGROUP, probeCases, probeShader } from './shader.ts';

/** The answers to a question, or why it could not be asked. */
export type Asked =
  | { readonly question: Question; readonly answers: readonly Answered[] }
  | { readonly question: Question; readonly refused: string };

/**
 * Asks the questions of a group. Where their shader is refused, each is asked alone.
 * @throws Problem device-lost or out-of-gpu-memory.
 */
export async function ask(open: Watched, group: Group): Promise<Asked[]> {
  const { needs, questions, name } = group;
  if (needs !== undefined && !open.device.features.has(needs.feature)) {
    return questions.map((question) => ({ question, refused: `${needs.feature} is not offered` }));
  }
  try {
    return await askTogether(open, group);
  } catch (error) {
    if (!(error instanceof Problem) || !REFUSALS.has(error.code)) throw error;
    if (questions.length === 1) return [{ question: questions[0], refused: oneSentence(error.message) }];
    const alone: Asked[] = [];
    for (const question of questions) {
      alone.push(...(await ask(open, { name, questions: [question], ...(needs && { needs }) })));
    }
    return alone;
  }
}

const REFUSALS: ReadonlySet<string> = new Set<Problem['code']>(['bad-shader', 'gpu-error']);

function oneSentence(message: string): string {
  return message.split('\n')[0];
}

async function askTogether(open: Watched, { name, needs, questions }: Group): Promise<Asked[]> {
  const running = { kernel: 'the arithmetic probe', step: name };
  const enable = needs === undefined ? '' : `enable ${needs.enable};`;
  const words = await runCases(open, probeShader(questions, enable), probeCases(questions), running);
  let next = 0;
  return questions.map((question) => ({
    question,
    answers: question.cases.map((operands) => answered(operands, words[next++])),
  }));
}

/**
 * Runs a shader over cases of {@link CASE_WORDS} words; each leaves one word.
 * @throws Problem what the device reports.
 */
export async function runCases(
  open: Watched,
  shader: string,
  cases: Uint32Array<ArrayBuffer>,
  running: Running,
): Promise<Uint32Array> {
  const module = await compileShader(open, shader, running);
  const buffers = await withScopes(open, running, () => dispatch(open.device, module, cases));
  const words = new Uint32Array(await readMapped(open, buffers.staging, running));
  for (const buffer of Object.values(buffers)) buffer.destroy();
  return words;
}

async function dispatch(device: GPUDevice, module: GPUShaderModule, cases: Uint32Array<ArrayBuffer>) {
  const count = cases.length / CASE_WORDS;
  const { STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const input = device.createBuffer({ size: cases.byteLength, usage: STORAGE | COPY_DST });
  const output = device.createBuffer({ size: 4 * count, usage: STORAGE | COPY_SRC });
  const staging = device.createBuffer({ size: 4 * count, usage: MAP_READ | COPY_DST });
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
  const bindings = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [input, output].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  device.queue.writeBuffer(input, 0, cases);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, bindings);
  pass.dispatchWorkgroups(Math.ceil(count / PROBE_WORKGROUP));
  pass.end();
  encoder.copyBufferToBuffer(output, 0, staging, 0, 4 * count);
  device.queue.submit([encoder.finish()]);
  return { input, output, staging };
}
