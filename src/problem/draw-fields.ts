import type { DrawRanges, WholeNumberSource } from './draws.ts';
import { allFields } from './fields.ts';
import type { FieldKey, FlatCase } from './problem.ts';

/** Draws some fields of a case, given the known ones, in the order of the table. Fields outside the space are left out. */
export function drawFields(
  keys: readonly FieldKey[],
  space: DrawRanges,
  dice: WholeNumberSource,
  known: Partial<FlatCase> = {},
): Partial<FlatCase> {
  const drawn = { ...known };
  for (const { key, draw } of allFields) {
    const value = keys.includes(key) ? draw?.any(space, dice, drawn) : undefined;
    if (value !== undefined) Object.assign(drawn, { [key]: value });
  }
  return drawn;
}
