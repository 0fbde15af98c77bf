import type { GraderProduct, GraderRequest, MatrixStorageSpec } from './ask.ts';
import { equal } from './comparisons.ts';
import type { Fill } from './fills.ts';
import type { Grader, TestedKernel } from './grader.ts';

const DNN = { repository: 'uxlfoundation/oneDNN', commit: 'v3.7.2' };
const INPUTS = 'tests/benchdnn/inputs/matmul';

const of = (
  m: number,
  k: number,
  n: number,
  batch = 1,
  a?: MatrixStorageSpec,
  b?: MatrixStorageSpec,
): GraderProduct => ({
  ...{ m, k, n, batch },
  ...(a === undefined ? {} : { a }),
  ...(b === undefined ? {} : { b }),
});
const shared = { shared: true };
const plain: readonly GraderProduct[] = [
  ...[of(1, 1, 1), of(10, 30, 1), of(1, 30, 20), of(10, 1, 20), of(1, 300, 1), of(1, 1, 200), of(100, 1, 1)],
  ...[of(10, 30, 20), of(2, 30, 47)],
];
const batches: readonly GraderProduct[] = [
  ...[of(10, 30, 1, 2), of(30, 1, 20, 3), of(30, 30, 20), of(32, 16, 8, 7, {}, shared)],
  ...[of(128, 8, 16, 2, shared), of(16, 73, 8, 2, {}, shared), of(26, 17, 65, 5, shared)],
];
/** Shapes of networks: dlrm, ncf, rnn_t. */
const networks: readonly GraderProduct[] = [
  ...[of(2048, 13, 512), of(2048, 512, 256), of(2048, 256, 128), of(2048, 479, 1024), of(2048, 1024, 1024)],
  ...[of(2048, 1024, 512), of(2048, 256, 1), of(2048, 256, 256), of(2048, 128, 64), of(2048, 128, 1)],
  ...[of(896, 240, 4096), of(896, 1024, 4096), of(896, 2048, 4096), of(896, 320, 1280), of(896, 1344, 512)],
  of(896, 512, 29),
];
const orders = ['row', 'column'] as const;
const byTags = orders.flatMap((a) =>
  orders.flatMap((b) =>
    orders.flatMap((c) =>
      [...plain, ...batches].map((one) => ({
        ...one,
        a: { ...one.a, order: a },
        b: { ...one.b, order: b },
        c: { order: c },
      })),
    ),
  ),
);

/** The largest integers of A and of B, by precision. */
const ranges = { wide: [64, 128], f16: [4, 2], bf16: [4, 8] } as const;
/** The number of terms whose sum is exact; for longer sums, zeros in A keep it. */
const SAFE = { wide: 2 ** 24 / (64 * 128), f16: 2 ** 11 / 8, bf16: 2 ** 8 / 32 };

const fillOf =
  (kind: keyof typeof ranges): Fill =>
  (matrix, random) =>
  ({ k }) => {
    const most = ranges[kind][matrix === 'b' ? 1 : 0];
    const density = matrix === 'a' ? Math.min(1, SAFE[kind] / Math.max(1, k)) : 1;
    return random.uniform01() < density ? random.int(-most, most) : 0;
  };
const asksBy = new Map<string, readonly GraderRequest[]>();

function asksOf({ precision }: TestedKernel): readonly GraderRequest[] {
  const kind = precision.startsWith('f16') ? 'f16' : precision.startsWith('bf16') ? 'bf16' : 'wide';
  const known = asksBy.get(kind);
  if (known !== undefined) return known;
  const fill = fillOf(kind);
  const made = [...plain, ...batches, ...byTags, ...networks].map(
    (wanted): GraderRequest => ({ wanted, fill, before: 'nan', poisonsC: true }),
  );
  asksBy.set(kind, made);
  return made;
}

/** The CI list of benchdnn's matmul. */
export const onednn: Grader = {
  name: 'onednn',
  what: "oneDNN's benchdnn, test_matmul_ci: whole numbers whose sums are exact, every entry equal",
  source: 'oneDNN 3.7.2, tests/benchdnn',
  cites: [
    {
      ...DNN,
      file: `${INPUTS}/test_matmul_ci`,
      line: 6,
      says: 'shapes of networks, then nine of two dimensions and seven of three',
    },
    {
      ...DNN,
      file: `${INPUTS}/test_matmul_ci`,
      line: 35,
      says: 'rows and columns for each of the three matrices',
    },
    {
      ...DNN,
      file: 'tests/benchdnn/matmul/cfg.cpp',
      line: 64,
      says: 'whole numbers to 64 and 128, of float16 to 4 and 2, of bfloat16 to 4 and 8',
    },
    {
      ...DNN,
      file: 'tests/benchdnn/matmul/cfg.cpp',
      line: 44,
      says: 'fewer of them are not 0 where k is long',
    },
    { ...DNN, file: 'tests/benchdnn/utils/compare.hpp', line: 74, says: 'a threshold of 0' },
  ],
  asked:
    '16 shapes to 1×300×1 and 128×8×16, again with every order of each matrix, and 16 of networks; NaN in memory beforehand; without bias, scales and other steps.',
  blind: [
    'rounding errors',
    'NaN and infinities among entries',
    'alpha and beta',
    'leading dimensions, which have a list of their own',
  ],
  asks: asksOf,
  reference: 'same',
  rounds: false,
  gaps: Number.NaN,
  guards: false,
  passes: equal,
};
