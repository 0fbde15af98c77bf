import type { Evidence } from './evidence.ts';

/** A mistake that leaves a recognisable result. */
interface Hypothesis {
  /** What the result looks like: a clause. */
  readonly say: string;
  /** The entry (i, j) that the mistake would give; undefined when it cannot be made for this shape. */
  readonly predict: (evidence: Evidence) => ((i: number, j: number) => number) | undefined;
}

/** Terms of k whose loss is looked for: a tile, or what a tile leaves over. */
const LOST_TERMS = [1, 2, 3, 4, 8, 16, 32];

const hypotheses: readonly Hypothesis[] = [
  ...LOST_TERMS.map((lost) => ({
    say:
      lost === 1 ? 'as if the last term of k were missing' : `as if the last ${lost} terms of k were missing`,
    predict: (evidence: Evidence) => {
      const { k } = evidence.plan.shape;
      return lost < k ? (i: number, j: number) => dot(evidence, i, j, 0, k - lost) : undefined;
    },
  })),
  {
    say: 'as if B were read transposed',
    predict:
      ({ operands: { a, b }, plan: { shape } }) =>
      (i, j) => {
        let sum = 0;
        for (let p = 0; p < shape.k; p++) sum += a.data[i * shape.k + p] * b.data[j * shape.k + p];
        return sum;
      },
  },
  {
    say: 'with the opposite sign',
    predict:
      ({ reference, plan: { shape } }) =>
      (i, j) =>
        -reference.value[i * shape.n + j],
  },
  { say: 'zero instead of a value', predict: () => () => 0 },
];

/** Entries that a hypothesis is tried on first, and at most. */
const TRIED = 4096;

/**
 * Compares the wrong entries with what known mistakes would give. Where sums are exact the prediction must
 * match to the last bit; elsewhere only the number of significant bits is recognised.
 */
export function recognise(evidence: Evidence, wrong: Uint8Array): string | undefined {
  const { outcomes, plan, machine, operands, reference, errors } = evidence;
  const { multiplied, name } = machine.precision;
  const { n } = plan.shape;
  const places: number[] = [];
  for (let e = 0; e < wrong.length && places.length < TRIED; e++) if (wrong[e] !== 0) places.push(e);
  if (operands.family?.exactness === 'integers' && reference.checked === 1) {
    const matching = hypotheses.find(({ predict }) => {
      const entry = predict(evidence);
      if (entry === undefined) return false;
      return places.every((e) => outcomes[0].c.data[e] === entry(Math.floor(e / n), e % n));
    });
    if (matching !== undefined) return matching.say;
  }
  const { bits, disagreements } = errors.exact;
  if (disagreements > 0 || !(bits >= FEWEST_BITS && bits < multiplied.precision - BITS_LOST))
    return undefined;
  return `the product shows ${bits.toFixed(1)} significant bits: products or sums of less precision than ${name} (${keeping(multiplied.precision)})`;
}

/** Below this many bits a result is wrong rather than imprecise. */
const FEWEST_BITS = 6;
/** Honest products show no fewer bits less than their format has, unless they are very long. */
const BITS_LOST = 9;

/** What narrower formats keep: "tf32 and f16 keep 11, bf16 8". */
function keeping(precision: number): string {
  const f32 = precision > 24 ? 'f32 keeps 24, ' : '';
  return `${f32}tf32 and f16 keep 11, bf16 8`;
}

function dot({ operands: { a, b } }: Evidence, i: number, j: number, from: number, to: number): number {
  let sum = 0;
  for (let p = from; p < to; p++) sum += a.data[i * a.cols + p] * b.data[p * b.cols + j];
  return sum;
}
