import { ParanoiaError } from '../base/errors.ts';
import { formatCase } from '../problem/case.ts';
import type { MeasuredProduct } from './measured-product.ts';
import type { CellPlan, StudyProduct } from './study.ts';

/** The inputs of a run of a study. */
export interface StudyOptions {
  readonly products: readonly StudyProduct[];
  /** Products finished before, by case. */
  readonly finished: ReadonlyMap<string, MeasuredProduct>;
  /** @throws ParanoiaError */
  measure(product: StudyProduct): Promise<MeasuredProduct>;
  /** Opens another device after one was lost. @throws ParanoiaError where none is left. */
  reopen(): Promise<void>;
  /** Called before every product: true ends the run. */
  stop(): boolean;
  onBegin?(product: StudyProduct, left: number): void;
  /** Called where a product cannot be measured. */
  onFailed?(product: StudyProduct, why: string): void;
  /** Called after every finished product, with all finished ones. */
  onDone?(product: StudyProduct, finished: ReadonlyMap<string, MeasuredProduct>): Promise<void>;
}

/** The progress of a run when it ends. */
export interface StudyRun {
  readonly finished: ReadonlyMap<string, MeasuredProduct>;
  /** Reasons why products could not be measured, by case. */
  readonly failures: ReadonlyMap<string, string>;
  /** The reason why the run ended before its last product; undefined where it did not. */
  readonly stopped: string | undefined;
}

const INPUTS = ['inverse-pair', 'uniform', 'uniform-0-1'];

/** Returns the products of cells, each once. The order makes every pair of operands only once and begins with small ones. */
export function listStudyProducts(cells: readonly CellPlan[]): StudyProduct[] {
  const distinct = new Map<string, StudyProduct>();
  for (const { products } of cells) {
    for (const product of products) distinct.set(formatCase(product.case), product);
  }
  const rank = ({
    case: {
      problem: { precision, input, n, seed },
      method: { levels },
    },
  }: StudyProduct) => [precision === 'f64' ? 1 : 0, INPUTS.indexOf(input), n, seed, levels];
  return [...distinct.values()].sort((x, y) => {
    const [p, q] = [rank(x), rank(y)];
    const at = p.findIndex((value, place) => value !== q[place]);
    return at < 0 ? 0 : p[at] - q[at];
  });
}

/**
 * Measures the unfinished products. A product that cannot be measured is skipped. A product whose device is lost is tried once more on
 * another device. If that one is lost too, or there is none, the run ends with the finished products.
 */
export async function runStudy(options: StudyOptions): Promise<StudyRun> {
  const finished = new Map(options.finished);
  const failures = new Map<string, string>();
  const left = options.products.filter((product) => !finished.has(formatCase(product.case)));
  for (const [at, product] of left.entries()) {
    if (options.stop()) return { finished, failures, stopped: 'The run was stopped early.' };
    options.onBegin?.(product, left.length - at);
    const key = formatCase(product.case);
    const outcome = await measureTwice(product, options);
    if ('ended' in outcome) return { finished, failures, stopped: outcome.ended };
    if ('failed' in outcome) {
      failures.set(key, outcome.failed);
      options.onFailed?.(product, outcome.failed);
      continue;
    }
    finished.set(key, outcome.measured);
    await options.onDone?.(product, finished);
    // Gives signals a turn.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return { finished, failures, stopped: undefined };
}

type Outcome = { measured: MeasuredProduct } | { failed: string } | { ended: string };

async function measureTwice(product: StudyProduct, options: StudyOptions): Promise<Outcome> {
  const first = await measureOnce(product, options);
  if (!('ended' in first)) return first;
  try {
    await options.reopen();
  } catch (error) {
    if (error instanceof ParanoiaError) return { ended: `${first.ended} ${error.message}` };
    throw error;
  }
  return measureOnce(product, options);
}

async function measureOnce(product: StudyProduct, { measure }: StudyOptions): Promise<Outcome> {
  try {
    return { measured: await measure(product) };
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    return error.code === 'device-lost' ? { ended: error.message } : { failed: error.message };
  }
}
