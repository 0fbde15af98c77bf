import type { Epilogue } from '../epilogue/chain.ts';
import type { Chain } from '../epilogue/chain-text.ts';
import { type Interval, isOnlyNaN } from '../epilogue/interval.ts';
import type { Target } from '../epilogue/target.ts';
import { epilogueCauses } from '../evidence/epilogue/causes/causes.ts';
import { loadEpilogueDrawing } from '../evidence/epilogue/numbers.ts';
import type { WeighedEpilogue } from '../evidence/epilogue/weigh-epilogue.ts';
import { weighWholeJob } from '../evidence/epilogue/weigh-job.ts';
import type { ProductJob } from '../evidence/evidence.ts';
import { prepareJob } from '../evidence/prepare.ts';
import { type Kernel, multiply } from '../kernels/kernel.ts';
import { kernelRefuses } from '../kernels/messages.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { caseOf } from '../problem/case.ts';
import type { InspectionContext, InspectionQuestion, QuestionAnswer } from './question.ts';

/** Shapes of the products, the preferred ones first. Some kernels accept only some sizes. */
const SHAPES = [
  { m: 16, k: 32, n: 16 },
  { m: 64, k: 64, n: 64 },
  { m: 128, k: 128, n: 128 },
] as const;

/** The most other computations that an answer names. */
const MOST = 3;

/** Returns a question for each epilogue that a kernel accepts: which steps do its outputs show? */
export const epilogueQuestions = ({ epilogues = [] }: Pick<Kernel, 'epilogues'>): InspectionQuestion[] =>
  epilogues
    .filter(({ steps }) => steps.length > 0)
    .map((chain) => ({
      id: 'epilogue',
      question: `Which steps follow sums for ${chain.text}, and in which order?`,
      ask: async (context) => [await answerFor(chain, context)],
    }));

/** Steps that outputs fit: as claimed, or in words. */
interface Fitting {
  /** Description of what differs from the claim; undefined for the claim itself. */
  readonly says?: string;
  readonly epilogue: Epilogue;
}

async function answerFor({ text }: Chain, { session, measures }: InspectionContext): Promise<QuestionAnswer> {
  const job = await jobFor(text, session.kernel);
  session.products++;
  const { c } = await multiply(job);
  const weighed = weighWholeJob(job, c);
  const fitting = [...fittingSteps(weighed)];
  const others = fitting.flatMap(({ says }) => says ?? []);
  const isClaimed = others.length < fitting.length;
  measures.epilogues = [...(measures.epilogues ?? []), { claimed: text, isClaimed, others }];
  const { m, k, n } = job.gemm;
  const tried = `${weighed.places.length} entries of a random ${m}×${k}×${n} product were compared with the claim and with known mistakes`;
  return {
    ...describe(fitting, others, isClaimed),
    evidence: `${tried}; ${fitting.length === 1 ? 'one fits' : `${fitting.length} fit`} all entries.`,
  };
}

function describe(
  fitting: readonly Fitting[],
  others: readonly string[],
  isClaimed: boolean,
): Omit<QuestionAnswer, 'evidence'> {
  const rest = others.length - MOST;
  const some = [...others.slice(0, MOST), ...(rest > 0 ? [`${rest} more`] : [])].join(', or ');
  const [first] = fitting;
  if (first === undefined)
    return { answer: 'not the claimed steps, nor a known mistake', value: null, confidence: 'measured' };
  const found = describeSteps(first.epilogue);
  const value = fitting.length === 1 ? found : null;
  const confidence = fitting.length === 1 ? 'measured' : 'likely';
  if (!isClaimed) return { answer: `${found}: ${some}`, value, confidence };
  return { answer: `${found}, as claimed${some === '' ? '' : `; or ${some}`}`, value, confidence };
}

/** Describes steps in their order: "bias, rounded to bf16, then gelu-tanh". */
function describeSteps({ steps }: Epilogue): string {
  const words = steps.map(({ record, settings }) =>
    record.name === 'round' ? `rounded to ${settings.to}` : record.name,
  );
  const isUnrounded = steps.length > 1 && steps.every(({ record }) => record.name !== 'round');
  const all = words.length === 0 ? 'none' : words.join(', then ');
  return isUnrounded ? `${all}, unrounded between` : all;
}

/** Yields the claimed steps and those of known mistakes, where every entry is one that they allow; none twice in other words. */
function* fittingSteps(weighed: WeighedEpilogue): Iterable<Fitting> {
  const { epilogue, target, found, possible, possibleWith } = weighed;
  const places = Array.from(weighed.places);
  const claimed = places.map((place) => possibleWith(epilogue, place));
  const fits = (all: readonly (Interval | undefined)[], rule: Target) =>
    all.every((x, at) => x !== undefined && !isOnlyNaN(x) && rule.accepts(x, found.data[places[at]]));
  if (fits(places.map(possible), target)) yield { epilogue };
  for (const { alter } of epilogueCauses)
    for (const { says, epilogue: other, added } of alter(weighed)) {
      if (other === undefined) continue;
      const rule = other.steps.at(-1)?.run.target ?? target;
      const all = places.map((place) => possibleWith(other, place, added));
      const isSame =
        rule === target && all.every((x, at) => x?.lo === claimed[at]?.lo && x?.hi === claimed[at]?.hi);
      if (!isSame && fits(all, rule)) yield { says, epilogue: other };
    }
}

/** Returns a random product with an epilogue, of the first shape that the kernel accepts. @throws ParanoiaError `kernel-refuses` */
async function jobFor(epilogue: string, kernel: Kernel): Promise<ProductJob & { readonly gemm: Gemm }> {
  let why = '';
  for (const shape of SHAPES) {
    const value = caseOf({
      ...{ kernel: kernel.name, precision: kernel.precision.name, input: 'uniform', seed: 1 },
      ...shape,
      epilogue,
    });
    await loadEpilogueDrawing(value);
    const job = prepareJob(value, kernel);
    const gemm = job.gemm as Gemm;
    const refused = kernel.refuses?.(gemm);
    if (refused === undefined) return { ...job, gemm };
    why ||= refused;
  }
  const shape = SHAPES.map(({ m, k, n }) => `${m}×${k}×${n}`).join(', ');
  throw kernelRefuses({ kernel: kernel.name, shape, why });
}
