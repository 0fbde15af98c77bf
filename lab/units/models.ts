import { bf16, f16 } from '../../src/precision/format.ts';
import type { UnitOperands } from './blocks.ts';
import type { FormatName } from './formats.ts';
import type { MatrixUnit } from './model/unit.ts';
import { matrixUnits } from './model/units.ts';
import type { ResultSection } from './sections.ts';

/** The unit of each kernel of units.cu. */
const ofKernels: Readonly<Record<string, string>> = {
  wgmma_f16: 'hopper-f16',
  mma_f16: 'hopper-f16',
  short_f16: 'hopper-f16-k8',
  wgmma_f16_f16: 'hopper-f16-f16',
  mma_f16_f16: 'hopper-f16-f16',
  wgmma_bf16: 'hopper-bf16',
  mma_bf16: 'hopper-bf16',
  short_bf16: 'hopper-bf16-k8',
  wgmma_tf32: 'hopper-tf32',
  mma_tf32: 'hopper-tf32',
  short_tf32: 'hopper-tf32-k4',
  wgmma_e4m3: 'hopper-e4m3',
  wgmma_e4m3_f16: 'hopper-e4m3-f16',
  mma_e4m3: 'hopper-e4m3-mma',
  wgmma_e5m2: 'hopper-e5m2',
  wgmma_e5m2_f16: 'hopper-e5m2-f16',
  mma_e5m2: 'hopper-e5m2-mma',
  wgmma_int8: 'int8-wraps',
  mma_int8: 'int8-wraps',
  wgmma_int8_sat: 'int8-saturates',
  mma_int8_sat: 'int8-saturates',
  wgmma_uint8: 'uint8-wraps',
  mma_uint8: 'uint8-wraps',
};

/** The unit that libraries use for each format; the second operand of e5m2 is e4m3. */
const ofLibraries: Readonly<Record<FormatName, string>> = {
  f16: 'hopper-f16',
  bf16: 'hopper-bf16',
  tf32: 'hopper-tf32',
  e4m3: 'hopper-e4m3',
  e5m2: 'hopper-e5m2-e4m3',
  int8: 'int8-wraps',
};

export function unitOf({ part, source, format }: ResultSection): MatrixUnit {
  const name = part === 'units' ? ofKernels[source] : ofLibraries[format];
  if (name === undefined) throw new Error(`no model for ${source}`);
  return matrixUnits.find(name);
}

/** Computes D by a unit, with k in slices; each slice begins at zero and is added to the earlier ones in binary32, to nearest. */
export function multiplyByUnit(
  unit: Pick<MatrixUnit, 'multiply' | 'result'>,
  { m, k, n, a, b, c }: UnitOperands,
  slice = k,
): Float64Array {
  // Kernels that sum in f16 round C to it first.
  const begun = c && unit.result === f16 ? c.map(f16.round) : c;
  if (slice >= k) return Float64Array.from(unit.multiply(a, b, begun, { m, k, n }));
  const out = new Float64Array(m * n);
  for (let from = 0; from < k; from += slice) {
    const length = Math.min(slice, k - from);
    const left = new Float64Array(m * length);
    for (let i = 0; i < m; i++) left.set(a.subarray(i * k + from, i * k + from + length), i * length);
    const right = b.subarray(from * n, (from + length) * n);
    const sums = unit.multiply(left, right, undefined, { m, k: length, n });
    for (let at = 0; at < out.length; at++) out[at] = Math.fround(out[at] + sums[at]);
  }
  return out;
}

/** Possible slice lengths of a product of length k: the whole, shares in tiles of 64, and powers of two. */
export function slicesOf(k: number): number[] {
  const lengths = [k];
  for (let parts = 2; parts <= 8; parts++) lengths.push(64 * Math.ceil(k / 64 / parts));
  for (let length = 4; length < k; length *= 2) lengths.push(length);
  return [...new Set(lengths)].filter((length) => length <= k);
}

/** Returns the conversion of a library's sums to the type of its results. */
export function toType(section: ResultSection): (x: number) => number {
  if (section.part === 'units') return (x) => x;
  if (section.type === 'torch.bfloat16') return bf16.round;
  return section.type === 'torch.float16' ? f16.round : (x) => x;
}
