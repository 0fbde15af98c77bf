import { isOnlyNaN } from '../../epilogue/interval.ts';
import type { Target } from '../../epilogue/target.ts';
import type { LikelyCause } from '../causes/recognize.ts';
import { epilogueCauses } from './causes/causes.ts';
import type { WeighedEpilogue } from './weigh-epilogue.ts';

/** The most wrong entries, and the most right ones, that a mistake must explain. */
const [MOST_WRONG, MOST_RIGHT] = [256, 64];

/** The evidence from which a mistake is named. Codes, 0 and infinities give one each, other results all: few values are met by chance. */
const SURE = 4;

const evidenceOf = (target: Target, found: number): number =>
  target.steps === undefined && found !== 0 && Number.isFinite(found) ? SURE : 1;

/** Picks items evenly. */
const pick = (all: readonly number[], most: number): readonly number[] => {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]);
};

/**
 * Names the mistake that explains D: one whose epilogue allows every wrong entry. One that explains right entries too comes first.
 * @param wrong marks the wrong entries of D.
 */
export function recognizeEpilogue(weighed: WeighedEpilogue, wrong: Uint8Array): LikelyCause | undefined {
  const { target, found, places, possibleWith } = weighed;
  const all = Array.from(places);
  const broken = pick(
    all.filter((place) => wrong[place] === 1),
    MOST_WRONG,
  );
  const right = pick(
    all.filter((place) => wrong[place] === 0),
    MOST_RIGHT,
  );
  if (broken.reduce((sum, place) => sum + evidenceOf(target, found.data[place]), 0) < SURE) return undefined;
  let first: LikelyCause | undefined;
  for (const { name, alter } of epilogueCauses) {
    for (const { says, epilogue: other, added } of alter(weighed)) {
      if (other === undefined) continue;
      const rule = other.steps.at(-1)?.run.target ?? target;
      const explains = (place: number) => {
        const x = possibleWith(other, place, added);
        return x !== undefined && !isOnlyNaN(x) && rule.accepts(x, found.data[place]);
      };
      if (!broken.every(explains)) continue;
      if (right.every(explains)) return { cause: name, says };
      first ??= { cause: name, says: `${says}, in these entries` };
    }
  }
  return first;
}
