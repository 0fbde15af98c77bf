import { Evaluator } from '../evidence/evaluate.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { builtinItems, type JudgingItems } from '../evidence/items.ts';
import { type ExactMultiply, measured } from '../evidence/reference.ts';
import { factsOfCase } from '../evidence/result-of.ts';
import type { OpenDevice } from '../gpu/device.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type Case, changeCase } from '../problem/case.ts';
import { choiceOf, kernelOf } from '../run/kernel-of.ts';
import { type MeasuredProduct, measuredProductOf } from './measured-product.ts';
import type { StudyProduct } from './study.ts';

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
