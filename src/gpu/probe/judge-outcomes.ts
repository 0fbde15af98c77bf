import type { AnsweredCase, ProbeFinding, ProbeStanding } from './question.ts';

/** A possible behavior of a device: the answer that it gives in every case. */
export interface PossibleBehavior {
  readonly say: string;
  readonly standing: ProbeStanding;
  readonly gives: (asked: AnsweredCase, index: number) => number;
  readonly fact?: string;
}

const outcome =
  (standing: ProbeStanding) =>
  (say: string, gives: PossibleBehavior['gives'], fact?: string): PossibleBehavior => ({
    ...{ say, standing, gives },
    ...(fact !== undefined && { fact }),
  });

/** Builders of outcomes, by standing. */
export const ieee = outcome('ieee');
export const allowed = outcome('allowed');
export const broken = outcome('broken');

/**
 * Returns a judge of numeric answers. It names the first outcome that explains them all. Zeros of either sign are equal, and so are all
 * NaN.
 * @param otherwise the standing of answers that no outcome explains.
 * @param read decodes an answer's bits to its number.
 */
export function judgeValues(
  outcomes: readonly PossibleBehavior[],
  otherwise: ProbeStanding = 'allowed',
  read: (answer: AnsweredCase) => number = ({ value }) => value,
) {
  return judge(outcomes, otherwise, read, (x, y) => x === y || (Number.isNaN(x) && Number.isNaN(y)));
}

/** Returns a judge of answers as bits. It names the first outcome that explains them all. */
export function judgeBits(outcomes: readonly PossibleBehavior[], otherwise: ProbeStanding) {
  return judge(
    outcomes,
    otherwise,
    ({ bits }) => bits,
    (x, y) => x === y >>> 0,
  );
}

function judge(
  outcomes: readonly PossibleBehavior[],
  otherwise: ProbeStanding,
  read: (answer: AnsweredCase) => number,
  same: (found: number, wanted: number) => boolean,
) {
  return (answers: readonly AnsweredCase[]): ProbeFinding => {
    const explains = ({ gives }: PossibleBehavior) => answers.map((a, i) => same(read(a), gives(a, i)));
    const found = outcomes.find((outcome) => explains(outcome).every(Boolean));
    if (found !== undefined) {
      const { say, standing, fact } = found;
      return { answer: say, standing, ...(fact !== undefined && { fact }) };
    }
    const [wanted] = outcomes;
    const right = explains(wanted);
    const first = right.indexOf(false);
    const count = right.filter(Boolean).length;
    const gave = `case ${first + 1} gives ${read(answers[first])}, not ${wanted.gives(answers[first], first)}`;
    return { answer: `${wanted.say} in ${count} of ${answers.length} cases; ${gave}`, standing: otherwise };
  };
}
