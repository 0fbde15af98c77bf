import { join } from 'node:path';
import { z } from 'zod';
import { fileReason, readText } from '../../base/node/read-file.ts';
import { writeWhole } from '../../base/node/write-file.ts';
import { Evaluator } from '../../evidence/evaluate.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { builtinItems, type JudgingItems } from '../../evidence/items.ts';
import { oracleOn } from '../../evidence/oracle.ts';
import { type ExactMultiply, measured } from '../../evidence/reference.ts';
import { factsOfCase } from '../../evidence/result-of.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import type { OpenDevice } from '../../gpu/device.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { type Case, changeCase, formatCase } from '../../problem/case.ts';
import { formatCount, formatDuration } from '../../report/numbers.ts';
import { choiceOf, kernelOf } from '../../run/kernel-of.ts';
import { type MeasuredProduct, measuredProduct, measuredProductOf } from '../measured-product.ts';
import { partialUnusable } from '../messages.ts';
import { runStudy, type StudyRun } from '../run-study.ts';
import type { StudyProduct } from '../study.ts';

/** The products to measure, and the place where they are kept. */
interface StudyMeasurement {
  /** The study's name. */
  readonly name: string;
  readonly version: string;
  readonly products: readonly StudyProduct[];
  readonly open: OpenDevice;
  /** Items that products may name. */
  readonly items: JudgingItems;
  /** The folder of the partial file, which keeps finished products. */
  readonly out: string;
  /** True to ignore the products of an earlier run. */
  readonly fresh: boolean;
  /** @throws ParanoiaError where there is no device any more. */
  reopen(): Promise<OpenDevice>;
  stop(): boolean;
  /** Receives the progress, piece by piece. */
  tell(text: string): void;
}

/**
 * Measures the products that no earlier run finished, and writes every product to the partial file as soon as it is finished.
 * @throws ParanoiaError `partial-unusable`, `report-unwritable`
 */
export async function measureStudy(given: StudyMeasurement): Promise<StudyRun> {
  const { name, version, products, fresh, out, tell } = given;
  const file = join(out, `${name}.partial.json`);
  const { id: adapter, toggles } = given.open.fingerprint;
  const provenance: PartialFileOrigin = { study: name, version, adapter, toggles };
  const kept = fresh ? new Map<string, MeasuredProduct>() : await readPartial(file, provenance);
  const before = products.filter((product) => kept.has(formatCase(product.case))).length;
  if (before > 0) tell(`${formatCount(before, 'product')} already finished, in ${file}.\n`);
  const pool = openExactPool();
  let { open } = given;
  const say = (sentence: string) => tell(`${sentence}\n`);
  const device = () => open;
  const measure = productMeasurer(
    device,
    oracleOn({ device, cpu: pool.product, threads: pool, say }),
    given.items,
  );
  let begun = performance.now();
  try {
    return await runStudy({
      products,
      finished: kept,
      measure,
      reopen: async () => {
        tell('device lost; opening it again … ');
        open = await given.reopen();
      },
      stop: given.stop,
      onBegin: (product, left) => {
        begun = performance.now();
        tell(`${formatCount(left, 'product')} left: ${titleOf(product)} … `);
      },
      onFailed: (_, why) => tell(`${why}\n`),
      onDone: async (_, finished) => {
        tell(`${formatDuration((performance.now() - begun) / 1000)}\n`);
        await writePartial(file, provenance, finished);
      },
    });
  } finally {
    open.close();
    await pool.close();
  }
}

function titleOf({
  case: {
    kernel,
    method: { levels },
    problem: { n, input, seed, precision },
  },
}: StudyProduct): string {
  return `${kernel}, ${formatCount(levels, 'level')}, ${precision}, ${input}, n = ${n}, seed ${seed}`;
}

/**
 * Makes a function that measures products of studies one after the other. Products of the same operands share them, the exact product and
 * the classical one.
 * @param items items that products may name. @defaultValue the built-in ones
 * @param device returns the device to multiply on, called for every product.
 * @returns a function that throws a ParanoiaError of the device, the kernel or the exact product.
 */
