import type { MultiplyStep, Plan, Step, Update } from '../plan/plan.ts';

/** What a reader does at each operation of a plan; several lanes can share one walk. */
export interface Lane {
  /** The product of a multiply step, before any of its updates. */
  product(step: MultiplyStep): void;
  /** One update, entry by entry, of all entries of the step's blocks. */
  update(step: Step, update: Update): void;
}

/**
 * Takes lanes through a plan, operation by operation, in the order in which the device executes them. A lane
 * that needs the values of another (the bound needs the mirror's) comes after it.
 */
export function walk(plan: Plan, lanes: readonly Lane[]): void {
  for (const step of plan.steps) {
    if (step.kind === 'multiply') for (const lane of lanes) lane.product(step);
    for (const update of step.updates) for (const lane of lanes) lane.update(step, update);
  }
}
