import { EXIT } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import { withoutUndefined } from '../../base/objects.ts';
import { itemsOfConfig } from '../../config/node/items-of-config.ts';
import { Evaluator } from '../../evidence/evaluate.ts';
import type { JudgingItems } from '../../evidence/items.ts';
import { oracleOn } from '../../evidence/oracle.ts';
import { gemmFor, planOf } from '../../evidence/prepare.ts';
import { measured } from '../../evidence/reference.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { checkRoom } from '../../gpu/runner/panels.ts';
import { tuningSentences } from '../../gpu/tuning/tuning.ts';
import { findLeaf } from '../../gpu/wgsl/leaves/leaves.ts';
import { fillMatrix } from '../../inputs/fitted.ts';
import { findStyled, parseKernelName } from '../../kernels/builtin-plan.ts';
import { modelKernel } from '../../kernels/model-kernel.ts';
import { type Matrix, productShape, type Shape } from '../../matrix/dense.ts';
import { requestedGemm } from '../../matrix/gemm.ts';
import { readNpy } from '../../matrix/node/npy-file.ts';
import { conflictingOptions, missingOption } from '../../options/messages.ts';
import { asJson, measurementFacts, type OwnMatrices, type RoundingEffect } from '../../pages/measurement.ts';
import { levelsFor } from '../../plan/levels.ts';
import { quantize } from '../../precision/coding/quantize.ts';
import type { Format } from '../../precision/format.ts';
import type { Precision } from '../../precision/precision.ts';
import { isComplex } from '../../precision/precisions.ts';
import { type Case, caseOf } from '../../problem/case.ts';
import { requirePossible } from '../../problem/why-impossible.ts';
import { choiceOf, kernelOf } from '../../run/kernel-of.ts';
import { requireHostRoom } from '../../run/node/host-room.ts';
import { entryOverflows } from '../messages.ts';
import { printTables } from '../print-tables.ts';
import { layoutsOf } from './layouts.ts';
import { type MeasureRequest, readDepth } from './options.ts';

/** Measures one product. @returns the exit code */
export async function runMeasure(request: MeasureRequest): Promise<number> {
  const items = await itemsOfConfig(request.config, request.algorithm);
  const { value, files, on } = await asked(request, items);
  const open = await openNodeDevice({ adapter: request.adapter, toggles: request.toggles });
  const pool = openExactPool();
  try {
    const ours = await kernelOf(choiceOf(value), open, items);
    // The plan of the leaf kernel, whose tile decides the padding, even where the bit-exact model computes.
    const kernel =
      on === 'model' ? { ...modelKernel(ours.algorithm, ours, items.algorithms), plan: ours.plan } : ours;
    const plan = planOf(value, kernel);
    // Checked before operands are made, which takes minutes for the largest.
    const executable = kernel.executable?.(plan);
    if (executable !== undefined) checkRoom(open, executable);
    for (const sentence of on === 'gpu' ? tuningSentences(open) : []) say(sentence);
    announce(requestedGemm(gemmFor(value, kernel)));
    const oracle = oracleOn({
      ...{ device: () => (on === 'gpu' ? open : undefined), say },
      ...{ cpu: pool.product, threads: pool },
    });
    const evaluator = new Evaluator(oracle, { items, effort: measured });
    const { seed, precision, input } = value.problem;
    const operands = files === undefined ? undefined : { ...files, seed };
    const job =
      operands === undefined
        ? await evaluator.prepare(value, kernel)
        : { kernel, plan, operands, gemm: gemmFor(value, kernel) };
    const evidence = await evaluator.evaluate(job, open);
    const about = {
      ...{ kernel: kernel.name, input: files === undefined ? input : 'own matrices', seed, precision, on },
      rounded: files?.rounding,
    };
    if (request.json === true) console.log(JSON.stringify(asJson(evidence, about), undefined, 2));
    else printTables(measurementFacts(evidence, about));
    return evidence.outcomes[0].unwritten === 0 ? EXIT.pass : EXIT.fail;
  } finally {
    open.close();
    await pool.close();
  }
}

/** The product that flags describe. */
interface Asked {
  readonly value: Case;
  /** The user's own matrices, instead of the case's input. */
  readonly files: OwnMatrices | undefined;
  readonly on: 'gpu' | 'model';
}

