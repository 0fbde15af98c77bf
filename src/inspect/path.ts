import { areMost, type BitChanges, COMPARED, changesIn } from './code-paths.ts';
import type { InspectionQuestion } from './question.ts';
import { SkippedQuestion } from './skipped-question.ts';

/** Search for the sizes at which the same inner products come out with different bits: there another code path begins. */
export const path: InspectionQuestion = {
  id: 'code-path',
  question: 'At which sizes do the bits of the same inner product change?',
  async ask(context) {
    const texts: string[] = [];
    const asked: string[] = [];
    let compared = 0;
    for (const dimension of ['m', 'k', 'n'] as const) {
      if (context.stop()) break;
      const changes = await changesIn(context, dimension);
      compared += Math.max(0, changes.sizes.length - 1);
      asked.push(`${dimension} = ${changes.sizes.join(', ')}`);
      if (changes.at.length > 0) texts.push(`${dimension} = ${listed(changes)}`);
    }
    if (context.measures.deterministic === false) {
      return [
        {
          answer: 'not known: not even the same product has the same bits twice',
          ...{ value: null, confidence: 'unknown' },
          evidence: `Tested at ${asked.join('; ')}.`,
        },
      ];
    }
    if (compared === 0) throw new SkippedQuestion('It accepts fewer than two of the tested sizes.');
    return [
      {
        answer: texts.length === 0 ? 'at no tested size' : `at ${texts.join('; ')}`,
        value: texts.join('; '),
        confidence: texts.length === 0 ? 'measured' : 'proved',
        evidence: `Inner products of 16 terms, the first ${COMPARED} by ${COMPARED} of products with ${asked.join('; ')}; the other sizes are 16, further terms 0.`,
      },
    ];
  },
};

/** Lists the sizes at which bits change, abbreviated where nearly all do. */
const listed = (changes: BitChanges): string =>
  areMost(changes) ? `${changes.at[0]} and most others` : changes.at.join(', ');
