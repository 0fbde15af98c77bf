import type { Dice, Space } from './draws.ts';
import { allFields } from './fields.ts';
import type { Flat, Key } from './problem.ts';

/** Draws some fields of a case beside those that are known, in the order of the table; what the space does not say is left out. */
export function drawFields(
  keys: readonly Key[],
  space: Space,
  dice: Dice,
  known: Partial<Flat> = {},
): Partial<Flat> {
  const drawn = { ...known };
  for (const { key, draw } of allFields) {
    const value = keys.includes(key) ? draw?.any(space, dice, drawn) : undefined;
    if (value !== undefined) Object.assign(drawn, { [key]: value });
  }
  return drawn;
}
