import { OURS } from '../../../base/registry.ts';
import { withSteps } from '../product-with-epilogue.ts';
import { type EpilogueCause, stepCause, stepsOf } from './cause.ts';

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
export const stepCauses: readonly EpilogueCause[] = [skipped, order];

/** Those that few kernels make. */
export const rareStepCauses: readonly EpilogueCause[] = [twice, rounded];
