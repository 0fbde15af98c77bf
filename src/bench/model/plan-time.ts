import type { Plan, Slot, Step } from '../../plan/plan.ts';
import { type Blocking, type ModelMachine, predictPass, predictProduct } from './product-time.ts';

/**
 * Predicts a plan: its products by the model, counting the blocks that each adds up and updates, its block sums as passes
 * over global memory; one after the other, as they run.
 * @returns seconds
 */
export function predictPlan(plan: Plan, blocking: Blocking, machine: ModelMachine): number {
  return plan.steps.reduce((sum, step) => sum + predictStep(step, blocking, machine), 0);
}

function predictStep(step: Step, blocking: Blocking, machine: ModelMachine): number {
  const touched = step.slots.reduce((count, slot) => count + accesses(slot), 0);
  if (step.kind === 'combine') return predictPass(touched * step.slots[0].block.layout.size, machine);
  const counts = { wA: step.x.length, wB: step.y.length, wC: touched };
  return predictProduct(step.shape, blocking, machine, counts).seconds;
}

const accesses = ({ load, store }: Slot) => Number(load) + Number(store);
