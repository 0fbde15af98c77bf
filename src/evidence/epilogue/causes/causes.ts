import { lookUp } from '../../../base/objects.ts';
import { OURS } from '../../../base/registry.ts';
import type { EntryNumbers } from '../../../epilogue/entry-numbers.ts';
import { flooredCodes } from '../../../epilogue/steps/requantize.ts';
import { withSteps } from '../product-with-epilogue.ts';
import type { WeighedEpilogue } from '../weigh-epilogue.ts';
import { type EpilogueCause, type Step, stepCause, stepsOf } from './cause.ts';
import { functionCauses, inverted, tensorCauses } from './step-causes.ts';

/** Numbers of terms that are lost at an end of k: single ones, and remainders of steps. */
const countsOf = (k: number): number[] => {
  const steps = [4, 8, 16, 32, 64];
  return [...new Set([1, 2, 3, ...steps, ...steps.map((step) => k % step)])].filter(
    (count) => count > 0 && count < k,
  );
};

/** Returns minus alpha times a range of the terms of an entry. */
const withoutTerms =
  ({ evidence: { gemm, operands } }: WeighedEpilogue, from: number, to: number) =>
  (i: number, j: number): number => {
    const { a, b } = operands;
    const { m, k, alpha } = gemm;
    const p = Math.floor(i / m);
    const [row, first] = [a.rows > m ? i : i % m, b.rows > k ? p * k : 0];
    let sum = 0;
    for (let q = from; q < to; q++) sum += a.data[row * a.cols + q] * b.data[(first + q) * b.cols + j];
    return -alpha * sum;
  };

const lost: EpilogueCause = {
  ...{ name: 'epilogue-terms-lost', what: 'terms at an end of k were left out', source: OURS },
  *alter(weighed) {
    const { epilogue, evidence } = weighed;
    const { k } = evidence.gemm;
    for (const count of countsOf(k))
      for (const [end, from] of [
        ['last', k - count],
        ['first', 0],
      ] as const)
        yield {
          says:
            count === 1 ? `the ${end} term of k is missing` : `the ${end} ${count} terms of k are missing`,
          epilogue,
          added: withoutTerms(weighed, from, from + count),
        };
  },
};

/** Mistakes in the sums before the epilogue. */
const sumCauses: readonly EpilogueCause[] = [lost];

const skipped = stepCause('epilogue-step-skipped', 'a step was left out', function* (step, { record, run }) {
  if (run.target === undefined && record.isGate !== true) yield { says: `${step.step} was skipped`, by: [] };
});

const twice = stepCause('epilogue-step-twice', 'a step was applied twice', function* (step, { record, run }) {
  if (run.target === undefined && record.isGate !== true)
    yield { says: `${step.step} was applied twice`, by: [step, step] };
});

const order: EpilogueCause = {
  ...{ name: 'epilogue-order', what: 'two steps changed places', source: OURS },
  *alter({ epilogue }) {
    const steps = stepsOf(epilogue);
    for (let at = 0; at + 1 < steps.length; at++) {
      const [one, other] = [steps[at], steps[at + 1]];
      if (epilogue.steps[at + 1].run.target !== undefined) continue;
      yield {
        says: `${one.step} was applied after ${other.step}`,
        epilogue: withSteps(epilogue, steps.toSpliced(at, 2, other, one)),
      };
    }
  },
};

const rounded: EpilogueCause = {
  ...{ name: 'epilogue-rounded-between', what: 'entries were rounded between two steps', source: OURS },
  *alter({ epilogue }) {
    const steps = stepsOf(epilogue);
    for (const to of ['bf16', 'f16'])
      for (const [at, { step }] of steps.entries())
        yield {
          says: `entries were rounded to ${to} before ${step}`,
          epilogue: withSteps(epilogue, steps.toSpliced(at, 0, { step: 'round', to })),
        };
  },
};

/** Mistakes in the choice of steps and in their order. */
const stepCauses: readonly EpilogueCause[] = [skipped, order];

/** Those that few kernels make. */
const rareStepCauses: readonly EpilogueCause[] = [twice, rounded];

/** A requantization. */
type Codes = Step & { readonly to: string; readonly scale: EntryNumbers; readonly zeroPoint: number };

const isCodes = (step: Step): step is Codes => step.step === 'requantize';

const rounding = stepCause(
  'epilogue-codes',
  'entries were converted to codes in another way',
  function* (step, chain) {
    if (!isCodes(step)) return;
    const change = (says: string, to: string) => ({ says, by: [{ ...step, rounding: to }] });
    if (step.rounding !== 'toward-zero')
      yield change('codes were truncated in place of rounded', 'toward-zero');
    if (step.rounding !== 'nearest') yield change('codes were rounded to nearest, ties to even', 'nearest');
    if (step.rounding !== 'nearest-away') yield change('ties were rounded away from 0', 'nearest-away');
    yield {
      says: 'codes were rounded down in place of to nearest',
      by: { ...chain, run: flooredCodes(chain.settings) },
    };
  },
);

/** The ends of symmetric codes, and of signed ones for unsigned. */
const narrowRanges: Readonly<Record<string, readonly [end: 'low' | 'high', code: number]>> = {
  int8: ['low', -127],
  int4: ['low', -7],
  uint8: ['high', 127],
  uint4: ['high', 7],
};

const overflow = stepCause('epilogue-codes', 'codes had another range', function* (step) {
  if (!isCodes(step)) return;
  const change = (says: string, to: string) => ({ says, by: [{ ...step, overflow: to }] });
  if (step.overflow === 'saturate') {
    yield change('codes beyond the range wrapped around in place of saturating', 'wraps');
    yield change('codes beyond the range became infinity or NaN in place of saturating', 'special');
  } else yield change('codes beyond the range were saturated', 'saturate');
  const range = lookUp(narrowRanges, step.to);
  if (range === undefined || typeof step.scale !== 'number') return;
  const [end, code] = range;
  const all = { step: 'clamp', low: -Number.MAX_VALUE, high: Number.MAX_VALUE };
  yield {
    says: `codes were saturated at ${code}`,
    by: [{ ...all, [end]: (code - step.zeroPoint) * step.scale }, step],
  };
});

const parameters = stepCause('epilogue-codes', 'codes had another scale or zero point', function* (step) {
  if (!isCodes(step)) return;
  const { zeroPoint, scale } = step;
  const change = (says: string, by: object) => ({ says, by: [{ ...step, ...by }] });
  if (zeroPoint !== 0) {
    yield change('the zero point was left out', { zeroPoint: 0 });
    yield change('the zero point was added twice', { zeroPoint: 2 * zeroPoint });
    yield change('the zero point was subtracted', { zeroPoint: -zeroPoint });
  }
  yield change('entries were multiplied by the scale', { scale: inverted(scale) });
  yield change('the scale was left out', { scale: 1 });
});

/** Mistakes in the conversion to codes. */
const codeCauses: readonly EpilogueCause[] = [rounding, overflow, parameters];

/** Mistakes that are recognized, the likeliest first. */
export const epilogueCauses: readonly EpilogueCause[] = [
  ...stepCauses,
  ...functionCauses,
  ...tensorCauses,
  ...codeCauses,
  ...sumCauses,
  ...rareStepCauses,
];
