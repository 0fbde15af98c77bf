import { createRandom } from '../../src/base/random.ts';
import type { Case } from '../../src/problem/case.ts';
import type { LearnedOrder } from '../../src/run/order/case-facets.ts';
import { type KernelSpeed, rankByKills, usualSpeed } from '../../src/run/order/case-order.ts';
import { FIRST } from '../../src/run/order/case-queue.ts';
import { orderBySpeed } from '../../src/run/order/order-by-speed.ts';
import type { PlannedGroup } from './learn.ts';
import type { MatrixKernel } from './matrix.ts';

/** The orders in which cases are asked, in the order of tables. */
export const orders = [
  { name: 'gate', what: 'as the gate runs them' },
  { name: 'earlier', what: 'small before large, as planned' },
  { name: 'random', what: 'by chance' },
  { name: 'best', what: 'the cheapest case that kills the kernel first' },
] as const;
export type OrderName = (typeof orders)[number]['name'];

/** The costs after which an order kills a kernel: seconds of the kernel and the judge on one core, and cases. */
export interface KillCosts {
  readonly seconds: number;
  readonly cases: number;
}

/** A kernel, and when each order kills it; no costs if no case kills it. */
export interface KernelDeath extends Pick<MatrixKernel, 'name' | 'corpus' | 'fault'> {
  readonly costs: Readonly<Record<OrderName, KillCosts>> | undefined;
}

/** Options of {@link deathsOf}. */
export interface DeathOptions {
  /** The speed of all kernels. @defaultValue each its own */
  readonly speed?: KernelSpeed | undefined;
  /** The seed of the random order. */
  readonly seed: number;
}

/** Computes when each kernel of groups is killed. */
export function deathsOf(
  groups: readonly PlannedGroup[],
  learned: LearnedOrder,
  { speed: all, seed }: DeathOptions,
): KernelDeath[] {
  return groups.flatMap(({ group, cases }) => {
    const usual = orderByPlace(cases, usualSpeed, learned);
    const random = [...createRandom(seed).permutation(cases.length)];
    const known = new Map<string, readonly number[]>();
    /** Kernels of about the same speed get the same order. */
    const orderFor = (speed: KernelSpeed) => {
      const [call, product] = [roundToPowerOfTwo(speed.call), roundToPowerOfTwo(speed.product)];
      const key = `${call} ${product}`;
      const order = known.get(key) ?? orderOfGate(cases, usual, { call, product }, learned);
      known.set(key, order);
      return order;
    };
    return group.kernels.map(({ name, corpus, fault, kills, ...own }) => {
      if (kills.size === 0) return { name, corpus, fault, costs: undefined };
      const speed = all ?? own;
      const { judge, calls, products } = group.costs;
      const seconds = cases.map((_, at) => judge[at] + speed.call * calls[at] + speed.product * products[at]);
      const costs = {
        gate: costsUntil(orderFor(speed), kills, seconds),
        earlier: costsUntil(cases.keys(), kills, seconds),
        random: costsUntil(random, kills, seconds),
        best: { seconds: Math.min(...[...kills].map((at) => seconds[at])), cases: 1 },
      };
      return { name, corpus, fault, costs };
    });
  });
}

const orderByPlace = (cases: readonly Case[], speed: KernelSpeed, learned: LearnedOrder): number[] =>
  rankByKills(cases, speed, learned).map(({ at }) => at);

/** Returns the order in which the gate runs cases: the first by the usual speed, the rest by that of the kernel where it is far from it. */
function orderOfGate(
  cases: readonly Case[],
  usual: readonly number[],
  { call, product }: KernelSpeed,
  learned: LearnedOrder,
): readonly number[] {
  const { judge } = learned;
  const measured = { call: judge.case + judge.call + call, work: judge.work + product };
  const [first, rest] = [usual.slice(0, FIRST), usual.slice(FIRST)];
  const casesOf = (places: readonly number[]) => places.map((at) => cases[at]);
  const ranks = orderBySpeed(casesOf(rest), measured, casesOf(first), learned);
  return ranks === undefined ? usual : [...first, ...ranks.map((at) => rest[at])];
}

const roundToPowerOfTwo = (x: number): number => (x > 0 ? 2 ** Math.round(Math.log2(x)) : 0);

/** Returns the costs of cases until one kills. */
function costsUntil(order: Iterable<number>, kills: ReadonlySet<number>, each: readonly number[]): KillCosts {
  let [seconds, cases] = [0, 0];
  for (const at of order) {
    seconds += each[at];
    cases++;
    if (kills.has(at)) break;
  }
  return { seconds, cases };
}

/** Returns the share of the kernels that some case kills which an order has killed by then, in per cent. */
export function killedBy(
  deaths: readonly KernelDeath[],
  order: OrderName,
  until: number,
  unit: keyof KillCosts = 'seconds',
): number {
  const known = deaths.flatMap(({ costs }) => costs?.[order][unit] ?? []);
  return (100 * known.filter((cost) => cost <= until).length) / Math.max(1, known.length);
}
