import type { GraderRequest, MatrixStorageSpec } from './ask.ts';
import { equal } from './comparisons.ts';
import { integers } from './fills.ts';
import type { Grader, TestedKernel } from './grader.ts';

const BED = {
  repository: 'NVIDIA/cutlass',
  file: 'test/unit/gemm/device/testbed.h',
  commit: '0832cfc0ac1e5964eb02d3c37a15f52134948ebf',
};

/** Transposes as layouts: row-major and column-major. */
const layouts: readonly MatrixStorageSpec[] = [{ order: 'row' }, { order: 'column' }];
const asksBy = new Map<boolean, readonly GraderRequest[]>();

/** Requests for a kernel of the precision: 16-bit formats on matrix units, others on plain threads. */
function asksOf({ precision }: TestedKernel): readonly GraderRequest[] {
  const isNarrow = /^(f16|bf16)/.test(precision);
  const known = asksBy.get(isNarrow);
  if (known !== undefined) return known;
  // Entries in 128 bits; the tile of k and the stages of a typical instance.
  const [align, tile, stages] = isNarrow ? [8, 32, 3] : [1, 8, 2];
  const made = layouts.flatMap((a) =>
    layouts.flatMap((b) =>
      [align, 512 - 3 * align].flatMap((m) =>
        [align, 512 - 2 * align].flatMap((n) =>
          [align, tile * (stages + 1) - align].map(
            (k): GraderRequest => ({
              wanted: { m, k, n, a, b, alpha: 1, beta: 2, apart: true },
              fill: isNarrow ? integers(-5, 5) : integers(-8, 8),
              before: 'zeros',
            }),
          ),
        ),
      ),
    ),
  );
  asksBy.set(isNarrow, made);
  return made;
}

/** The testbed of CUTLASS's unit tests. */
export const cutlassTestbed: Grader = {
  name: 'cutlass-testbed',
  what: "CUTLASS's unit tests of device GEMMs: small whole numbers, every entry equal to that of the host",
  source: 'CUTLASS, test/unit/gemm/device/testbed.h',
  cites: [
    { ...BED, line: 128, says: 'whole numbers from −8 to 8, from −5 to 5 where results have 16 bits' },
    { ...BED, line: 215, says: 'TensorEquals of the host reference and the result' },
    {
      ...BED,
      line: 430,
      says: 'm, n and k: the alignment, and 512 − 3, 512 − 2 alignments, one less than all stages of k; alpha 1, beta 2',
    },
  ],
  asked:
    'Eight shapes to 509×23×510 with beta = 2, D apart from C, for each pair of layouts, as instances are written for each; of one product as that of an instance, whose tiles of k are taken for 8 in two stages, or 32 in three of 16 bits.',
  blind: [
    'long sums',
    'both sizes beyond 512',
    'beta = 0, and alpha other than 1',
    'what rounding shows',
    'batches',
  ],
  asks: asksOf,
  reference: 'same',
  rounds: false,
  gaps: 0,
  guards: false,
  passes: equal,
};
