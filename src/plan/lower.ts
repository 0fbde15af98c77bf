import type { Group, NamedTerm } from '../algorithms/schedule.ts';
import { PRODUCT, type Term, type Update } from './plan.ts';

/** A group of a schedule as register operations: which names are loaded and stored, and the updates between. */
export interface Lowered {
  readonly names: readonly string[];
  readonly loads: ReadonlySet<string>;
  readonly stores: ReadonlySet<string>;
  readonly updates: readonly Update[];
}

/** For each group of a schedule, the names that are read after it; blocks of C are read by the caller. */
export function liveAfter(groups: readonly Group[]): ReadonlySet<string>[] {
  const targets = groups.flatMap(({ product, sums }) => [...(product ? [product] : []), ...sums]);
  let live = new Set(targets.map(({ target }) => target).filter((name) => name.startsWith('C')));
  const result: Set<string>[] = [];
  for (const { product, sums } of [...groups].reverse()) {
    result.unshift(live);
    live = new Set(live);
    for (const { target, terms } of [...sums].reverse()) {
      live.delete(target);
      for (const { name } of terms) live.add(name);
    }
    if (product !== undefined) {
      live.delete(product.target);
      live.add(product.x).add(product.y);
    }
  }
  return result;
}

/**
 * Lowers the sums of a group. With `fused`, the group's product stays in a register: its target is stored
 * only if it is read after the group, which is what makes the ten basic kernels of the 2011 paper.
 */
export function lower({ product, sums }: Group, live: ReadonlySet<string>, fused: boolean): Lowered {
  const names: string[] = [];
  const loads = new Set<string>();
  const updates: Update[] = [];
  const assigned = new Set(sums.map(({ target }) => target));
  const inRegister = new Set<string>();
  let productName = fused ? product?.target : undefined;
  const slot = (name: string) => {
    if (!names.includes(name)) names.push(name);
    return names.indexOf(name);
  };
  const term = ({ sign, name }: NamedTerm): Term => {
    if (name === productName) return { sign, slot: PRODUCT };
    if (!inRegister.has(name)) loads.add(name);
    return { sign, slot: slot(name) };
  };
  if (productName !== undefined && live.has(productName) && !assigned.has(productName)) {
    updates.push({ target: slot(productName), terms: [{ sign: 1, slot: PRODUCT }] });
  }
  for (const { target, terms } of sums) {
    const read = terms.map(term);
    if (target === productName) productName = undefined;
    updates.push({ target: slot(target), terms: read });
    inRegister.add(target);
  }
  const stores = new Set(updates.map(({ target }) => names[target]).filter((name) => live.has(name)));
  const idle = names.find((name) => !loads.has(name) && !stores.has(name));
  if (idle !== undefined) throw new Error(`The schedule assigns ${idle} but nothing reads it afterwards.`);
  return { names, loads, stores, updates };
}
