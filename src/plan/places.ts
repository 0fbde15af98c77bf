import { parseBlockName } from '../algorithms/algorithm.ts';
import { listOperands, type Role, type ScheduleValue, type ScheduleValues } from '../algorithms/notation.ts';

/** The place of a value of a level: a block of C, or a range of the workspace. */
export interface ValuePlace {
  readonly buffer: 'C' | 'W';
  /** The number of the block of C, or the first entry of the workspace. */
  readonly at: number;
  /** Number of entries. */
  readonly size: number;
}

/** The inputs of placement. */
export interface PlacementInput {
  readonly values: ScheduleValues;
  /** The values of each launch: a product or none, then sums. */
  readonly launches: readonly (readonly number[])[];
  /** Number of entries of a block of each role. */
  readonly sizes: Readonly<Record<Role, number>>;
  /** Columns of the grid of B and C, and of A. */
  readonly columns: number;
  readonly inner: number;
  /** The first free entry of the workspace. */
  readonly start: number;
  /** True if products whose values only their own launch reads stay in registers. */
  readonly inRegisters: boolean;
  /** True if values may lie in other places than the schedule writes them to. */
  readonly free: boolean;
}

/** The places of values, by value. Undefined for inputs and for values in registers. */
export interface ValuePlaces {
  readonly of: readonly (ValuePlace | undefined)[];
  /** The first free entry of the workspace after them. */
  readonly top: number;
}

/** A place with its first and last line of use. Lines have even numbers. The end of a launch is the odd number after its last line. */
interface Lease extends ValuePlace {
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Places values by linear scan in the order of their definition. An output has its block of C from its definition on. Any other value takes
 * the place that the schedule writes it to. Where that is taken or too small, or where values are free, it takes the place of a dying term,
 * a block of C that is free long enough, or the first gap of the workspace. A sum may take the place of a term that it reads last. A
 * product may not, since its operands are read until it is complete. Blocks that one launch binds are the same range or disjoint.
 */
export function placeValues(placing: PlacementInput): ValuePlaces {
  return new LinearScan(placing).places();
}

class LinearScan {
  private readonly placing: PlacementInput;
  private readonly all: readonly ScheduleValue[];
  private readonly from = new Map<number, number>();
  private readonly to = new Map<number, number>();
  /** The last line of each launch. */
  private readonly ends: readonly number[];
  private readonly leases: Lease[] = [];
  /** The last places of temporaries, by name. */
  private readonly last = new Map<string, number>();

  constructor(placing: PlacementInput) {
    this.placing = placing;
    this.all = placing.values.all;
    const { launches, values } = placing;
    const ends: number[] = [];
    let line = -2;
    for (const launch of launches) {
      line += 2 * launch.length;
      ends.push(line);
    }
    this.ends = ends;
    line = 0;
    for (const [g, launch] of launches.entries()) {
      for (const at of launch) {
        this.from.set(at, line);
        const isProduct = this.all[at].kind === 'product';
        for (const of of listOperands(this.all[at])) {
          this.to.set(of, Math.max(this.to.get(of) ?? line, isProduct ? ends[g] + 1 : line));
        }
        line += 2;
      }
    }
    for (const at of values.outputs) this.to.set(at, Number.POSITIVE_INFINITY);
  }

  places(): ValuePlaces {
    const { values, start } = this.placing;
    const of = new Array<ValuePlace | undefined>(this.all.length);
    const take = (value: number, place: ValuePlace) => {
      of[value] = place;
      this.leases.push({ ...place, value, from: this.fromOf(value), to: this.toOf(value) });
    };
    for (const [block, value] of values.outputs.entries()) {
      take(value, { buffer: 'C', at: block, size: this.placing.sizes.C });
    }
    const others = this.all.flatMap((_, at) => (this.needsPlace(at) && of[at] === undefined ? [at] : []));
    for (const value of others.sort((a, b) => this.fromOf(a) - this.fromOf(b))) {
      take(value, this.placeFor(value, of));
      const { written } = this.all[value];
      if (of[value]?.buffer === 'W') this.last.set(written, of[value]?.at as number);
    }
    const top = Math.max(
      start,
      ...this.leases.flatMap(({ buffer, at, size }) => (buffer === 'W' ? [at + size] : [])),
    );
    return { of, top };
  }

  /** Returns the first line of a value. A value that is read but never computed exists before the first line. */
  private fromOf = (value: number): number => this.from.get(value) ?? -1;
  private toOf = (value: number): number => this.to.get(value) ?? this.fromOf(value);

  private launchOf(line: number): number {
    const found = this.ends.findIndex((end) => line <= end + 1);
    return found < 0 ? this.ends.length : found;
  }

  private needsPlace(at: number): boolean {
    const { kind } = this.all[at];
    if (kind === 'input') return false;
    if (kind === 'unwritten') return this.to.has(at);
    if (!this.from.has(at)) return false;
    if (kind === 'sum' || !this.placing.inRegisters) return true;
    return this.launchOf(this.toOf(at)) > this.launchOf(this.fromOf(at));
  }

  private placeFor(value: number, of: readonly (ValuePlace | undefined)[]): ValuePlace {
    const { sizes, columns, values, free } = this.placing;
    const named = this.all[value];
    const size = sizes[named.role];
    const inC = (at: number): ValuePlace => ({ buffer: 'C', at, size });
    const block = parseBlockName(named.written);
    const written: ValuePlace[] = [];
    if (block !== undefined && (!free || named.role === 'C'))
      written.push(inC(block.row * columns + block.col));
    const before = this.last.get(named.written);
    if (before !== undefined && !free) written.push({ buffer: 'W', at: before, size });
    const dying = free && named.kind === 'sum' ? named.terms.flatMap(({ of: term }) => of[term] ?? []) : [];
    const blocks = free ? values.outputs.map((_, at) => inC(at)) : [];
    const found = [...written, ...dying, ...blocks].find((place) => this.isFree(value, place, size));
    return found ?? this.firstGap(value, size);
  }

  private firstGap(value: number, size: number): ValuePlace {
    const { start } = this.placing;
    const inW = this.leases.filter(({ buffer }) => buffer === 'W');
    const starts = new Set([start, ...inW.flatMap(({ at, size }) => [at, at + size])]);
    const at = [...starts]
      .sort((a, b) => a - b)
      .find((at) => this.isFree(value, { buffer: 'W', at, size }, size)) as number;
    return { buffer: 'W', at, size };
  }

  private isFree(value: number, place: ValuePlace, size: number): boolean {
    if (place.size !== size || (place.buffer === 'C' && size > this.placing.sizes.C)) return false;
    return this.leases.every((lease) => !overlaps(lease, place) || this.apart(value, place, lease));
  }

  /** True if a value and another one in the same range never exist at the same time. */
  private apart(value: number, place: ValuePlace, lease: Lease): boolean {
    const [from, to] = [this.fromOf(value), this.toOf(value)];
    if (lease.size === place.size && lease.at === place.at) {
      const isSum = (at: number) => this.all[at].kind === 'sum';
      return (
        lease.to < from ||
        to < lease.from ||
        (lease.to === from && isSum(value)) ||
        (to === lease.from && isSum(lease.value))
      );
    }
    return this.launchOf(lease.to) < this.launchOf(from) || this.launchOf(to) < this.launchOf(lease.from);
  }
}

function overlaps(a: ValuePlace, b: ValuePlace): boolean {
  if (a.buffer !== b.buffer) return false;
  return a.buffer === 'C' ? a.at === b.at : a.at < b.at + b.size && b.at < a.at + a.size;
}
