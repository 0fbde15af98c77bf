import { type DeviceOperations, deviceStep } from '../../epilogue/device-steps.ts';
import type { EntryNumbers, EntrySizes } from '../../epilogue/entry-numbers.ts';
import type { EpilogueCall } from '../../matrix/epilogue-call.ts';
import { literal } from '../../precision/wgsl/numeric.ts';

/** The words that say where a tensor's numbers are: its first one, and the distances to the next product, row and column. */
const PLACE = 4;

/** The steps behind a product in WGSL, and their numbers. */
export interface EpilogueShader {
  /**
   * Returns WGSL that declares the words at a binding, and `fn behind(sum: f32, product: u32, i: u32, j: u32) -> f32`: the entry of D for
   * a complete sum.
   */
  declare(binding: number): string;
  readonly words: Uint32Array;
}

/** Builds the shader of steps. Its text depends on their names alone: places and settings are in the words. */
export function epilogueShader(steps: readonly EpilogueCall[], sizes: EntrySizes): EpilogueShader {
  const all = steps.map(({ step, ...settings }) => ({ name: step, of: deviceStep(step), settings }));
  const numbers = all.map(({ of, settings }) => of.numbers?.(settings) ?? []);
  let at = 0;
  const lines = all.map(({ of }, step) => {
    const own = numbers[step].map(() => `number(${at++}u, product, i, j)`);
    return `  x = ${of.formula('x', own, wgslOperations)};`;
  });
  return { words: wordsOf(numbers.flat(), sizes), declare: (binding) => textOf(lines, binding) };
}

/** Operations in WGSL. The sum with a zero that no compiler knows keeps a product from being contracted with a later sum. */
const wgslOperations: DeviceOperations<string> = {
  constant: (x) => `f32(${literal(Math.fround(x))})`,
  add: (x, y) => `(${x} + ${y})`,
  multiply: (x, y) => `fma(${x}, ${y}, bitcast<f32>(params.zero))`,
  above: (x, y, then, other) => `select(${other}, ${then}, ${x} > ${y})`,
  nearest: (x) => `round(${x})`,
  tanh: (x) => `tanhOf(${x})`,
  sigmoid: (x) => `sigmoidOf(${x})`,
};

/** The number below which 1 + e^-x is more than 2^126, beyond which WGSL says nothing of quotients. */
const LEAST_SIGMOID = -87.3365;

/** The number from which on tanh is 1 in binary32. Its formula by sinh and cosh may overflow. */
const MOST_TANH = 10;

const textOf = (
  lines: readonly string[],
  binding: number,
): string => `@group(0) @binding(${binding}) var<storage, read_write> behindWords: array<u32>;
fn number(at: u32, product: u32, i: u32, j: u32) -> f32 {
  let place = ${PLACE}u * at;
  let apart = vec3<u32>(behindWords[place + 1u], behindWords[place + 2u], behindWords[place + 3u]);
  return bitcast<f32>(behindWords[behindWords[place] + product * apart.x + i * apart.y + j * apart.z]);
}
fn tanhOf(x: f32) -> f32 {
  return select(select(tanh(x), -1.0, x < -${MOST_TANH}.0), 1.0, x > ${MOST_TANH}.0);
}
fn sigmoidOf(x: f32) -> f32 {
  return select(1.0 / (1.0 + exp(-x)), 0.0, x < ${LEAST_SIGMOID});
}
fn behind(sum: f32, product: u32, i: u32, j: u32) -> f32 {
  var x = sum;
${lines.join('\n')}
  return x;
}`;

/** Returns the places of tensors, then their numbers in binary32. */
function wordsOf(numbers: readonly EntryNumbers[], { m }: EntrySizes): Uint32Array {
  const lists = numbers.map((one) => (typeof one === 'number' ? [one] : one.data));
  const starts = PLACE * numbers.length;
  const words = new Uint32Array(lists.reduce((sum, { length }) => sum + length, Math.max(1, starts)));
  const values = new Float32Array(words.buffer);
  let from = starts;
  for (const [at, one] of numbers.entries()) {
    words.set([from, ...distancesOf(one, m)], PLACE * at);
    values.set(lists[at], from);
    from += lists[at].length;
  }
  return words;
}

/** Returns the distances from a number to that of the next product, row and column. */
function distancesOf(numbers: EntryNumbers, m: number): [product: number, row: number, col: number] {
  if (typeof numbers === 'number') return [0, 0, 0];
  const { rows, cols } = numbers;
  const row = rows === 1 ? 0 : cols;
  return [rows > m ? m * cols : 0, row, cols === 1 ? 0 : 1];
}
