import type { CAC } from 'cac';
import { quadrantPath } from '../accuracy/quadrant-path.ts';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { parseChoices, parseList, parseNumber, parseSize, parseText } from '../config/flags.ts';
import { ranges } from '../config/ranges.ts';
import type { Arithmetic } from '../formats/arithmetic.ts';
import type { Format } from '../formats/format.ts';
import { findPrecision, type Precision, precisionNames } from '../formats/precision.ts';
import { FULL_LIMIT, type Measurement, type MeasureOperands, measureProduct } from '../gate/measure.ts';
import { toReal } from '../gate/results.ts';
import { computationIn } from '../gpu/computation.ts';
import type { Fingerprint } from '../gpu/device.ts';
import { findLeaf } from '../gpu/leaves/leaves.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { fill } from '../inputs/fill.ts';
import { findInput } from '../inputs/inputs.ts';
import { builtinKernel, builtinPlan } from '../kernel/builtin.ts';
import { mirrorKernel } from '../kernel/mirror-kernel.ts';
import { type Matrix, productShape, type Shape } from '../matrix/dense.ts';
import { readNpy } from '../matrix/node/npy-file.ts';
import { type Depth, levelsFor } from '../plan/levels.ts';
import { borders, edges } from '../plan/plan.ts';
import { EXIT, problem } from '../problems.ts';
import { openExactPool } from '../reference/node/pool.ts';

/** Adds the command `measure` to the command line. */
export function registerMeasure(cli: CAC): void {
  cli
    .command('measure', 'Measure one product: its errors, bounds and expected error')
    .option('--algorithm <name>', 'classical, strassen or winograd (default: classical)')
    .option('--levels <n>', 'Levels of recursion (default: 0)')
    .option('--tau1 <n>', 'Instead of --levels: classical up to this size')
    .option('--tau2 <n>', 'With --tau1: one level up to this size, recursion above')
    .option('--leaf <name>', 'naive, tiled, register, or one of fixed tile (default: register)')
    .option('--border <how>', 'pad or peel (default: pad)')
    .option('--edge <how>', 'guard or pad (default: guard)')
    .option('--input <name>', 'The family of test matrices (default: uniform)')
    .option('--size <n>', 'A square product')
    .option('--shape <m,k,n>', 'A product of A, m×k, by B, k×n')
    .option('--a <file>', 'Your own left matrix, a .npy file; with --b')
    .option('--b <file>', 'Your own right matrix')
    .option('--seed <n>', 'What random entries come from (default: 1)')
    .option('--on <where>', 'gpu or mirror: the same steps on the CPU (default: gpu)')
    .option(
      '--init <format>',
      'Compute the entries of a formula in f32 or f64 (default: f32, or f64 for wider precisions)',
    )
    .option('--precision <name>', `${precisionNames.join(', ')} (default: f32)`)
    .option('--adapter <name>', 'hardware, software, or part of an adapter name')
    .option('--toggle <names>', 'Dawn toggles to enable, such as vulkan_enable_f16_on_nvidia')
    .option('--json', 'Print JSON')
    .example('gemm-paranoia measure --algorithm strassen --levels 1 --input inverse-pair --size 2048')
    .action((flags: Flags) => runMeasure(flags));
}

type Flags = Readonly<Record<string, unknown>>;

