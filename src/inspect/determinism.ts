import { sameBits } from './asker.ts';
import type { Lab, Line } from './lab.ts';

/** Does the same product give the same bits again? */
export const determinism: Line = {
  id: 'deterministic',
  question: 'Do the same operands give the same bits every time?',
  async ask({ asker, random, quick, measured }: Lab) {
    const { m, k, n } = asker.home(32);
    const a = asker.matrix(m, k, () => random.uniform(-1, 1));
    const b = asker.matrix(k, n, () => random.uniform(-1, 1));
    const runs = quick ? 4 : 10;
    const first = await asker.multiply(a, b);
    let other = 0;
    let differing = 0;
    for (let run = 1; run < runs; run++) {
      const again = await asker.multiply(a, b);
      if (sameBits(first, again)) continue;
      other++;
      differing = Math.max(differing, first.data.filter((x, at) => !Object.is(x, again.data[at])).length);
    }
    measured.deterministic = other === 0;
    const what = `A random ${m}×${k}×${n} product was computed ${runs} times`;
    return [
      {
        id: determinism.id,
        question: determinism.question,
        answer: other === 0 ? 'yes' : 'no',
        value: other === 0,
        confidence: other === 0 ? 'measured' : 'proved',
        evidence:
          other === 0
            ? `${what}: all bits were the same.`
            : `${what}: ${other} of ${runs - 1} repetitions differed from the first, in up to ${differing} of ${m * n} entries.`,
      },
    ];
  },
};
