import type { Case } from '../gate/case.ts';
import { formatRanges, rangesOf } from '../inputs/edits/index-ranges.ts';

/** Whether a case still fails as the first one did. */
export type StillFails = (value: Case) => Promise<boolean>;

/** Lines that are set to zero, in the order tried. */
const lines = [
  { edit: 'zero-inner', count: ({ k }: Case) => k },
  { edit: 'zero-rows', count: ({ m }: Case) => m },
  { edit: 'zero-columns', count: ({ n }: Case) => n },
] as const;

/**
 * Simplifies the values of a case that cannot be made smaller: entries become ±1, else powers of two; then as many inner
 * indices, rows and columns as possible become zero.
 * @returns a case that fails too, and how many steps led there.
 */
export async function simplify(start: Case, stillFails: StillFails): Promise<{ case: Case; steps: number }> {
  let [best, steps] = [start, 0];
  const accept = async (candidate: Case) => {
    if (!(await stillFails(candidate))) return false;
    [best, steps] = [candidate, steps + 1];
    return true;
  };
  if (!(await accept(edited(best, 'ones')))) await accept(edited(best, 'powers'));
  for (const { edit, count } of lines) {
    const base = best;
    const zeroing = (zeros: readonly number[]) => edited(base, `${edit}:${formatRanges(rangesOf(zeros))}`);
    await largestSet(count(base), (zeros) => accept(zeroing(zeros)));
  }
  return { case: best, steps };
}

function edited(value: Case, edit: string): Case {
  return { ...value, edit: value.edit === undefined ? edit : `${value.edit},${edit}` };
}

/**
 * Grows a set of indices that passes a test, after delta debugging (Zeller and Hildebrandt, "Simplifying and isolating
 * failure-inducing input", 2002): tries to add halves of the rest, then quarters, down to single ones.
 */
async function largestSet(
  count: number,
  passes: (chosen: readonly number[]) => Promise<boolean>,
): Promise<void> {
  let chosen: number[] = [];
  for (let size = Math.ceil(count / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    const rest = Array.from({ length: count }, (_, at) => at).filter((at) => !chosen.includes(at));
    for (let from = 0; from < rest.length; from += size) {
      const more = [...chosen, ...rest.slice(from, from + size)];
      if (more.length < count && (await passes(more))) chosen = more;
    }
  }
}
