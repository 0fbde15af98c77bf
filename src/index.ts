/**
 * gemm-paranoia: can this matrix multiplication be trusted? Everything here runs in Node and in browsers; what needs
 * Node (opening its GPU devices, files, worker threads) is in `gemm-paranoia/node`.
 */
export { absoluteProduct } from './accuracy/absolute-product.ts';
export * from './accuracy/growth.ts';
export * from './accuracy/measures.ts';
export { operandSize } from './accuracy/operand-size.ts';
export { quadrantPath } from './accuracy/quadrant-path.ts';
export { inSigmas } from './accuracy/sigmas.ts';
export type { Algorithm } from './algorithms/algorithm.ts';
export { algorithms, findAlgorithm } from './algorithms/algorithms.ts';
export { brentViolations } from './algorithms/brent.ts';
export { growthByBlock, growthFactor } from './algorithms/stability.ts';
export { scheduleFaults } from './algorithms/verify-schedule.ts';
export { type Config, defineConfig } from './config/config.ts';
export type { Arithmetic } from './formats/arithmetic.ts';
export { arithmetic32, fma32 } from './formats/arithmetic32.ts';
export { bf16, type Format, f16, f32, f32x2, f64, tf32 } from './formats/format.ts';
export { findPrecision, type Precision, type PrecisionName, precisions } from './formats/precision.ts';
export { type Campaign, defaultCampaign } from './gate/campaign.ts';
export { type Case, formatCase, parseCase } from './gate/case.ts';
export { defaultThresholds, type Thresholds } from './gate/checks/check.ts';
export { type Evidence, Laboratory } from './gate/evidence.ts';
export { judgeProduct, type ProductOptions, type ProductVerdict } from './gate/judge-product.ts';
export { type MergeOptions, mergeResults } from './gate/merge.ts';
export { planCampaign } from './gate/plan-campaign.ts';
export type { CaseResult, CheckResult, Results, Verdict } from './gate/results.ts';
export { type GateOptions, runGate } from './gate/run-gate.ts';
export { casesOfShard, type Shard, shardOf } from './gate/shard.ts';
export type { Waiver } from './gate/waivers.ts';
export { type Computation, computationIn } from './gpu/computation.ts';
export type { Fingerprint, OpenDevice } from './gpu/device.ts';
export { program } from './gpu/dispatches.ts';
export { exactProductOnGpu, type GpuExactProduct, type GpuExactReport } from './gpu/exact/exact-on-gpu.ts';
export { execute } from './gpu/execute.ts';
export type { Execution } from './gpu/execution.ts';
export { findLeaf, leaves } from './gpu/leaves/leaves.ts';
export { openAdapter } from './gpu/open.ts';
export { measureErrorFree } from './gpu/probe/error-free.ts';
export { probeDevice } from './gpu/probe/probe.ts';
export type { InputFamily, InputPair } from './inputs/input.ts';
export { findInput, inputs } from './inputs/inputs.ts';
export { contradictions, promisesOf } from './inspect/contradictions.ts';
export { type InspectOptions, inspectKernel } from './inspect/inspect-kernel.ts';
export type { Finding, Inspection } from './inspect/inspection.ts';
export { builtinKernel, builtinNames } from './kernel/builtin.ts';
export type { Claims, KernelSpec, Order } from './kernel/claims.ts';
export type { Kernel } from './kernel/kernel.ts';
export type { OperandLayout } from './kernel/operand-layout.ts';
export { multiplyScaled, type ScaledAnswer, type ScaledRequest, scaledPlan } from './kernel/scaled.ts';
export {
  type Call,
  defineKernel,
  type Entries,
  type FunctionKernel,
  type GpuCall,
  type GpuKernel,
  type ProgramKernel,
  type UserKernel,
  type WgslKernel,
} from './kernel/user-kernel.ts';
export { type Matrix, matrix, type Shape, transpose } from './matrix/dense.ts';
export { dumpNpy, parseNpy } from './matrix/npy.ts';
export { compile, type PlanOptions } from './plan/compile.ts';
export type { Border, Edge, Plan, Scaling, Step, Style } from './plan/plan.ts';
export { EXIT, Problem } from './problems.ts';
export { aPriori } from './readers/a-priori.ts';
export { type Analysis, analyse } from './readers/analysis.ts';
export { cost } from './readers/cost.ts';
export { describePlan } from './readers/describe.ts';
export { runMirror } from './readers/mirror.ts';
export { type Engine, type EngineHere, engineHere } from './reference/engine.ts';
export { type ExactProduct, exactProduct } from './reference/exact.ts';
export { goldProduct } from './reference/gold.ts';
export { sampledProduct } from './reference/sampled.ts';
export { exactScaledProduct } from './reference/scaled-product.ts';
export { readResults } from './report/read-results.ts';