async function runMeasure(flags: Flags): Promise<number> {
  const choose = <T extends string>(name: string, known: readonly T[], otherwise: T): T =>
    flags[name] === undefined ? otherwise : parseChoices(`--${name}`, flags[name], known)[0];
  const text = (name: string, otherwise: string) =>
    flags[name] === undefined ? otherwise : parseText(`--${name}`, flags[name]);
  const seed = flags.seed === undefined ? 1 : parseNumber('--seed', flags.seed, ranges.seed);
  const algorithm = findAlgorithm(text('algorithm', 'classical')).name;
  const border = choose('border', borders, 'pad');
  const edge = choose('edge', edges, 'guard');
  const on = choose('on', ['gpu', 'mirror'], 'gpu');
  const init = flags.init === undefined ? {} : { init: choose('init', ['f32', 'f64'], 'f32') };
  const precision = findPrecision(text('precision', 'f32'));
  const depth = depthOf(flags);
  const leaf = text('leaf', 'register');
  const files = await ownMatrices(flags, precision);
  const shape = files === undefined ? shapeOf(flags) : productShape(files.a, files.b);
  const levels = levelsFor(shape, depth);
  findLeaf(leaf, shape);
  const inputName = text('input', 'uniform');
  announce(shape);
  const request = { ...shape, levels, seed, precision, ...init };
  const operands: MeasureOperands = files ?? findInput(inputName).generate(request);
  const open = await openNodeDevice({
    adapter: flags.adapter === undefined ? undefined : text('adapter', ''),
    toggles: flags.toggle === undefined ? [] : parseList('--toggle', flags.toggle),
  });
  const pool = openExactPool();
  try {
    const computation = await computationIn(open, precision.name);
    const kernel =
      on === 'mirror'
        ? mirrorKernel(algorithm, computation.arithmetic)
        : builtinKernel(`${algorithm}:${leaf}`, open, {}, computation);
    // Of the leaf kernel, whose tile decides about padding, also where the mirror computes.
    const plan = builtinPlan(`${algorithm}:${leaf}`, shape, { levels, border, edge });
    const measured = await measureProduct(kernel, plan, operands, pool.product, seed);
    const about = {
      kernel: kernel.name,
      input: files === undefined ? inputName : 'own matrices',
      seed,
      precision: precision.title,
      on,
    };
    if (flags.json === true)
      console.log(JSON.stringify(asJson(measured, about, open.fingerprint, kernel.arithmetic), undefined, 2));
    else console.log(asText(measured, about, open.fingerprint));
    return measured.unwritten === 0 ? EXIT.pass : EXIT.fail;
  } finally {
    open.close();
    await pool.close();
  }
}

/** Large products take a while on the CPU, where the exact product, the mirror and the bounds are computed. */
function announce({ m, k, n }: Shape): void {
  if (m * k * n < 1e9) return;
  process.stderr.write(`Measuring ${m}×${k} by ${k}×${n}: this takes a minute or more.\n`);
}

function depthOf(flags: Flags): Depth {
  const { levels, tau1, tau2 } = flags;
  if (tau1 === undefined && tau2 === undefined) {
    return { levels: levels === undefined ? 0 : parseNumber('--levels', levels, ranges.levels) };
  }
  if (levels !== undefined)
    throw problem('conflicting-options', { one: '--levels', other: '--tau1 and --tau2' });
  const [low, high] = [tau1 ?? Number(tau2) / 2, tau2 ?? 2 * Number(tau1)];
  return { tau1: parseNumber('--tau1', low, ranges.size), tau2: parseNumber('--tau2', high, ranges.size) };
}

function shapeOf(flags: Flags): Shape {
  if (flags.size !== undefined && flags.shape !== undefined) {
    throw problem('conflicting-options', { one: '--size', other: '--shape' });
  }
  const name = flags.shape === undefined ? 'size' : 'shape';
  if (flags[name] === undefined) {
    throw problem('missing-option', { option: '--size', need: 'a size n, or --shape m,k,n, or --a and --b' });
  }
  const size = parseSize(`--${name}`, flags[name]);
  const [m, k, n] = typeof size === 'number' ? [size, size, size] : size;
  return { m, k, n };
}

async function ownMatrices(flags: Flags, { stored }: Precision): Promise<MeasureOperands | undefined> {
  if (flags.a === undefined && flags.b === undefined) return undefined;
  for (const other of ['input', 'size', 'shape', 'init']) {
    if (flags[other] !== undefined)
      throw problem('conflicting-options', { one: '--a and --b', other: `--${other}` });
  }
  const read = async (name: 'a' | 'b') => {
    if (flags[name] === undefined) {
      throw problem('missing-option', { option: `--${name}`, need: 'a .npy file: --a and --b go together' });
    }
    return rounded(await readNpy(parseText(`--${name}`, flags[name])), stored);
  };
  return { a: await read('a'), b: await read('b') };
}

/** Entries are rounded once to the format the kernels multiply; the exact product is that of the rounded ones. */
function rounded(x: Matrix, format: Format): Matrix {
  return fill(x.rows, x.cols, (i, j) => x.data[i * x.cols + j], format);
}

interface About {
  readonly kernel: string;
  readonly input: string;
  readonly seed: number;
  readonly precision: string;
  readonly on: string;
}

