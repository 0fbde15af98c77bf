import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry } from '../algorithms/algorithms.ts';
import { ParanoiaError } from '../base/errors.ts';
import { createRandom } from '../base/random.ts';
import type { Registry } from '../base/registry.ts';
import { type Clock, stillClock, wallClock } from '../base/time.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { realPartOf } from '../kernels/real-part.ts';
import type { Method } from '../problem/method.ts';
import { algorithm } from './algorithm.ts';
import { batch } from './batch.ts';
import { blockSums } from './block-sums.ts';
import { path } from './code-paths.ts';
import { determinism } from './determinism.ts';
import { elements } from './elements.ts';
import { entering } from './entering.ts';
import { epilogueQuestions } from './epilogues.ts';
import { exceptions } from './exceptions.ts';
import { extremes } from './extremes.ts';
import { factors } from './factors.ts';
import { grade } from './grade.ts';
import type { Inspection, InspectionFinding, InspectionMeasures } from './inspection.ts';
import { multiplies } from './multiplies.ts';
import { order } from './order.ts';
import { partialSums } from './partial-sums.ts';
import { precision } from './precision.ts';
import type { InspectionContext, InspectionQuestion } from './question.ts';
import { recursion } from './recursion.ts';
import { InspectionSession } from './session.ts';
import { specialFactors } from './special-factors.ts';
import { sums } from './sums.ts';
import { wholeSums } from './whole-sums.ts';
import {
  type BoundViolation,
  describeBoundViolation,
  SkippedQuestion,
  shapeText,
  WrongProduct,
} from './wrong-product.ts';
import { zeroPoints } from './zero-points.ts';

export interface InspectOptions {
  /** Algorithms that the kernel may claim, or that outputs may show. @defaultValue the built-in ones */
  readonly algorithms?: Registry<Algorithm> | undefined;
  /** @defaultValue 1 */
  readonly seed?: number | undefined;
  /** Sizes n of n×n×n at which the algorithm is tested, all of them. By default larger sizes follow while they take little time. */
  readonly sizes?: readonly number[] | undefined;
  /** About 100 small products, in at most a few seconds. @defaultValue false */
  readonly quick?: boolean | undefined;
  /** The clock of all time limits. With a clock that stands still, no question is left out for time. @defaultValue this machine's */
  readonly clock?: Clock | undefined;
  /** The method of our own kernels; external kernels have one method. @defaultValue no levels, padded, guarded */
  readonly method?: Method | undefined;
  /** Called with every finding as soon as it is made. */
  readonly onFinding?: ((finding: InspectionFinding) => void) | undefined;
  /** Called before every product. If it returns true, the inspection ends with the findings so far. */
  readonly stop?: (() => boolean) | undefined;
}

/** A question, and the kernels and inspections that leave it out. */
interface AskedQuestion extends InspectionQuestion {
  readonly full?: boolean;
  readonly ofReal?: boolean;
  readonly ofCodes?: boolean;
}

/** The questions in order. The first ones decide how the later ones are put. */
const QUESTIONS: readonly AskedQuestion[] = [
  multiplies,
  { ...determinism, ofCodes: true },
  algorithm,
  elements,
  precision,
  blockSums,
  recursion,
  order,
  sums,
  partialSums,
  entering,
  factors,
  specialFactors,
  zeroPoints,
  wholeSums,
  // C leaves it to implementations which part of a complex number is which infinity.
  { ...exceptions, ofReal: true },
  extremes,
  // Its operands make all kernels but the best err greatly.
  { ...grade, wrongProducts: 'subject' },
  { ...batch, ofCodes: true },
  { ...path, full: true },
];

const SIZES = { quick: [32, 64, 128], full: [16, 32, 64, 128, 256, 512, 1024] };
const usualSizes = (quick: boolean) => (quick ? SIZES.quick : SIZES.full);

