import { OURS } from '../../base/registry.ts';
import { type Epilogue, type GivenStep, givenSteps } from '../../epilogue/chain.ts';
import type { EntryNumbers } from '../../epilogue/entry-numbers.ts';
import { type Matrix, transpose } from '../../matrix/dense.ts';

/** The epilogue that a mistake would have computed. */
export interface Alteration {
  /** Description of the mistake, as a clause: "gelu was skipped". */
  readonly says: string;
  readonly steps: readonly GivenStep[];
}

/** A mistake in an epilogue that leaves a recognizable D. */
export interface EpilogueCause {
  /** The name that groups failures. */
  readonly name: string;
  readonly what: string;
  readonly source: string;
  /** Yields the epilogues that the mistake would have computed, the likeliest first. */
  readonly alter: (epilogue: Epilogue) => Iterable<Alteration>;
}

/** A step as an object. */
type Step = Exclude<GivenStep, string>;

const stepsOf = (epilogue: Epilogue): Step[] => givenSteps(epilogue) as Step[];
const replaced = (steps: readonly Step[], at: number, ...by: readonly Step[]): Step[] =>
  steps.toSpliced(at, 1, ...by);

/** Returns a cause that replaces single steps. */
const cause = (
  name: string,
  what: string,
  change: (
    step: Step,
    epilogue: Epilogue,
  ) => Iterable<{ readonly says: string; readonly by: readonly Step[] }>,
): EpilogueCause => ({
  ...{ name, what, source: OURS },
  *alter(epilogue) {
    const steps = stepsOf(epilogue);
    for (const [at, step] of steps.entries())
      for (const { says, by } of change(step, epilogue)) yield { says, steps: replaced(steps, at, ...by) };
  },
});

const isLast = ({ step }: Step) => step === 'requantize';

const skipped = cause('epilogue-step-skipped', 'a step was left out', function* (step, { steps }) {
  const isGate = steps.some(({ record }) => record.name === step.step && record.isGate === true);
  if (!isLast(step) && !isGate) yield { says: `${step.step} was skipped`, by: [] };
});

const twice = cause('epilogue-step-twice', 'a step was applied twice', function* (step, { steps }) {
  const isGate = steps.some(({ record }) => record.name === step.step && record.isGate === true);
  if (!isLast(step) && !isGate) yield { says: `${step.step} was applied twice`, by: [step, step] };
});

const order: EpilogueCause = {
  ...{ name: 'epilogue-order', what: 'two steps changed places', source: OURS },
  *alter(epilogue) {
    const steps = stepsOf(epilogue);
    for (let at = 0; at + 1 < steps.length; at++) {
      const [one, other] = [steps[at], steps[at + 1]];
      if (isLast(other)) continue;
      yield {
        says: `${one.step} was applied after ${other.step}`,
        steps: steps.toSpliced(at, 2, other, one),
      };
    }
  },
};

/** Functions that are taken for each other. */
const alike: readonly (readonly string[])[] = [
  ['gelu', 'gelu-tanh', 'silu'],
  ['swiglu', 'geglu', 'geglu-tanh'],
  ['sigmoid', 'tanh', 'silu'],
  ['relu', 'squared-relu', 'gelu'],
];

const other = cause('epilogue-function', 'another function was computed', function* ({ step, ...settings }) {
  for (const name of new Set(alike.filter((names) => names.includes(step)).flat()))
    if (name !== step)
      yield { says: `${name} was computed in place of ${step}`, by: [{ step: name, ...settings }] };
});

/** Returns a tensor whose lines moved by some places, around the end. */
function rolled({ rows, cols, data }: Matrix, by: number): Matrix {
  const isColumn = cols === 1;
  const count = isColumn ? rows : cols;
  const from = (j: number) => (j + by + count) % count;
  return {
    ...{ rows, cols },
    data: data.map((_, e) => {
      const [i, j] = [Math.floor(e / cols), e % cols];
      return isColumn ? data[from(i)] : data[i * cols + from(j)];
    }),
  };
}

