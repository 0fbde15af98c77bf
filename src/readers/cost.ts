import type { Step } from '../plan/plan.ts';
import { c1060, type MachineModel, type Transfer } from './machine-model.ts';
import { minus, over, plus, type Rational, rational, times, toNumber } from './rational.ts';
import { workOf } from './work.ts';

/** The three quantities of Li, Ranka and Sahni 2011: operations, device-memory transactions, bytes moved. */
export const quantities = ['arithmetics', 'transactions', 'volume'] as const;
export type Quantity = (typeof quantities)[number];

/** One value a quantity. */
export type Costs<T> = Readonly<Record<Quantity, T>>;

/**
 * What steps cost on a machine, from the steps themselves: a product reads its operands as the model says, every block of a sum, and
 * every slot a step loads or stores is one pass over a block. Exact; transactions need not be whole.
 */
export function exactCost(steps: readonly Step[], machine: MachineModel = c1060): Costs<Rational> {
  const { arithmetics, productTermsA, productTermsB, epilogueEntries, combineEntries } = workOf(steps);
  const moved: readonly (readonly [number, Transfer])[] = [
    [productTermsA, machine.productReads.A],
    [productTermsB, machine.productReads.B],
    [epilogueEntries, machine.epiloguePass],
    [combineEntries, machine.combinePass],
  ];
  const total = (of: (transfer: Transfer) => number) =>
    moved.reduce(
      (sum, [count, transfer]) => plus(sum, times(rational(count), rational(of(transfer), transfer.per))),
      rational(0),
    );
  return {
    arithmetics: rational(arithmetics),
    transactions: total(() => 1),
    volume: total(({ bytes }) => bytes),
  };
}

/** {@link exactCost} in doubles; volume is in bytes. */
export function cost(steps: readonly Step[], machine: MachineModel = c1060): Costs<number> {
  return eachQuantity(exactCost(steps, machine), toNumber);
}

/** By how many percent `costs` are below `baseline`; negative where they are above. Exact. */
export function reduction(costs: Costs<Rational>, baseline: Costs<Rational>): Costs<Rational> {
  return eachQuantity(costs, (value, quantity) =>
    times(rational(100), minus(rational(1), over(value, baseline[quantity]))),
  );
}

/** Applies `map` to each quantity. */
export function eachQuantity<T, U>(costs: Costs<T>, map: (value: T, quantity: Quantity) => U): Costs<U> {
  const entries = quantities.map((quantity) => [quantity, map(costs[quantity], quantity)]);
  return Object.fromEntries(entries) as Costs<U>;
}
