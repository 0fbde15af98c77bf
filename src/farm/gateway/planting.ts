import type { Random } from '../../base/random.ts';
import { parseCase } from '../../problem/case.ts';
import type { StoredCampaign } from '../stored.ts';
import type { Batch, WorkCase } from '../work.ts';
import { drawnMark } from './marks.ts';
import { drawnLike, failingMark, takesPlanted } from './planted.ts';
import type { JudgeHere } from './trusted.ts';

/** What cases are planted with. */
export interface PlantingOptions {
  readonly campaign: StoredCampaign;
  /** Cases among those of each batch that are known to fail, {@link MARKS} at most. */
  readonly planted: number;
  readonly judge: JudgeHere;
  readonly random: Pick<Random, 'uniform01'>;
}

/** A batch as a stranger is given it. */
export interface Planted {
  /** Its cases, and at drawn places among them those that are none of the campaign. */
  readonly cases: readonly WorkCase[];
  readonly marks: readonly string[];
  /** The texts of those that are planted. */
  readonly planted: readonly string[];
}

/** Marks of each batch, however many of its cases have one. */
export const MARKS = 8;
/** Batches that are drawn for words that are like those of one. */
const SAMPLE = 32;

/** Plants cases that are known to fail in batches; where nobody here can judge, it plants none. */
export function planting({ campaign, planted, judge, random }: PlantingOptions) {
  const { batches, cases } = campaign;
  const textsOf = ({ places = [] }: Pick<Batch, 'places'>) => places.map((at) => cases[at].case);
  const kindOf = (batch: Pick<Batch, 'places'>) => {
    const [first] = textsOf(batch);
    const { kernel, problem } = parseCase(first);
    return `${kernel} ${problem.precision}`;
  };
  /** Cases of the same kernel and precision, of this batch and of others. */
  const alike = (batch: Batch): string[] => {
    const kind = kindOf(batch);
    const drawn = Array.from({ length: SAMPLE }, () => Math.floor(random.uniform01() * batches.length));
    const others = [...new Set(drawn)].map((at) => batches[at] as Batch);
    const same = others.filter((one) => one.id !== batch.id && one.places && kindOf(one) === kind);
    return [batch, ...same].flatMap(textsOf);
  };
  const strewn = (own: readonly WorkCase[], texts: Iterable<string>): WorkCase[] => {
    const all = [...own];
    for (const text of texts)
      all.splice(Math.floor(random.uniform01() * (all.length + 1)), 0, { case: text });
    return all;
  };
  return async (batch: Batch): Promise<Planted> => {
    const own = (batch.places ?? []).map((at) => cases[at]);
    const wanted = takesPlanted(textsOf(batch)) ? planted : 0;
    const words = wanted === 0 ? [] : alike(batch);
    const found = new Map<string, string>();
    for (let tried = 0; found.size < wanted && tried < 2 * wanted; tried++) {
      const text = drawnLike(words, random);
      const mark = text && (await failingMark(text, judge).catch(() => undefined));
      if (text !== undefined && mark !== undefined) found.set(text, mark);
    }
    const drawn = Array.from({ length: MARKS - found.size }, drawnMark);
    return {
      cases: strewn(own, found.keys()),
      // Sorted, so that their order says nothing.
      marks: [...found.values(), ...drawn].sort(),
      planted: [...found.keys()],
    };
  };
}
