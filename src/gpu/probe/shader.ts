import type { ProbeQuestion } from './question.ts';

/** The invocations of a workgroup. */
export const PROBE_WORKGROUP = 64;

/** The words of a case in the buffer: four operands, the question's number, and the zero that guards read. */
export const CASE_WORDS = 8;

/**
 * Returns a shader that answers questions; each invocation answers one case. Operands come from a buffer and answers leave as bits, so that
 * no compiler can fold or canonicalize them.
 */
export function probeShader(questions: readonly ProbeQuestion[], enable = ''): string {
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
export function probeCases(questions: readonly ProbeQuestion[]): Uint32Array<ArrayBuffer> {
  const all = questions.flatMap(({ cases }, i) => cases.map((words) => ({ words, i })));
  const data = new Uint32Array(all.length * CASE_WORDS);
  for (const [at, { words, i }] of all.entries())
    data.set([...words, 0, 0, 0, 0].slice(0, 4).concat(i), at * CASE_WORDS);
  return data;
}
