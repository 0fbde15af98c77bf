import { lookUp } from '../../../base/objects.ts';
import type { ChainStep } from '../../../epilogue/chain.ts';
import type { EntryNumbers, EntrySizes } from '../../../epilogue/entry-numbers.ts';
import { epilogueSteps } from '../../../epilogue/epilogues.ts';
import { type Matrix, transpose } from '../../../matrix/dense.ts';
import { type EpilogueCause, type Step, stepCause } from './cause.ts';

/** Functions that are taken for each other. */
const alike: readonly (readonly string[])[] = [
  ['gelu', 'gelu-tanh', 'silu', 'relu'],
  ['swiglu', 'geglu', 'geglu-tanh'],
  ['sigmoid', 'tanh', 'silu'],
  ['relu', 'leaky-relu', 'squared-relu'],
];

/** Returns a step with another function, and the parameters that both have. */
function renamed({ step: _, ...settings }: Step, name: string): Step {
  const { parameters } = epilogueSteps.find(name);
  const kept = Object.entries(settings).filter(([key]) => Object.hasOwn(parameters, key));
  return { ...Object.fromEntries(kept), step: name };
}

const other = stepCause('epilogue-function', 'another function was computed', function* (step) {
  for (const name of new Set(alike.filter((names) => names.includes(step.step)).flat()))
    if (name !== step.step)
      yield { says: `${name} was computed in place of ${step.step}`, by: [renamed(step, name)] };
});

const half = stepCause('epilogue-factor', 'a factor of a function was left out', function* (step) {
  if (step.step === 'gelu' || step.step === 'gelu-tanh')
    yield { says: `the factor 1/2 of ${step.step} was left out`, by: [step, { step: 'scale', values: 2 }] };
});

const slope = stepCause('epilogue-slope', 'numbers below 0 were divided by the slope', function* (step) {
  if (step.step === 'leaky-relu' && step.slope !== 0)
    yield {
      says: 'numbers below 0 were divided by the slope',
      by: [{ ...step, slope: 1 / (step.slope as number) }],
    };
});

const oneBound = stepCause('epilogue-bound', 'one bound of a clamp was left out', function* (step) {
  if (step.step !== 'clamp') return;
  yield { says: 'the upper bound of clamp was left out', by: [{ ...step, high: Number.MAX_VALUE }] };
  yield { says: 'the lower bound of clamp was left out', by: [{ ...step, low: -Number.MAX_VALUE }] };
});

const isGate = ({ record }: ChainStep) => record.isGate === true;

/** Returns a gate whose halves changed places. */
const swapped = (chain: ChainStep): ChainStep => {
  const order = chain.settings.order === 'gate-first' ? 'gate-last' : 'gate-first';
  return { ...chain, settings: { ...chain.settings, order } };
};

const halves = stepCause('epilogue-halves', 'the columns of a gate were mistaken', function* (step, chain) {
  if (!isGate(chain)) return;
  yield { says: `the halves of ${step.step} changed places`, by: swapped(chain) };
  yield {
    says: `${step.step} took even and odd columns in place of halves`,
    by: { ...chain, columns: (j) => [2 * j, 2 * j + 1] },
  };
  yield {
    says: `${step.step} took odd and even columns in place of halves`,
    by: { ...chain, columns: (j) => [2 * j + 1, 2 * j] },
  };
});

/** Functions that gates have by mistake. */
const gateFunctions = ['relu', 'sigmoid', 'tanh'];

const gate = stepCause('epilogue-gate', 'a gate had another function', function* (step, chain) {
  if (!isGate(chain)) return;
  const identity = { ...chain.run, at: <T>(x: T) => x, shape: 'monotonic', error: () => 0 } as const;
  yield { says: `the gate of ${step.step} was not activated`, by: { ...chain, run: identity } };
  for (const [where, of] of [
    ['', chain],
    [' of the other half', swapped(chain)],
  ] as const)
    for (const name of gateFunctions) {
      const run = epilogueSteps.find(name).of(renamed(step, name));
      yield { says: `the gate of ${step.step} was ${name}${where}`, by: { ...of, run } };
    }
});

export const functionCauses: readonly EpilogueCause[] = [other, half, slope, oneBound, halves, gate];

interface StepTensor {
  /** Its parameter. */
  readonly key: string;
  readonly values: Matrix;
  /** Its name in a sentence: "bias". */
  readonly name: string;
}

