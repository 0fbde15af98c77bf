import type { Group } from '../algorithms/schedule.ts';
import type { Layout } from './layout.ts';
import type { Block } from './plan.ts';

/** Which operand a block is shaped like: a part of A (m×k), of B (k×n) or of C (m×n). */
export type Role = 'A' | 'B' | 'C';

/** A name and the role in which a group uses it. */
export interface Use {
  readonly name: string;
  readonly role: Role;
}

/** For each group of a schedule: the role of every name in it, found by following assignments. */
export function rolesOf(groups: readonly Group[]): Map<string, Role>[] {
  const current = new Map<string, Role>();
  const roleOf = (name: string): Role => {
    if (/^[AB]/.test(name)) return name[0] as Role;
    return current.get(name) ?? 'C';
  };
  return groups.map(({ product, sums }) => {
    const here = new Map<string, Role>();
    if (product !== undefined) {
      here.set(product.x, roleOf(product.x)).set(product.y, roleOf(product.y));
      current.set(product.target, 'C');
      here.set(product.target, 'C');
    }
    for (const { target, terms } of sums) {
      for (const { name } of terms) here.set(name, roleOf(name));
      current.set(target, roleOf(terms[0].name));
      here.set(target, roleOf(terms[0].name));
    }
    return here;
  });
}

/**
 * Finds a place for every temporary of one level. A temporary gets room for the largest role it plays. A block
 * of C that serves as scratch for a sum of A's or B's blocks does so in place where that fits (always, for
 * square products), else in workspace of its own.
 */
export function allocate(uses: readonly Use[], layouts: Record<Role, Layout>, start: number): Allocation {
  const places = new Map<string, number>();
  let top = start;
  for (const name of new Set(uses.map((use) => use.name))) {
    const roles = new Set(uses.filter((use) => use.name === name).map((use) => use.role));
    if (/^[AB]/.test(name)) continue;
    if (name.startsWith('C')) {
      for (const role of roles) {
        if (layouts[role].size <= layouts.C.size) continue;
        places.set(`${name} as ${role}`, top);
        top += layouts[role].size;
      }
      continue;
    }
    for (const role of roles) places.set(`${name} as ${role}`, top);
    top += Math.max(...[...roles].map((role) => layouts[role].size));
  }
  return { top, find: ({ name, role }) => places.get(`${name} as ${role}`) };
}

export interface Allocation {
  /** The first free entry of the workspace after this level's temporaries. */
  readonly top: number;
  /** Where in the workspace a use lives; undefined when it lives in A, B or C. */
  find(use: Use): number | undefined;
}

/** The part of a split block that `A12`, `C21`, … names, seen in `layout`. */
export function partOf(parent: Block, name: string, layout: Layout): Block {
  if (parent.layout.kind !== 'split') throw new Error(`${name} is a part of an unsplit block.`);
  const [row, col] = [Number(name[1]) - 1, Number(name[2]) - 1];
  const index = row * parent.layout.gridCols + col;
  return { buffer: parent.buffer, offset: parent.offset + index * parent.layout.part.size, layout };
}
