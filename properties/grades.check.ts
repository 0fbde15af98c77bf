import { beforeAll, describe, expect, it } from 'vitest';
import { stillClock } from '../src/base/time.ts';
import type { ReachedGrade } from '../src/evidence/grade.ts';
import { gradeKernel } from '../src/evidence/grade-kernel.ts';
import { inspectKernel } from '../src/inspect/inspect-kernel.ts';
import { readRunFactor } from '../src/vitest/check-law.ts';
import { asKernel, type GradedKernel, gradedKernels } from './graded-kernels.ts';
import { publishedName, publishedSlope } from './published-tests.ts';

/** True if the run makes the whole committed table, which takes long: with PARANOIA_RUNS above 1. */
const isWhole = readRunFactor() > 1;
const SIZES = isWhole ? [16, 32, 64, 128, 256] : [16, 32, 64];
const SEED = 1;

/** Kernels that are also inspected. */
const ASKED = ['classical', 'fixed point, 100 bits a row', 'Strassen, 1 level', 'zeros'];
/** Kernels with grade A in the published tests, but not in ours. */
const STRICTER = ['sums cut off, claimed to be rounded', 'operands of 48 bits'];

interface Row {
  readonly kernel: string;
  readonly theirs: string;
  readonly theirSlope: number;
  readonly ours: string;
  readonly slope: number | undefined;
  readonly ratio: number;
  readonly grade: ReachedGrade;
}

async function rowOf(kernel: GradedKernel): Promise<Row> {
  const { multiply, levels } = kernel;
  const graded = await gradeKernel(asKernel(kernel), { sizes: SIZES, seed: SEED, method: { levels } });
  // Their tests know the block size at which recursion stops: 16.
  const named = [16, 64, 128]
    .filter((n) => n >= 16 * 2 ** levels)
    .map((n) => publishedName(multiply, n, SEED));
  return {
    kernel: kernel.name,
    // The name at the size that shows most.
    theirs: named.find((name) => name.endsWith('fixed point')) ?? named[named.length - 1],
    theirSlope: publishedSlope(multiply, SIZES, SEED),
    ours: graded.named,
    slope: graded.slope,
    ratio: graded.trials.reduce((most, { worst }) => Math.max(most, worst.A.ratio), 0),
    grade: graded.grade,
  };
}

const isTheirA = ({ theirs, theirSlope }: Row) =>
  theirs === 'classical in floating point' && !(theirSlope > 1);
const rows: Row[] = [];

beforeAll(async () => {
  for (const kernel of gradedKernels.filter(
    ({ name }, at) => isWhole || at % 12 === 0 || ASKED.includes(name),
  ))
    rows.push(await rowOf(kernel));
}, 300_000);

describe('the grade of kernels that bracket every threshold', () => {
  it('is A only where the published tests say the same of algorithm and growth', () => {
    for (const row of rows.filter(({ grade }) => grade === 'A')) expect(row).toSatisfy(isTheirA);
  });

  it('is not A, where theirs is, for errors between our bound and ten times it alone', () => {
    const apart = rows.filter((row) => row.grade !== 'A' && isTheirA(row));
    expect(apart.map(({ kernel }) => kernel)).toEqual(
      STRICTER.filter((name) => rows.some(({ kernel }) => kernel === name)),
    );
    for (const { ratio } of apart) expect(ratio).toBeLessThan(10);
  });

  it('names the algorithm as they do', () => {
    for (const { kernel, ours, theirs } of rows) expect(`${kernel}: ${ours}`).toBe(`${kernel}: ${theirs}`);
  });

  it('is that of an inspection', async () => {
    for (const name of ASKED) {
      const kernel = gradedKernels.find((one) => one.name === name);
      if (kernel === undefined) throw new Error(`There is no ${name}.`);
      const { measures } = await inspectKernel(asKernel(kernel), {
        quick: true,
        sizes: [16],
        clock: stillClock,
      });
      // The inspection of a wrong product ends before it finds a grade.
      const grade = name === 'zeros' ? undefined : rows.find((row) => row.kernel === name)?.grade;
      expect([name, measures.grade]).toEqual([name, grade]);
    }
  });

  it.runIf(isWhole)('is the committed table', async () => {
    await expect(page(rows)).toMatchFileSnapshot('../reports/grades/README.md');
  });
});

const digits = (x: number | undefined) =>
  x === undefined || Number.isNaN(x) ? '–' : x === Number.POSITIVE_INFINITY ? '∞' : x.toPrecision(2);

function page(all: readonly Row[]): string {
  const lines = all.map(
    (row) =>
      `| ${row.kernel} | ${row.theirs} | ${digits(row.theirSlope)} | ${isTheirA(row) ? 'A' : 'not A'} | ${row.ours} | ${digits(row.slope)} | ${digits(row.ratio)} | ${row.grade === 'none' ? 'none' : row.grade} |`,
  );
  return `# Grades, ours and published

Our grade is A nowhere where the published one is not. The kernels are in binary64, and every rounding of theirs is known: n = ${SIZES.join(', ')}.

| columns | source |
| --- | --- |
| published | tests 2, 4 and 6 of NVIDIA (CUDALibrarySamples, cuBLAS/Emulation/gemm_grading); the slope of the largest componentwise error against n. A kernel that adds as their reference does has no slope (–). A is a classical method in floating point whose slope is at most 1 |
| ours | \`toBeGrade\` and \`inspect\`; the largest error of all products, in units of the bound of A |

| kernel | published name | slope | grade | our name | slope | error / A | grade |
| --- | --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}

Made by \`PARANOIA_RUNS=2 npx vitest run -c config/vitest.nightly.ts properties/grades.check.ts -u\`.
`;
}
