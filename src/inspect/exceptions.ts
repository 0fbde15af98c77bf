import { show } from './extremes.ts';
import type { Finding } from './inspection.ts';
import type { Lab, Line } from './lab.ts';
import { dot, type Term } from './terms.ts';

const INFINITY = Number.POSITIVE_INFINITY;

/** Two terms whose sum IEEE 754 defines. */
const cases: readonly {
  readonly terms: readonly Term[];
  readonly words: string;
  readonly expected: number;
}[] = [
  {
    terms: [
      [INFINITY, 1],
      [1, 1],
    ],
    words: '∞·1 + 1',
    expected: INFINITY,
  },
  {
    terms: [
      [1, -INFINITY],
      [1, 1],
    ],
    words: '1·−∞ + 1',
    expected: -INFINITY,
  },
  {
    terms: [
      [INFINITY, 0],
      [1, 1],
    ],
    words: '∞·0 + 1',
    expected: Number.NaN,
  },
  {
    terms: [
      [0, INFINITY],
      [1, 1],
    ],
    words: '0·∞ + 1',
    expected: Number.NaN,
  },
  {
    terms: [
      [INFINITY, 1],
      [-INFINITY, 1],
    ],
    words: '∞ − ∞',
    expected: Number.NaN,
  },
  {
    terms: [
      [Number.NaN, 0],
      [1, 1],
    ],
    words: 'NaN·0 + 1',
    expected: Number.NaN,
  },
  {
    terms: [
      [1, Number.NaN],
      [1, 1],
    ],
    words: '1·NaN + 1',
    expected: Number.NaN,
  },
];

/** Whether infinities and NaN come out where IEEE 754 says, and stay in their own row and column. */
export const exceptions: Line = {
  id: 'exceptions',
  question: 'Do infinities and NaN come out where IEEE 754 says?',
  async ask(lab: Lab): Promise<Finding[]> {
    const { asker, measured } = lab;
    const classical = measured.algorithm === 'classical' || measured.algorithm === undefined;
    const wrong: string[] = [];
    for (const { terms, words, expected } of cases) {
      const [found] = await asker.dots([dot(...terms)]);
      if (!Object.is(found, expected)) wrong.push(`${words} gave ${show(found)}, not ${show(expected)}`);
    }
    const spread = await spreads(lab);
    measured.exceptions = wrong.length === 0 && !spread;
    const { id, question } = exceptions;
    const parts = [
      ...(wrong.length > 0 ? ['not all of them'] : []),
      ...(spread ? ['entries of other rows become NaN too'] : []),
    ];
    const usual = classical || parts.length === 0 ? '' : ', as in any Strassen-like product';
    return [
      {
        id,
        question,
        answer: parts.length === 0 ? 'yes, and nowhere else' : `${parts.join('; ')}${usual}`,
        value: measured.exceptions,
        confidence: parts.length === 0 ? 'measured' : 'proved',
        evidence:
          wrong.length > 0
            ? `${wrong.slice(0, 2).join('; ')}${wrong.length > 2 ? `; ${wrong.length - 2} more` : ''}.`
            : `${cases.length} sums with an infinity or NaN, and a NaN in a row of A beside rows of ones.`,
      },
    ];
  },
};

/** Whether a NaN in one row of A reaches others. */
async function spreads({ asker }: Lab): Promise<boolean> {
  const { m, k, n } = asker.home(1);
  if (m < 2) return false;
  const row = m - 1;
  const a = asker.matrix(m, k, (i, p) => (i === row && p === 0 ? Number.NaN : 1));
  const { data } = await asker.multiply(
    a,
    asker.matrix(k, n, () => 1),
  );
  return data.subarray(0, row * n).some((x) => x !== k);
}
