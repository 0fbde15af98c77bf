import { OURS } from '../../base/registry.ts';
import type { RealArray } from '../../matrix/dense.ts';
import { isPlain, readsAddend, requestedGemm } from '../../matrix/gemm.ts';
import { structureOf } from '../../matrix/structure.ts';
import type { Check } from './check.ts';

/** Check that the result is complete and that nothing else was written. */
export const complete: Check = {
  name: 'complete',
  what: 'Does C have the right shape, with every entry written and no other memory changed?',
  source: OURS,
  decisive: false,
  judges: 'entries',
  judgesEpilogues: true,
  judge({ outcomes: [{ c, unwritten, overwritten, changed }], gemm }) {
    const { m, n, batch, group = 1 } = gemm;
    // Those of all products of a group count.
    const entries =
      group === 1 ? `of ${c.data.length} entries of C` : `entries of D of the ${group} products`;
    // An entry computed from the NaN that lay there is that same NaN.
    const orMade =
      !isPlain(gemm) && !readsAddend(gemm) && gemm.c === gemm.d
        ? ' (or computed from C, which must not be read where beta = 0)'
        : '';
    const { writes } = structureOf(requestedGemm(gemm)) ?? {};
    const outside = writes === undefined ? 'C or the workspace' : `the ${writes} triangle of C`;
    const troubles = [
      c.rows === batch * m && c.cols === n
        ? ''
        : `C is ${c.rows}×${c.cols}, expected ${batch === 1 ? '' : `${batch} times `}${m}×${n}`,
      unwritten === 0 ? '' : `${unwritten} ${entries} were never written${rows(c.data, c.cols)}${orMade}`,
      overwritten === 0
        ? ''
        : `${overwritten} ${overwritten === 1 ? 'word' : 'words'} outside ${outside} ${overwritten === 1 ? 'was' : 'were'} overwritten`,
      (changed ?? 0) === 0
        ? ''
        : `${changed} ${changed === 1 ? 'entry of the operands was' : 'entries of the operands were'} overwritten, but only the result may change`,
    ].filter((trouble) => trouble !== '');
    if (troubles.length > 0) return { status: 'fail', message: `${troubles.join('; ')}.` };
    return { status: 'pass', message: 'Every entry was written, and no other memory changed.' };
  },
};

/** Names the rows that hold NaN where they are few and consecutive: they point at the missing write. */
function rows(data: RealArray, cols: number): string {
  const hit = new Set<number>();
  data.forEach((value, at) => {
    if (Number.isNaN(value)) hit.add(Math.floor(at / cols));
  });
  const list = [...hit];
  if (list.length === 0 || list[list.length - 1] - list[0] + 1 !== list.length) return '';
  return list.length === 1 ? `, in row ${list[0]}` : `, in rows ${list[0]} to ${list[list.length - 1]}`;
}
