import { growthOfKernel } from '../../src/algorithms/growth.ts';
import { ParanoiaError } from '../../src/base/errors.ts';
import { createRandom } from '../../src/base/random.ts';
import { whyExceeded } from '../../src/gpu/wgsl/leaves/leaf.ts';
import { leaves } from '../../src/gpu/wgsl/leaves/leaves.ts';
import { inputOf } from '../../src/inputs/edits/edited-family.ts';
import { editKinds } from '../../src/inputs/edits/edits.ts';
import { listDefaultInputs } from '../../src/inputs/inputs.ts';
import { allBuiltinNames, builtinPlan, findStyled } from '../../src/kernels/builtin-plan.ts';
import { checkCase } from '../../src/kernels/check-case.ts';

import type { Matrix } from '../../src/matrix/dense.ts';
import type { Scaling } from '../../src/matrix/factor.ts';
import { scalingOf } from '../../src/matrix/gemm.ts';
import { type Plan, styles } from '../../src/plan/plan.ts';
import { type Arithmetic, emulated } from '../../src/precision/arithmetic.ts';
import { type Format, f16, f32, tinyOf } from '../../src/precision/format.ts';
import type { Computation } from '../../src/precision/precision.ts';
import { precisionNames, precisions } from '../../src/precision/precisions.ts';
import {
  type Case,
  type CaseFields,
  caseOf,
  changeCase,
  formatCase,
  parseCase,
} from '../../src/problem/case.ts';
import { fringes, tails } from '../../src/problem/method.ts';
import { analyze } from '../../src/readers/analysis.ts';
import { scaledPlan } from '../scaled.ts';

// All dependencies of the contract of digests on the code beneath it. If that code is renamed or moved, only this file changes.

/** Recorded arithmetics, so that digests do not depend on the device at hand. Binary64 is computed in integers on both. */
const arithmetics = {
  /** Arithmetic as measured on SwiftShader: fma rounds twice, subnormals are flushed, binary16 is emulated. */
  'rounds-twice': { f32: flushing(f32, 'twice'), f16: emulated },
  /** Arithmetic as measured on an H200: fma rounds once. Its binary16 flushes here, so that the path of native binary16 is read too. */
  'rounds-once': { f32: flushing(f32, 'once'), f16: flushing(f16, 'once') },
} as const satisfies Record<string, Record<'f32' | 'f16', Arithmetic>>;

function flushing(format: Format, fma: Arithmetic['fma']): Arithmetic {
  return { ...emulated, fma, subnormals: { operands: true, below: tinyOf(format).afterRounding } };
}

/** A device with recorded arithmetic. */
export type Device = keyof typeof arithmetics;
export const devices = Object.keys(arithmetics) as readonly Device[];

function computationOf(device: Device, name: string): Computation {
  const { f32, f16 } = arithmetics[device];
  const precision = precisions.find(name);
  const { exceptions } = precision.accumulated;
  const arithmetic = name === 'f64' ? emulated : name === 'f16' ? f16 : { ...f32, exceptions };
  return { precision, arithmetic };
}

/** The readings of a case: entries of m×n matrices, row by row; a matrix that does not exist is absent. */
export interface Readings {
  readonly model: ArrayLike<number>;
  readonly bound?: ArrayLike<number> | undefined;
  readonly sigma?: ArrayLike<number> | undefined;
}

/**
 * Reads the model, the running bound and sigma of a case on a device. With alpha and beta, C is uniform on [−1, 1].
 * @param text a case, with alpha and beta after it where its product is scaled: `…;m=3;k=4;n=5;seed=1;alpha=2;beta=-1`.
 * @throws Problem where there is no such case.
 */
export function readingsOf(text: string, device: Device): Readings {
  const { value, scaling } = parse(text);
  const {
    problem: { m, k, n, seed, init, precision },
    method: { levels },
  } = value;
  const growth = growthOfKernel(value.kernel);
  const request = { m, k, n, levels, growth, seed, precision: precisions.find(precision) };
  const { a, b } = inputOf(value.problem).generate({ ...request, init });
  const before = scaling === undefined || scaling.beta === 0 ? undefined : addend(m, n, seed);
  const read = analyze(planOf(value, scaling), a, b, computationOf(device, precision), before);
  return { model: read.model.data, bound: read.bound.data, sigma: read.sigma.data };
}

/** Returns the number of scalar multiplications in the plan of a case; undefined where there is no such case. */
export function workOf(text: string): number | undefined {
  try {
    const { value, scaling } = parse(text);
    checkCase(changeCase(value, { alpha: 1, beta: 0 }));
    const products = planOf(value, scaling).steps.filter((step) => step.kind === 'multiply');
    return products.reduce((sum, { shape: { m, k, n } }) => sum + m * k * n, 0);
  } catch (error) {
    if (error instanceof ParanoiaError) return undefined;
    throw error;
  }
}

/** Returns the canonical text of a case. */
export const textOf = (said: CaseFields): string => formatCase(caseOf(said));

/** The limits of SwiftShader. Kernels that need more are for GPUs. */
const HERE = {
  limits: { maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupStorageSize: 32_768 },
  subgroup: 4,
};
const demanding = leaves.filter((leaf) => whyExceeded(leaf, HERE) !== undefined).map(({ name }) => name);
const styleOf = (kernel: string) => findStyled(kernel.split(':')[1])?.style ?? 'scheduled';

/** The space that cases are drawn from. */
export const space = {
  kernels: allBuiltinNames.filter((name) => !demanding.includes(name.split(':')[1])),
  /** One kernel for each way of executing an algorithm, so that no way is rare among the many leaf kernels. */
  ways: allBuiltinNames.filter((name) =>
    /:(naive|register|wide|fused|fused-hybrid|fused-atomic)$/.test(name),
  ),
  canScale: (kernel: string) => styles[styleOf(kernel)].levels > 0,
  /** True if a kernel may compute in two words: unordered sums have single words. */
  canBeWide: (kernel: string) => styles[styleOf(kernel)].ordered,
  fringes,
  tails,
  inputs: listDefaultInputs().map(({ name }) => name),
  edits: editKinds.map(({ name }) => name),
  precisions: precisionNames,
  isWide: (precision: string) => precision === 'f64' || precision === 'f32x2',
};

function parse(text: string): { value: Case; scaling: Scaling | undefined } {
  const value = parseCase(text);
  const { alpha, beta } = scalingOf(value.problem);
  return { value, scaling: text.includes(';alpha=') ? { alpha, beta } : undefined };
}

function planOf(value: Case, scaling: Scaling | undefined): Plan {
  const {
    kernel,
    method: { levels },
  } = value;
  return scaling === undefined
    ? builtinPlan(kernel, value.problem, value.method)
    : scaledPlan(kernel, value.problem, levels, scaling);
}

function addend(rows: number, cols: number, seed: number): Matrix {
  const random = createRandom(seed, 900);
  return { rows, cols, data: Float32Array.from({ length: rows * cols }, () => random.uniform(-1, 1)) };
}
