import type { Shape } from '../matrix/dense.ts';
import { type InspectionContext, type InspectionQuestion, makeRefutableAnswer } from './question.ts';
import { matricesHaveSameBits } from './session.ts';

/** Tests that the same operands give the same bits every time. */
export const determinism: InspectionQuestion = {
  id: 'deterministic',
  question: 'Do the same operands give the same bits every time?',
  async ask(context) {
    const { session, quick, measures } = context;
    const { m, k, n } = session.home(Math.ceil(32 / session.stride));
    const told = [await repeat(context, { m, k, n }, quick ? 4 : 10)];
    // Parallel work shows differences sooner, and small products may not be parallel.
    const large = { m: 3 * m, k: 3 * k, n: 3 * n };
    if (told[0].other === 0 && session.refuses(large) === undefined)
      told.push(await repeat(context, large, 4));
    const last = told[told.length - 1];
    const same = last.other === 0;
    measures.deterministic = same;
    const evidence = same
      ? `${told.map(({ what }) => what).join('. ')}. All bits were the same.`
      : `${last.what}: ${last.other} of ${last.runs - 1} repetitions differed from the first, in up to ${last.differing} of ${last.entries} entries.`;
    const answer = same ? `yes, at ${told.map(({ shape }) => shape).join(' and ')}` : `no, at ${last.shape}`;
    return [makeRefutableAnswer(same, answer, evidence)];
  },
};

/** Repeats a random product. Counts the runs whose bits differ from the first run, and the entries that differ. */
async function repeat({ session, random }: InspectionContext, { m, k, n }: Shape, runs: number) {
  const [a, b] = [session.uniform(random, 'a', m, k), session.uniform(random, 'b', k, n)];
  const first = await session.multiply(a, b);
  let other = 0;
  let differing = 0;
  for (let run = 1; run < runs; run++) {
    const again = await session.multiply(a, b, { a, c: first });
    if (matricesHaveSameBits(first, again)) continue;
    other++;
    differing = Math.max(differing, first.data.filter((x, at) => !Object.is(x, again.data[at])).length);
  }
  const shape = `${m}×${k}×${n}`;
  const what = `A random ${shape} product was computed ${runs} times`;
  return { shape, what, runs, other, differing, entries: m * n };
}
