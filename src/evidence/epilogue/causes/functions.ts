import type { ChainStep } from '../../../epilogue/chain.ts';
import { epilogueSteps } from '../../../epilogue/epilogues.ts';
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

/** Mistakes in functions. */
export const functionCauses: readonly EpilogueCause[] = [other, half, slope, oneBound, halves, gate];
