/**
 * gemm-paranoia: can this matrix multiplication be trusted? Everything here runs in Node and in browsers. The parts that need Node (GPU
 * devices, files, threads, programs) are in `gemm-paranoia/node`; the extensions of Vitest are in `gemm-paranoia/vitest`.
 */

// Definitions that users write.
export type { Algorithm } from './algorithms/algorithm.ts';
export { findAlgorithm } from './algorithms/algorithms.ts';
export { defineAlgorithm } from './algorithms/define-algorithm.ts';
// Errors and exit codes.
export { EXIT, ParanoiaError } from './base/errors.ts';
export { type Config, defineConfig } from './config/config.ts';
export { type GateCall, gate } from './config/gate.ts';
export type { Check } from './evidence/checks/check.ts';
export { defineCheck } from './evidence/checks/define-check.ts';
export type { Evidence } from './evidence/evidence.ts';
// One product: its plan, its error bounds, its measurements, and its verdict.
export { judgeProduct } from './evidence/judge-product.ts';
export { exactProduct } from './exact/exact.ts';
export { computationIn } from './gpu/computation.ts';
export type { OpenDevice } from './gpu/device.ts';
export { openAdapter } from './gpu/open.ts';
export { defineInput } from './inputs/define-input.ts';
export type { InputFamily } from './inputs/input.ts';
export { findInput } from './inputs/inputs.ts';
export { inspectKernel } from './inspect/inspect-kernel.ts';
export type { Claims } from './kernels/claims.ts';
export { type LibraryOptions, libraryKernel } from './kernels/clients/library-kernel.ts';
export {
  defineKernel,
  type FunctionKernel,
  type GpuCall,
  type UserKernel,
} from './kernels/user-kernel.ts';
export { type Matrix, matrix, transpose } from './matrix/dense.ts';
export type { Gemm } from './matrix/gemm.ts';
export type { Entries } from './matrix/operands.ts';
// Results of a gate.
export { readResults } from './pages/read-results.ts';
export { compile } from './plan/compile.ts';
export type { Plan } from './plan/plan.ts';
export { definePrecision } from './precision/define-precision.ts';
export type { Precision } from './precision/precision.ts';
export { precisions } from './precision/precisions.ts';
export { type Case, formatCase, parseCase } from './problem/case.ts';
export type { GemmProblem } from './problem/problem.ts';
export { aPriori } from './readers/a-priori.ts';
export { analyze } from './readers/analysis.ts';
export { cost } from './readers/cost.ts';
export { describePlan } from './readers/describe.ts';
export { mergeResults } from './run/merge.ts';
export type { Results } from './run/results.ts';