/** Reads the flags. @throws ParanoiaError for products that cannot be measured, before anything is opened */
async function asked(
  request: MeasureRequest,
  { algorithms, inputs, precisions }: JudgingItems,
): Promise<Asked> {
  const { leaf = 'register', on = 'gpu', input = 'uniform' } = request;
  const { fringe, tail, seed, init, alpha, beta, batch } = request;
  const algorithm = algorithms.find(request.algorithm ?? 'classical');
  const precision = precisions.find(request.precision ?? 'f32');
  const of = { input: inputs.find(input).name, precision: precision.name };
  const said = withoutUndefined({ fringe, tail, seed, init, alpha, beta, batch, ...of });
  const depth = readDepth(request, 0);
  const files = await ownMatrices(request, precision);
  const shape = files === undefined ? request.size : productShape(files.a, files.b);
  if (shape === undefined) {
    throw missingOption({
      option: '--size',
      need: 'a size such as 1024 or 512x256x128, or give --a and --b',
    });
  }
  const kernel = `${algorithm.name}:${leaf}`;
  if (findStyled(leaf) === undefined) findLeaf(leaf, shape);
  else parseKernelName(kernel, algorithms);
  const levels = levelsFor(shape, depth, algorithm.base);
  const value = caseOf({ ...said, ...shape, ...layoutsOf(request, { ...said, ...shape }), kernel, levels });
  if (files !== undefined) requirePlain(value);
  requireHostRoom(requirePossible(value), precision, measured);
  return { value, files, on };
}

/**
 * Requires a plain product: two matrices come without C and without a batch, and their entries are real. @throws ParanoiaError
 * `conflicting-options`
 */
function requirePlain({ problem: { beta, batch, precision } }: Case): void {
  if (isComplex(precision))
    throw conflictingOptions({ one: '--a and --b', other: `--precision ${precision}` });
  if (beta !== 0) throw conflictingOptions({ one: '--a and --b', other: '--beta' });
  if (batch !== 1) throw conflictingOptions({ one: '--a and --b', other: '--batch' });
}

/** Multiplications from which a measurement is slow enough to be announced. */
const LONG = 1e9;

/** Announces how a large product is measured. */
function announce({ m, k, n }: Shape): void {
  const work = m * k * n;
  if (work < LONG) return;
  const also =
    work <= measured.analysis
      ? 'the exact product, the bit-exact model and the bounds'
      : 'the exact product or a sample of it';
  say(`Measuring ${m}×${k} by ${k}×${n}: the product first, then ${also} (Ctrl-C ends it).`);
}

/**
 * Reads the matrices of `--a` and `--b`. Each entry is rounded once to the format that the kernels multiply, or coded; the exact
 * product is that of the rounded matrices. Undefined if neither is given.
 * @throws ParanoiaError `entry-overflows`, and those of reading .npy files
 */
async function ownMatrices(
  { a: fileA, b: fileB }: MeasureRequest,
  { a: stored, coded }: Precision,
): Promise<OwnMatrices | undefined> {
  if (fileA === undefined || fileB === undefined) return undefined;
  const read = async (name: 'a' | 'b', file: string) => {
    const coding = coded?.[name];
    const found = await readNpy(file);
    return coding === undefined
      ? rounded(found, stored, file)
      : changes(found, quantize(found, name, coding).decoded);
  };
  const [a, b] = [await read('a', fileA), await read('b', fileB)];
  return { a: a.matrix, b: b.matrix, rounding: { a: a.rounding, b: b.rounding } };
}

function rounded(x: Matrix, format: Format, file: string): { matrix: Matrix; rounding: RoundingEffect } {
  const matrix = fillMatrix(x.rows, x.cols, (i, j) => x.data[i * x.cols + j], format);
  const at = matrix.data.findIndex((after, e) => !Number.isFinite(after) && !Object.is(x.data[e], after));
  if (at < 0) return changes(x, matrix);
  const entry = `(${Math.floor(at / x.cols)}, ${at % x.cols})`;
  throw entryOverflows({ file, entry, value: x.data[at], format: format.name, most: format.maxFinite });
}

/** Compares a matrix with its original. */
function changes(before: Matrix, matrix: Matrix): { matrix: Matrix; rounding: RoundingEffect } {
  let [changed, largest] = [0, 0];
  for (let e = 0; e < before.data.length; e++) {
    if (Object.is(before.data[e], matrix.data[e])) continue;
    changed++;
    largest = Math.max(largest, Math.abs(matrix.data[e] - before.data[e]));
  }
  return { matrix, rounding: { changed, largest } };
}