export function productMeasurer(
  device: () => OpenDevice,
  exact: ExactMultiply,
  items: JudgingItems = builtinItems,
): (product: StudyProduct) => Promise<MeasuredProduct> {
  // Operands take gigabytes, so that only one pair is kept at a time.
  const evaluator = new Evaluator(exact, { items, effort: measured, kept: 1 });
  const classical = new WeakMap<Evidence['operands'], Matrix>();
  const evaluated = async (value: Case) => {
    const open = device();
    const kernel = await kernelOf(choiceOf(value), open, items);
    const evidence = await evaluator.evaluate(await evaluator.prepare(value, kernel), open);
    return { kernel, evidence };
  };
  /** Returns the classical product of the same operands. It is computed here only if it was not measured before. */
  const classicalOf = async (value: Case, { operands }: Evidence): Promise<Matrix> => {
    const known = classical.get(operands);
    if (known !== undefined) return known;
    const plain = changeCase(value, { kernel: value.kernel.replace(/^[^:]*/, 'classical'), levels: 0 });
    const [{ c }] = (await evaluated(plain)).evidence.outcomes;
    classical.set(operands, c);
    return c;
  };
  return async (product) => {
    const { against, series } = product;
    // A config may build cases itself, without fields that are newer than it.
    const value = changeCase(product.case, {});
    const { kernel, evidence } = await evaluated(value);
    if (against === 'exact' || against === 'fused') classical.set(evidence.operands, evidence.outcomes[0].c);
    const beside = against === 'classical' ? await classicalOf(value, evidence) : undefined;
    return measuredProductOf(product, factsOfCase(value, kernel, series), evidence, beside);
  };
}

const SCHEMA = 'gemm-paranoia/study-partial/3';

/** The origin of the products of a partial file. Products of another origin are refused. */
interface PartialFileOrigin {
  readonly study: string;
  readonly version: string;
  /** The adapter's id. */
  readonly adapter: string;
  readonly toggles: readonly string[];
}

const partialFile = z.object({
  schema: z.literal(SCHEMA),
  study: z.string(),
  version: z.string(),
  adapter: z.string(),
  toggles: z.array(z.string()),
  products: z.array(measuredProduct),
});

/**
 * Reads the products that an earlier run finished, by case; none where there is no file.
 * @throws ParanoiaError `partial-unusable` for a file that is damaged, or of another study, version or adapter.
 */
export async function readPartial(
  file: string,
  provenance: PartialFileOrigin,
): Promise<Map<string, MeasuredProduct>> {
  let text: string;
  try {
    text = readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw partialUnusable({ file, why: fileReason(error) }, error);
  }
  const { products, ...made } = parsed(file, text);
  for (const key of ['study', 'version', 'adapter', 'toggles'] as const) {
    const [found, wanted] = [String(made[key]), String(provenance[key])];
    if (found === wanted) continue;
    const why = `its ${key} is "${found}", but this run has "${wanted}"`;
    throw partialUnusable({ file, why });
  }
  return new Map(products.map((product) => [product.facts.case, product]));
}

function parsed(file: string, text: string): z.infer<typeof partialFile> {
  try {
    return partialFile.parse(JSON.parse(text));
  } catch (error) {
    throw partialUnusable({ file, why: 'it is damaged or comes from another version' }, error);
  }
}

/** Writes the finished products. The file appears whole or not at all. @throws ParanoiaError `report-unwritable` */
export async function writePartial(
  file: string,
  { study, version, adapter, toggles }: PartialFileOrigin,
  finished: ReadonlyMap<string, MeasuredProduct>,
): Promise<void> {
  const content: z.infer<typeof partialFile> = {
    schema: SCHEMA,
    ...{ study, version, adapter },
    toggles: [...toggles],
    products: [...finished.values()],
  };
  writeWhole(file, `${JSON.stringify(content, undefined, 1)}\n`);
}