/**
 * Infers a kernel's properties from its outputs alone: algorithm, levels, roundings, bits, order of sums, determinism. Every product is
 * compared with the exact one. A question on which the kernel fails is answered "could not be asked". A question that a wrong product makes
 * meaningless is answered with the position of the wrong entry. If the first product is wrong, no further question is asked. A kernel of
 * complex matrices is asked for real products, except for its grade. A kernel that quantizes an operand is asked only whether its answers
 * repeat: codes hide the bits of products and sums.
 * @throws ParanoiaError `device-lost`; `kernel-refuses` for a kernel of ours in a complex precision
 */
export async function inspectKernel(kernel: Kernel, options: InspectOptions = {}): Promise<Inspection> {
  const { seed = 1, quick = false, stop = () => false, clock = wallClock } = options;
  const { algorithms = algorithmRegistry } = options;
  const sizes = options.sizes ?? (clock === stillClock ? usualSizes(quick) : undefined);
  const { method = { levels: 0, fringe: 'pad', tail: 'mask' }, onFinding } = options;
  const start = performance.now();
  const isComplex = kernel.precision.complex === true;
  const measures: InspectionMeasures = {};
  const session = new InspectionSession(realPartOf(kernel, algorithms), method, measures, stop);
  const crashes: string[] = [];
  const context: InspectionContext = {
    ...{ session, algorithms },
    // Sums of coarse numbers are exact in wide formats, whatever their order.
    random: createRandom(seed, 0, session.stored.precision > 24 ? 'fine' : 'coarse'),
    quick,
    sizes: sizes ?? usualSizes(quick),
    allSizes: sizes !== undefined,
    measures,
    known: {},
    clock,
    stop,
  };
  const findings: InspectionFinding[] = [];
  const questions: readonly AskedQuestion[] = [...QUESTIONS, ...epilogueQuestions(kernel)];
  for (const question of questions) {
    const isLeftOut =
      (quick && question.full) === true ||
      (isComplex && question.ofReal === true) ||
      (kernel.activations !== undefined && question.ofCodes !== true);
    if (context.known.isWrong === true) break;
    if (stop() || isLeftOut) continue;
    const made = await answersTo(question, context, crashes);
    findings.push(...made);
    for (const finding of made) onFinding?.(finding);
  }
  return {
    kernel: kernel.name,
    precision: kernel.precision.name,
    quick,
    seed,
    findings,
    measures,
    ...(kernel.activations === undefined ? {} : { unclaimed: QUANTIZED }),
    ...(session.worst === undefined ? {} : { beyondClaims: sentenceOn(session.worst) }),
    ...(crashes.length === 0 ? {} : { crashes: [...new Set(crashes)] }),
    products: session.products,
    seconds: (performance.now() - start) / 1000,
  };
}

const QUANTIZED = 'No further claim is sought: quantized activations hide the bits of products and sums.';

async function answersTo(
  asked: InspectionQuestion,
  context: InspectionContext,
  crashes: string[],
): Promise<InspectionFinding[]> {
  const { id, question, wrongProducts } = asked;
  const { session } = context;
  session.endsOnWrong = wrongProducts === undefined;
  session.judges = wrongProducts !== 'own';
  try {
    return (await asked.ask(context)).map((answer) => ({ id, question, ...answer }));
  } catch (error) {
    if (error instanceof WrongProduct) {
      const answer = `C is wrong at ${shapeText(error.breach.shape)}`;
      return [{ id, question, answer, value: null, confidence: 'proved', evidence: `${error.message}.` }];
    }
    if (
      !(error instanceof SkippedQuestion) &&
      (!(error instanceof ParanoiaError) || error.code === 'device-lost')
    )
      throw error;
    if (error instanceof ParanoiaError && error.blames === 'kernel') crashes.push(error.message);
    const unknown = { answer: 'not answered', value: null, confidence: 'unknown' } as const;
    return [{ id, question, ...unknown, evidence: error.message }];
  }
}

const sentenceOn = (breach: BoundViolation): string =>
  `A product exceeds its error bound at ${shapeText(breach.shape)}: ${describeBoundViolation(breach)}.`;
