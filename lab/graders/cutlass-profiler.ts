import type { GraderRequest } from './ask.ts';
import { relativelyEqual } from './comparisons.ts';
import { integers } from './fills.ts';
import type { Grader } from './grader.ts';

const OPTIONS = {
  repository: 'NVIDIA/cutlass',
  file: 'tools/profiler/src/options.cu',
  commit: '02acda7dc19f9972c8543bd88d4060bdf5f8dae8',
};
const asks: readonly GraderRequest[] = [
  { wanted: { m: 1024, k: 1024, n: 1024, apart: true }, fill: integers(-4, 4), before: 'zeros' },
];

/** The verification of CUTLASS's profiler before it times a kernel. */
export const cutlassProfiler: Grader = {
  name: 'cutlass-profiler',
  what: "CUTLASS's profiler: relatively equal within 0.05, values below 1/256 ignored",
  source: 'CUTLASS, tools/profiler/src/options.cu and include/cutlass/relatively_equal.h',
  cites: [
    { ...OPTIONS, line: 291, says: 'uniform whole numbers from −4 to 4' },
    { ...OPTIONS, line: 603, says: 'epsilon = 0.05, compared by relatively_equal of include/cutlass' },
    { ...OPTIONS, line: 605, says: 'nonzero-floor = 1/256' },
  ],
  asked:
    'Its default problem, 1024×1024×1024 with alpha = 1 and beta = 0, of whole numbers; the sizes are those of its manual, whose line was not at hand.',
  blind: [
    'every shape but one',
    'errors below a tenth',
    'beta, layouts other than that of the instance',
    'batches',
  ],
  asks: () => asks,
  reference: 'same',
  rounds: false,
  gaps: 0,
  guards: false,
  passes: relativelyEqual(0.05, 1 / 256),
};
