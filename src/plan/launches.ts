import { listOperands, type Role } from '../algorithms/notation.ts';
import { MOST_BLOCKS } from '../algorithms/schedule.ts';
import type { PlacementInput, ValuePlaces } from './places.ts';
import { type LaunchedValues, PRODUCT, type SlotTerm, type Update } from './plan.ts';

/** The place of a value: a block of A, B or C by its number, or an entry of the workspace. */
export interface ValueLocation {
  readonly buffer: 'A' | 'B' | 'C' | 'W';
  readonly at: number;
}

/** A value with its place. */
export interface LocatedValue {
  readonly role: Role;
  readonly at: ValueLocation;
}

/** A block that a launch updates or reads. */
export interface LocatedSlot extends LocatedValue {
  readonly load: boolean;
  readonly store: boolean;
}

/** The work of one launch: a product or none, then updates of slots. */
export interface LoweredLaunch {
  /** The product. Without a place `z` it stays in registers. */
  readonly product?: { readonly x: LocatedValue; readonly y: LocatedValue; readonly z?: LocatedValue };
  readonly slots: readonly LocatedSlot[];
  readonly updates: readonly Update[];
  readonly launched: LaunchedValues;
}

/** Lowers the launches of a level to operations on places. Passes of sums are split where they have more blocks than can be bound. */
export function lowerLaunches(placing: PlacementInput, places: ValuePlaces): LoweredLaunch[] {
  const lowering = new Lowering(placing, places);
  const all = placing.launches.flatMap((launch) => lowering.passes(launch));
  const last = lastReads(placing, all);
  return all.map((launch, at) => lowering.launch(launch, (value) => (last.get(value) ?? -1) > at));
}

/** Finds the last launch that reads each value. The caller reads outputs. */
function lastReads(
  { values }: PlacementInput,
  launches: readonly (readonly number[])[],
): Map<number, number> {
  const last = new Map<number, number>();
  for (const [at, launch] of launches.entries()) {
    for (const value of launch) for (const of of listOperands(values.all[value])) last.set(of, at);
  }
  for (const value of values.outputs) last.set(value, launches.length);
  return last;
}

class Lowering {
  private readonly placing: PlacementInput;
  private readonly places: ValuePlaces;
  private readonly level: LaunchedValues['level'];

  constructor(placing: PlacementInput, places: ValuePlaces) {
    this.placing = placing;
    this.places = places;
    const { values, columns, free } = placing;
    this.level = { values, columns, free, places: places.of };
  }

  passes(launch: readonly number[]): number[][] {
    const { all } = this.placing.values;
    if (all[launch[0]].kind === 'product') return [[...launch]];
    const passes: { blocks: Set<string>; values: number[] }[] = [];
    for (const value of launch) {
      const used = [value, ...listOperands(all[value])].map((at) => keyOf(this.held(at)));
      const open = passes.at(-1);
      if (open !== undefined && new Set([...open.blocks, ...used]).size <= MOST_BLOCKS) {
        open.values.push(value);
        for (const key of used) open.blocks.add(key);
      } else passes.push({ blocks: new Set(used), values: [value] });
    }
    return passes.map(({ values }) => values);
  }

  launch(launch: readonly number[], isReadLater: (value: number) => boolean): LoweredLaunch {
    const { all } = this.placing.values;
    const { inRegisters } = this.placing;
    const [first] = launch;
    const product = all[first].kind === 'product' ? all[first] : undefined;
    const registers = new Registers((value) => this.held(value));
    const updates: Update[] = [];
    const inRegister = product !== undefined && inRegisters;
    if (inRegister && isReadLater(first)) {
      updates.push({ target: registers.assign(first), terms: [{ factor: 1, slot: PRODUCT }] });
    }
    for (const value of launch) {
      const sum = all[value];
      if (sum.kind !== 'sum') continue;
      const terms = sum.terms.map(
        ({ factor, of }): SlotTerm => ({
          factor,
          slot: inRegister && of === first ? PRODUCT : registers.read(of),
        }),
      );
      updates.push({ target: registers.assign(value), terms });
    }
    const launched = { level: this.level, values: launch, held: registers.held() };
    const made = { slots: registers.slots(isReadLater), updates, launched };
    if (product === undefined) return made;
    const [x, y] = [this.held(product.x), this.held(product.y)];
    const z = this.places.of[first] === undefined ? {} : { z: this.held(first) };
    return { ...made, product: { x, y, ...z } };
  }

  private held(value: number): LocatedValue {
    const named = this.placing.values.all[value];
    const { role } = named;
    if (named.kind === 'input') {
      const columns = role === 'A' ? this.placing.inner : this.placing.columns;
      return { role, at: { buffer: named.role, at: named.row * columns + named.col } };
    }
    const place = this.places.of[value];
    if (place === undefined) throw new Error(`${named.written} has no place.`);
    return { role, at: { buffer: place.buffer, at: place.at } };
  }
}

const keyOf = ({ at, role }: LocatedValue): string => `${at.buffer} ${at.at} ${role}`;

/** The blocks of a launch in the order of their first use, with the value that each holds. */
class Registers {
  private readonly lies: (value: number) => LocatedValue;
  private readonly all: {
    readonly key: string;
    readonly first: number;
    readonly held: LocatedValue;
    load: boolean;
    assigned?: number;
  }[] = [];

  constructor(lies: (value: number) => LocatedValue) {
    this.lies = lies;
  }

  /** Returns the first value of each block. */
  held(): number[] {
    return this.all.map(({ first }) => first);
  }

  read(value: number): number {
    const slot = this.slotOf(value);
    if (this.all[slot].assigned === undefined) this.all[slot].load = true;
    return slot;
  }

  assign(value: number): number {
    const slot = this.slotOf(value);
    this.all[slot].assigned = value;
    return slot;
  }

  slots(isReadLater: (value: number) => boolean): LocatedSlot[] {
    return this.all.map(({ held, load, assigned }) => ({
      ...held,
      load,
      // A block that is neither read nor written would have no binding in the shader.
      store: assigned !== undefined && (isReadLater(assigned) || !load),
    }));
  }

  private slotOf(value: number): number {
    const held = this.lies(value);
    const key = keyOf(held);
    const found = this.all.findIndex((slot) => slot.key === key);
    return found >= 0 ? found : this.all.push({ key, first: value, held, load: false }) - 1;
  }
}