const shifted = cause(
  'epilogue-tensor-shifted',
  'the numbers of a neighbor were taken',
  function* (step, { sizes }) {
    for (const key of ['values', 'scale']) {
      const values = step[key] as EntryNumbers | undefined;
      if (values === undefined || typeof values === 'number' || values.data.length < 2) continue;
      const line = values.cols === 1 ? 'row' : 'column';
      for (const [by, which] of [
        [1, 'next'],
        [-1, 'previous'],
      ] as const)
        yield {
          says: `the ${step.step} of the ${which} ${line} was taken`,
          by: [{ ...step, [key]: rolled(values, by) }],
        };
      const isLine = values.rows === 1 || values.cols === 1;
      if (sizes.batch === 1 && (isLine || values.rows === values.cols))
        yield {
          says: `the ${step.step} was read as its transpose`,
          by: [{ ...step, [key]: transpose(values) }],
        };
    }
  },
);

const inverted = (of: EntryNumbers): EntryNumbers =>
  typeof of === 'number' ? 1 / of : { ...of, data: of.data.map((x) => 1 / x) };

const inverse = cause('epilogue-scale-inverse', 'a quotient was taken for a product', function* (step) {
  if (step.step !== 'scale') return;
  const values = inverted(step.values as EntryNumbers);
  yield { says: 'entries were divided by the scale', by: [{ ...step, values }] };
});

const halves = cause('epilogue-halves', 'the halves of a gate changed places', function* (step) {
  if (typeof step.order !== 'string') return;
  const order = step.order === 'gate-first' ? 'gate-last' : 'gate-first';
  yield { says: `the halves of ${step.step} changed places`, by: [{ ...step, order }] };
});

const codes = cause('epilogue-codes', 'entries were converted to codes in another way', function* (step) {
  if (!isLast(step)) return;
  const { rounding, overflow, scale, zeroPoint } = step as Step & { readonly zeroPoint: number };
  const change = (says: string, by: object) => ({ says, by: [{ ...step, ...by }] });
  if (rounding !== 'toward-zero')
    yield change('codes were truncated in place of rounded', { rounding: 'toward-zero' });
  if (rounding !== 'nearest')
    yield change('codes were rounded to nearest, ties to even', { rounding: 'nearest' });
  if (rounding !== 'nearest-away')
    yield change('ties were rounded away from 0', { rounding: 'nearest-away' });
  if (overflow === 'saturate') {
    yield change('codes beyond the range wrapped around in place of saturating', { overflow: 'wraps' });
    yield change('codes beyond the range became infinity or NaN in place of saturating', {
      overflow: 'special',
    });
  } else yield change('codes beyond the range were saturated', { overflow: 'saturate' });
  if (zeroPoint !== 0) {
    yield change('the zero point was left out', { zeroPoint: 0 });
    yield change('the zero point was added twice', { zeroPoint: 2 * zeroPoint });
    yield change('the zero point was subtracted', { zeroPoint: -zeroPoint });
  }
  yield change('the scale was left out', { scale: 1 });
  yield change('entries were multiplied by the scale', { scale: inverted(scale as EntryNumbers) });
});

const rounded: EpilogueCause = {
  ...{ name: 'epilogue-rounded-between', what: 'entries were rounded between two steps', source: OURS },
  *alter(epilogue) {
    const steps = stepsOf(epilogue);
    for (const to of ['bf16', 'f16']) {
      for (const [at, { step }] of steps.entries())
        yield {
          says: `entries were rounded to ${to} before ${step}`,
          steps: steps.toSpliced(at, 0, { step: 'round', to }),
        };
    }
  },
};

/** Mistakes that are recognized, the likeliest first. */
export const epilogueCauses: readonly EpilogueCause[] = [
  ...[skipped, order, other, shifted, halves, codes],
  ...[twice, inverse, rounded],
];
