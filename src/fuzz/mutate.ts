import { precisions } from '../formats/precision.ts';
import type { Case } from '../gate/case.ts';
import { inputOf } from '../inputs/edits/edited-family.ts';
import type { Random } from '../inputs/random.ts';
import { borders, edges } from '../plan/plan.ts';
import { familiesFor, type Space } from './case-arbitrary.ts';
import type { Target } from './target.ts';

/** A change of a case; undefined where it cannot be made. */
type Change = (value: Case, random: Random, target: Target, space: Space) => Case | undefined;

const changes: readonly { readonly weight: number; readonly make: Change }[] = [
  { weight: 6, make: (value, random) => ({ ...value, seed: random.int(1, 2 ** 32 - 1) }) },
  { weight: 4, make: resized },
  {
    weight: 1,
    make: (value, random, { levels, claimed }) =>
      claimed === undefined ? { ...value, levels: levels[random.int(0, levels.length - 1)] } : undefined,
  },
  {
    weight: 1,
    make: (value, random, { manners }) =>
      manners ? { ...value, border: borders[random.int(0, 1)], edge: edges[random.int(0, 1)] } : undefined,
  },
  {
    weight: 1,
    make: (value, random, target, space) => {
      const families = familiesFor(target, space.families);
      return { ...value, input: families[random.int(0, families.length - 1)].name };
    },
  },
  {
    weight: 1,
    make: ({ edit, ...value }) => (edit === undefined ? undefined : value),
  },
];

/** One size, or all three alike, a little or a lot larger or smaller. */
function resized(value: Case, random: Random, { claimed }: Target, { maxSize }: Space): Case {
  const size = (before: number) => {
    const after =
      random.int(0, 1) === 0 ? before + random.int(-4, 4) : Math.round(before * random.uniform(0.5, 2));
    return Math.min(maxSize, Math.max(1, after));
  };
  const { m, k, n } = value;
  const which = random.int(0, 3);
  const all = size(Math.max(m, k, n));
  const shape = {
    ...{ m, k, n },
    ...[{ m: size(m) }, { k: size(k) }, { n: size(n) }, { m: all, k: all, n: all }][which],
  };
  return { ...value, ...shape, levels: claimed?.(shape) ?? value.levels };
}

/** Changes tried before a case is left as it is but for its seed. */
const TRIES = 20;

/** A case near another one that its input and its kernel accept. */
export function mutate(value: Case, random: Random, target: Target, space: Space): Case {
  const weights = changes.reduce((sum, { weight }) => sum + weight, 0);
  for (let tries = 0; tries < TRIES; tries++) {
    let at = random.int(1, weights);
    const change = changes.find(({ weight }) => {
      at -= weight;
      return at <= 0;
    });
    const changed = change?.make(value, random, target, space);
    if (changed !== undefined && isPossible(changed, target)) return changed;
  }
  return { ...value, seed: random.int(1, 2 ** 32 - 1) };
}

function isPossible(value: Case, target: Target): boolean {
  const precision = precisions[target.precision];
  return target.refuses(value) === undefined && inputOf(value).accepts({ ...value, precision }).ok;
}