const tensorsOf = (step: Step): StepTensor[] =>
  ['values', 'scale'].flatMap((key) => {
    const values = lookUp(step, key) as EntryNumbers | undefined;
    if (values === undefined || typeof values === 'number' || values.data.length < 2) return [];
    return [{ key, values, name: key === 'scale' ? 'requantization scale' : step.step }];
  });

/** Returns a matrix whose entries come from other places. */
const movedBy = (
  { rows, cols, data }: Matrix,
  from: (i: number, j: number) => readonly [i: number, j: number],
): Matrix => ({
  ...{ rows, cols },
  data: data.map((_, e) => {
    const [i, j] = from(Math.floor(e / cols), e % cols);
    return data[i * cols + j];
  }),
});

/** Returns the place that is some places ahead, around the end. */
const ahead = (at: number, by: number, count: number) => (at + by + count) % count;

/** Yields the tensors that wrong indices would have read, with their place in words. */
function* misread(values: Matrix, { m, batch }: EntrySizes): Iterable<readonly [place: string, Matrix]> {
  const { rows, cols } = values;
  const neighbors = [
    ['next', 1],
    ['previous', -1],
  ] as const;
  for (const [which, by] of neighbors) {
    if (cols > 1) yield [`of the ${which} column`, movedBy(values, (i, j) => [i, ahead(j, by, cols)])];
    // Rows of a batch lie one below the other.
    const row = (i: number) => Math.floor(i / m) * m + ahead(i % m, by, m);
    if (rows > 1) yield [`of the ${which} row`, movedBy(values, (i, j) => [row(i), j])];
  }
  if (batch > 1 && rows === batch * m) {
    yield ['of the first product of the batch', movedBy(values, (i, j) => [i % m, j])];
    for (const [which, by] of neighbors)
      yield [`of the ${which} product of the batch`, movedBy(values, (i, j) => [ahead(i, by * m, rows), j])];
  }
  if (rows === 1 || cols === 1)
    yield [`of the first ${rows === 1 ? 'column' : 'row'}`, movedBy(values, () => [0, 0])];
}

const shifted = stepCause(
  'epilogue-tensor-shifted',
  'numbers of other entries were taken',
  function* (step, _, { epilogue: { sizes } }) {
    for (const { key, values, name } of tensorsOf(step)) {
      for (const [place, other] of misread(values, sizes))
        yield { says: `the ${name} ${place} was taken`, by: [{ ...step, [key]: other }] };
      const isLine = values.rows === 1 || values.cols === 1;
      if (sizes.batch === 1 && (isLine || values.rows === values.cols))
        yield {
          says: `the ${name} was read as its transpose`,
          by: [{ ...step, [key]: transpose(values) }],
        };
    }
  },
);

/** Returns numbers with another sign, or other ones by a function. */
const mapped = (of: EntryNumbers, by: (x: number) => number): EntryNumbers =>
  typeof of === 'number' ? by(of) : { ...of, data: of.data.map(by) };

export const inverted = (of: EntryNumbers): EntryNumbers => mapped(of, (x) => 1 / x);

const isAddend = ({ step }: Step) => step === 'bias' || step === 'residual';

const negated = stepCause('epilogue-subtracted', 'an addend was subtracted', function* (step) {
  if (!isAddend(step)) return;
  const values = mapped(step.values as EntryNumbers, (x) => -x);
  yield { says: `${step.step} was subtracted`, by: [{ ...step, values }] };
});

const scaled = stepCause(
  'epilogue-addend-scaled',
  'an addend was multiplied by alpha',
  function* (step, _, { evidence }) {
    const { alpha } = evidence.gemm;
    if (!isAddend(step) || alpha === 1) return;
    const values = mapped(step.values as EntryNumbers, (x) => alpha * x);
    yield { says: `${step.step} was multiplied by alpha`, by: [{ ...step, values }] };
  },
);

const inverse = stepCause('epilogue-scale-inverse', 'a quotient was taken for a product', function* (step) {
  if (step.step === 'scale')
    yield {
      says: 'entries were divided by the scale',
      by: [{ ...step, values: inverted(step.values as EntryNumbers) }],
    };
});

/** Mistakes in the numbers of steps. */
export const tensorCauses: readonly EpilogueCause[] = [shifted, negated, scaled, inverse];
