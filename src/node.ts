/** The parts of gemm-paranoia that need Node: GPU devices, worker threads, files, and the gate as a function. */
export { type JudgeConfig, judgeKernels } from './config/node/judge-kernels.ts';
export {
  type ExactPool,
  exactProductParallel,
  type HowComputed,
  openExactPool,
  type PoolOptions,
} from './exact/node/pool.ts';
export { findAdapters } from './gpu/node/adapters.ts';
export { type OpenNodeOptions, openNodeDevice } from './gpu/node/open.ts';
export { readNpy, writeNpy } from './matrix/node/npy-file.ts';
export { defineReporter } from './pages/node/reporters.ts';
export type { RunOutcome } from './run/judge.ts';
export type { CellPlan, ErrorStudy, SpeedStudy, Study, StudyProduct } from './study/study.ts';
export { defineStudy } from './study/study.ts';