function asJson(measured: Measurement, about: About, fingerprint: Fingerprint, arithmetic: Arithmetic) {
  const { plan, exact, ideal, readers, checked } = measured;
  const main = ideal ?? exact;
  const { worst } = main;
  return {
    ...about,
    levels: plan.levels,
    border: plan.border,
    edge: plan.edge,
    ...plan.shape,
    maxError: toReal(main.max),
    meanError: toReal(main.mean),
    against: ideal === undefined ? 'exact' : 'ideal',
    exact: {
      maxError: toReal(exact.max),
      meanError: toReal(exact.mean),
      bits: toReal(exact.bits),
      componentwise: toReal(exact.componentwise),
      normwise: toReal(exact.normwise),
      frobenius: toReal(exact.frobenius),
      normalisedMax: toReal(exact.normalisedMax),
      normalisedMean: toReal(exact.normalisedMean),
      unequal: exact.unequal,
      disagreements: exact.disagreements,
      checked,
    },
    runningBound: readers === undefined ? null : toReal(readers.runningBound),
    boundUsed: readers === undefined ? null : toReal(readers.boundUsed),
    boundIsVacuous: readers?.boundIsVacuous ?? null,
    aPrioriBound: toReal(measured.aPriori),
    sigma: readers === undefined ? null : toReal(readers.sigma),
    sigmas: readers === undefined ? null : toReal(readers.sigmas),
    mirrorEqual: readers?.mirrorEqual ?? null,
    worst:
      worst === undefined
        ? null
        : { i: worst.i, j: worst.j, quadrant: quadrantOf(worst, plan), error: toReal(worst.error) },
    seconds: measured.seconds,
    adapter: fingerprint,
    arithmetic,
  };
}

const quadrantOf = ({ i, j }: { i: number; j: number }, { shape, levels, border }: Measurement['plan']) =>
  quadrantPath(i, j, shape.m, shape.n, levels, border);

function asText(measured: Measurement, about: About, fingerprint: Fingerprint): string {
  const { plan, exact, ideal, readers, checked } = measured;
  const { m, k, n } = plan.shape;
  const { worst } = ideal ?? exact;
  const share = checked === 1 ? '' : ` (${(100 * checked).toPrecision(2)} % of the entries, sampled)`;
  const rows: [string, string][] = [
    [
      'product',
      `${m}×${k} by ${k}×${n}, ${about.kernel}, ${about.precision}, ${plan.levels} levels, border ${plan.border}, edge ${plan.edge}`,
    ],
    ['input', `${about.input}, seed ${about.seed}`],
    [
      about.on === 'gpu' ? 'computed on' : 'arithmetic of',
      `${fingerprint.name}, ${measured.seconds?.toPrecision(3)} s`,
    ],
    ...(ideal === undefined
      ? []
      : ([
          ['max error, ideal', short(ideal.max)],
          ['mean error, ideal', short(ideal.mean)],
        ] as [string, string][])),
    ['max error, exact', `${short(exact.max)}${share}`],
    ['mean error, exact', short(exact.mean)],
    ['significant bits', exact.bits.toFixed(1)],
    ['componentwise', `${short(exact.componentwise)} u·|A||B|`],
    ['normwise', `${short(exact.normwise)} u·max|A|·max|B|`],
    ['worst entry', worst === undefined ? 'none' : `(${worst.i}, ${worst.j}) in ${quadrantOf(worst, plan)}`],
    ...(readers === undefined
      ? ([['bound and sigma', `not computed above ${FULL_LIMIT.toPrecision(2)} products of entries`]] as [
          string,
          string,
        ][])
      : readerRows(readers)),
    ['a-priori bound', short(measured.aPriori)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

function readerRows(readers: NonNullable<Measurement['readers']>): [string, string][] {
  const used = `the worst error uses ${short(100 * readers.boundUsed)} % of its own`;
  return [
    [
      'running bound',
      `${short(readers.runningBound)}; ${used}${readers.boundIsVacuous ? '; vacuous: larger than C' : ''}`,
    ],
    ['sigma', `${short(readers.sigma)}; the worst error is ${readers.sigmas.toFixed(2)} of its own`],
    ['mirror', readers.mirrorEqual ? 'equal bit for bit' : 'differs'],
  ];
}

const short = (x: number) =>
  x === 0 || Number.isFinite(x) ? Number(x.toPrecision(3)).toString() : String(x);
