import { type MultiplyStep, type Plan, PRODUCT, type Step, type Update } from '../plan/plan.ts';

/** The operations of a reader on a plan. Several lanes can share one walk. */
export interface PlanReader {
  /** Handles the product of a multiply step, before any of its updates. */
  product(step: MultiplyStep): void;
  /** Handles the product of the step, or the value of a slot, times a factor: one rounding. */
  scale(step: Step, slot: number, factor: number): void;
  /** Handles one update, entry by entry, of all entries of the step's blocks. */
  update(step: Step, update: Update): void;
}

/**
 * Takes lanes through a plan, operation by operation, in the order of execution on the device. A lane that needs the values of another (the
 * bound needs the model's) comes after it.
 */
export function walkPlan(plan: Plan, lanes: readonly PlanReader[]): void {
  for (const step of plan.steps) {
    if (step.kind === 'multiply') for (const lane of lanes) lane.product(step);
    for (const [slot, factor] of scalings(step)) for (const lane of lanes) lane.scale(step, slot, factor);
    for (const update of step.updates) for (const lane of lanes) lane.update(step, update);
  }
}

/** Returns the factors of a step before its updates: of its product, then of its slots. */
function scalings(step: Step): [slot: number, factor: number][] {
  const product = step.kind === 'multiply' ? step.times : undefined;
  const slots = step.slots.map(({ times }, at) => [at, times] as const);
  return [[PRODUCT, product] as const, ...slots].flatMap(([slot, factor]) =>
    factor === undefined ? [] : [[slot, factor]],
  );
}
