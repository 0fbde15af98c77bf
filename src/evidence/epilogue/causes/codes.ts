import type { EntryNumbers } from '../../../epilogue/entry-numbers.ts';
import { flooredCodes } from '../../../epilogue/steps/requantize.ts';
import { type EpilogueCause, type Step, stepCause } from './cause.ts';
import { inverted } from './tensors.ts';

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
  if (!Object.hasOwn(narrowRanges, step.to) || typeof step.scale !== 'number') return;
  const [end, code] = narrowRanges[step.to];
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
export const codeCauses: readonly EpilogueCause[] = [rounding, overflow, parameters];
