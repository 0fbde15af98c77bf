import type { CAC } from 'cac';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { parseChoices, parseList, parseNumber, parseSize, parseText } from '../config/flags.ts';
import { ranges } from '../config/ranges.ts';
import { findPrecision, type Precision, precisionNames } from '../formats/precision.ts';
import { FULL_LIMIT, type MeasureOperands, measureProduct } from '../gate/measure.ts';
import { computationIn } from '../gpu/computation.ts';
import { oracleOn } from '../gpu/exact/oracle.ts';
import { findLeaf } from '../gpu/leaves/leaves.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { checkRoom } from '../gpu/panels.ts';
import { tuningSentences } from '../gpu/tuning/tuning.ts';
import { findInput } from '../inputs/inputs.ts';
import { builtinKernel, builtinPlan, parseKernelName } from '../kernel/builtin.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { mirrorKernel } from '../kernel/mirror-kernel.ts';
import { findStyled } from '../kernel/styled-leaves.ts';
import { productShape, type Shape } from '../matrix/dense.ts';
import { type Depth, levelsFor } from '../plan/levels.ts';
import { borders, edges, type Plan } from '../plan/plan.ts';
import { EXIT, problem } from '../problems.ts';
import { openExactPool } from '../reference/node/pool.ts';
import { duration } from '../report/numbers.ts';
import { asJson, asText } from './measure-text.ts';
import { ownMatrices } from './own-matrices.ts';

/** Adds the command `measure` to the command line. */
export function registerMeasure(cli: CAC): void {
  cli
    .command('measure', 'Measure one product: its errors, bounds and expected error')
    .option('--algorithm <name>', 'classical, strassen or winograd (default: classical)')
    .option('--levels <n>', 'Levels of recursion (default: 0)')
    .option('--tau1 <n>', 'Instead of --levels: classical up to this size')
    .option('--tau2 <n>', 'With --tau1: one level up to this size, recursion above')
    .option('--leaf <name>', 'naive, tiled, register, wide, fused, or one of fixed tile (default: register)')
    .option('--border <how>', 'pad or peel (default: pad)')
    .option('--edge <how>', 'guard or pad (default: guard)')
    .option('--input <name>', 'The family of test matrices (default: uniform)')
    .option('--size <n>', 'A square product')
    .option('--shape <m,k,n>', 'A product of A, m×k, by B, k×n')
    .option(
      '--a <file>',
      'Your own left matrix, a .npy file, rounded first to what --precision multiplies; with --b',
    )
    .option('--b <file>', 'Your own right matrix')
    .option('--seed <n>', 'What random entries come from (default: 1)')
    .option('--on <where>', 'gpu or mirror: the same steps on the CPU (default: gpu)')
    .option(
      '--init <format>',
      'Compute the entries of a formula in f32 or f64 (default: f32, or f64 for wider precisions)',
    )
    .option('--precision <name>', `${precisionNames.join(', ')} (default: f32)`)
    .option('--adapter <name>', 'hardware, software, or part of an adapter name')
    .option(
      '--toggle <names>',
      'Dawn toggles to enable, such as vulkan_enable_f16_on_nvidia; Dawn ignores those it does not know',
    )
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
  if (findStyled(leaf) === undefined) findLeaf(leaf, shape);
  else parseKernelName(`${algorithm}:${leaf}`);
  const inputName = text('input', 'uniform');
  const family = findInput(inputName);
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
    const planFor = (shape: Shape) =>
      builtinPlan(`${algorithm}:${leaf}`, shape, { levels, border, edge }, open.tuning);
    const plan = planFor(shape);
    // Before operands are made: that takes minutes for the largest.
    if (on === 'gpu') checkRoom(open, { plan, planFor, numeric: computation.numeric, kernel: kernel.name });
    for (const sentence of on === 'gpu' ? tuningSentences(open) : []) process.stderr.write(`${sentence}\n`);
    await announce(kernel, precision, plan);
    const operands: MeasureOperands =
      files ?? family.generate({ ...shape, levels, seed, precision, ...init });
    const say = (sentence: string) => process.stderr.write(`${sentence}\n`);
    const oracle = oracleOn({ device: () => (on === 'gpu' ? open : undefined), cpu: pool.product, say });
    const measured = await measureProduct(kernel, plan, operands, oracle, seed);
    const about = {
      kernel: kernel.name,
      input: files === undefined ? inputName : 'own matrices',
      seed,
      precision: precision.title,
      on,
      rounded: files?.rounding,
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

/** Products of two entries from which a measurement takes long enough to say how long. */
const LONG = 1e9;
const TRIAL = 128;

/**
 * Says what a large product will take: on the device as much as a small one of the same kernel, in proportion, and on
 * the CPU for the exact product, the mirror and the bounds.
 */
async function announce(kernel: Kernel, precision: Precision, plan: Plan): Promise<void> {
  const { m, k, n } = plan.shape;
  const work = m * k * n;
  if (work < LONG) return;
  const shape = { m: TRIAL, k: TRIAL, n: TRIAL };
  const { a, b } = findInput('uniform').generate({ ...shape, levels: 0, seed: 1, precision });
  const trial = kernel.plan(shape, { ...plan, levels: 0 });
  await kernel.multiply(a, b, trial);
  const start = performance.now();
  await kernel.multiply(a, b, trial);
  const seconds = ((performance.now() - start) / 1000) * (work / TRIAL ** 3);
  const also =
    work <= FULL_LIMIT ? 'the exact product, the mirror and the bounds' : 'a sample of the exact product';
  process.stderr.write(
    `Measuring ${m}×${k} by ${k}×${n}: the product takes up to about ${duration(seconds)} here, its operands and ${also} a minute or more on the CPU (Ctrl-C ends it).\n`,
  );
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
