import type { Target } from './target.ts';

/** Derives the seed of a target's round from that of the campaign, so that no two targets draw the same. */
export function seedOfRound(
  seed: number,
  { kernel, precision }: Pick<Target, 'kernel' | 'precision'>,
  round: number,
): number {
  let mixed = seed;
  for (const character of `${kernel} ${precision} ${round}`) {
    mixed = Math.imul(mixed ^ character.charCodeAt(0), 0x9e3779b1);
    mixed ^= mixed >>> 15;
  }
  return mixed >>> 0;
}
