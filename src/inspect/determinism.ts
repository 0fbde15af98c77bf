import type { Shape } from '../matrix/dense.ts';
import { sameBits } from './asker.ts';
import type { Lab, Line } from './lab.ts';

/** Does the same product give the same bits again? */
export const determinism: Line = {
  id: 'deterministic',
  question: 'Do the same operands give the same bits every time?',
  async ask(lab: Lab) {
    const { asker, quick, measured } = lab;
    const { m, k, n } = asker.home(32);
    const told = [await repeat(lab, { m, k, n }, quick ? 4 : 10)];
    // Work that is divided shows it sooner, and small products may not be.
    const large = { m: 3 * m, k: 3 * k, n: 3 * n };
    if (told[0].other === 0 && asker.refuses(large) === undefined) told.push(await repeat(lab, large, 4));
    const last = told[told.length - 1];
    measured.deterministic = last.other === 0;
    return [
      {
        id: determinism.id,
        question: determinism.question,
        answer: last.other === 0 ? 'yes' : 'no',
        value: last.other === 0,
        confidence: last.other === 0 ? ('measured' as const) : ('proved' as const),
        evidence:
          last.other === 0
            ? `${told.map(({ what }) => what).join('; ')}: all bits were the same.`
            : `${last.what}: ${last.other} of ${last.runs - 1} repetitions differed from the first, in up to ${last.differing} of ${last.entries} entries.`,
      },
    ];
  },
};

/** Computes a random product again and again: how often bits differed from the first time, and in how many entries. */
async function repeat({ asker, random }: Lab, { m, k, n }: Shape, runs: number) {
  const a = asker.matrix(m, k, () => random.uniform(-1, 1));
  const b = asker.matrix(k, n, () => random.uniform(-1, 1));
  const first = await asker.multiply(a, b);
  let other = 0;
  let differing = 0;
  for (let run = 1; run < runs; run++) {
    const again = await asker.multiply(a, b);
    if (sameBits(first, again)) continue;
    other++;
    differing = Math.max(differing, first.data.filter((x, at) => !Object.is(x, again.data[at])).length);
  }
  const what = `A random ${m}×${k}×${n} product was computed ${runs} times`;
  return { what, runs, other, differing, entries: m * n };
}
