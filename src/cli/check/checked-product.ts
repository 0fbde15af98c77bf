import { EXIT } from '../../base/errors.ts';
import { toJsonNumber } from '../../base/numbers.ts';
import type { CheckResult } from '../../evidence/case-result.ts';
import { boundUse, runningBound } from '../../evidence/checks/running-bound.ts';
import { sigmasOf } from '../../evidence/checks/sigma.ts';
import { refuseSigmas, splitProduct } from '../../evidence/epilogue/product-with-epilogue.ts';
import { type Evidence, isAnalyzed } from '../../evidence/evidence.ts';
import { type LargeCrew, weighGiven } from '../../evidence/given-product.ts';
import type { ExactMultiply } from '../../evidence/reference.ts';
import { answersOf, verdictOfChecks } from '../../evidence/result-of.ts';
import { worstEntries } from '../../evidence/worst-entries.ts';
import { builtinCaseItems } from '../../kernels/case-items.ts';
import type { Claims } from '../../kernels/claims.ts';
import { CHECK_SCHEMA, type CheckReport } from '../../pages/checked.ts';
import { type Format, f32, f64, isWholeFormat } from '../../precision/format.ts';
import { formats } from '../../precision/formats/formats.ts';
import { precisionOfFormats } from '../../precision/precisions.ts';
import { checkPrecisionNeeded } from '../messages.ts';
import type { CheckOperands } from './operands.ts';

/** The most entries that a verdict lists. */
const LISTED = 8;

export interface CheckTerms {
  readonly alpha?: number | undefined;
  readonly beta?: number | undefined;
  readonly precision?: string | undefined;
  readonly claims?: Claims | undefined;
  readonly sigmas?: number | undefined;
  readonly seed?: number | undefined;
}

/**
 * Checks a product that was computed elsewhere.
 * @throws ParanoiaError `check-precision-needed`, and as {@link weighGiven}
 */
export async function checkedProduct(
  operands: CheckOperands,
  terms: CheckTerms,
  exact: ExactMultiply,
  crew?: LargeCrew,
): Promise<CheckReport> {
  const { alpha = 1, claims, sigmas, seed } = terms;
  const beta = operands.c === undefined ? 0 : (terms.beta ?? 1);
  const precision = precisionFor(terms.precision, operands);
  const given = { ...operands, alpha, beta, precision, claims, seed, isRandom: sigmas !== undefined };
  const { product, rest } = splitProduct(given, builtinCaseItems);
  if (rest.steps.length > 0) {
    refuseSigmas(sigmas);
    const { checkedEpilogue } = await import('./checked-epilogue.ts');
    return checkedEpilogue(given, exact, LISTED, storedFormat(terms.precision, precision, operands));
  }
  const evidence = await weighGiven(product, exact, builtinCaseItems, crew);
  const limits = { sigmas: sigmas ?? 6, drift: Number.POSITIVE_INFINITY };
  const answers = await answersOf(evidence, limits);
  const { verdict, reason } = verdictOfChecks(answers);
  const { m, k, n, batch } = evidence.gemm;
  const { checked } = evidence.reference;
  return {
    ...{ schema: CHECK_SCHEMA, verdict, exitCode: EXIT[verdict], reason, precision, m, k, n, batch },
    algorithm: evidence.claims.algorithm,
    checks: answers.filter(({ status }) => status !== 'not-applicable'),
    worst: worstEntries(evidence, LISTED, sigmas),
    ...errorsIn(evidence, answers),
    ...(checked === 1 ? {} : { checkedShare: checked }),
    ...specialIn(evidence),
    ...(verdict === 'fail' ? await picturesIn(evidence) : {}),
  };
}

/** Counts the compared entries whose exact value is not finite. */
function specialIn({ reference, operands }: Evidence): Pick<CheckReport, 'special'> {
  if (operands.hasSpecials !== true) return {};
  const special = reference.value.reduce((count, x) => count + Number(!Number.isFinite(x)), 0);
  return special === 0 ? {} : { special };
}

/** Returns the largest error as a share of its bound, and in expected errors. */
function errorsIn(
  evidence: Evidence,
  answers: readonly CheckResult[],
): Pick<CheckReport, 'boundUsed' | 'sigmas'> {
  if (!isAnalyzed(evidence)) return {};
  const { reference } = evidence;
  const sigmas = sigmasOf(evidence);
  let worst = 0;
  for (let e = 0; e < reference.value.length; e++) {
    const ratio = sigmas(e);
    if (ratio > worst && ratio < Number.POSITIVE_INFINITY) worst = ratio;
  }
  const answered = answers.find(({ name }) => name === runningBound.name)?.found;
  return { boundUsed: answered ?? toJsonNumber(boundUse(evidence).used), sigmas: toJsonNumber(worst) };
}

async function picturesIn(evidence: Evidence): Promise<Pick<CheckReport, 'excerpt' | 'maps'>> {
  const { excerptAround, maps } = await import('../../evidence/shown.ts');
  return { ...excerptAround.ask(evidence), maps: maps.ask(evidence) };
}

/**
 * Returns the precision of a check: the one that is named, or the one with the types of A, B and D. An epilogue may store D in any type.
 * @throws ParanoiaError
 */
function precisionFor(named: string | undefined, { dtypes: { a, b, d }, epilogue }: CheckOperands): string {
  if (named !== undefined) return named;
  const { precisions } = builtinCaseItems;
  const names = { a: a.name, b: b.name };
  const found =
    precisionOfFormats({ ...names, d: d.name }, precisions) ??
    (epilogue.length > 0 ? precisionOfFormats(names, precisions) : undefined);
  if (found !== undefined) return found.name;
  throw checkPrecisionNeeded({ a: a.name, b: b.name, d: d.name });
}

/** Returns the format of D by its type, where the precision does not say it: sums of whole numbers leave an epilogue in any format. */
function storedFormat(
  named: string | undefined,
  precision: string,
  { dtypes: { d } }: CheckOperands,
): Format | undefined {
  if (named !== undefined && !isWholeFormat(builtinCaseItems.precisions.find(precision).d)) return undefined;
  return d.name === 'f32' ? f32 : d.name === 'f64' ? f64 : formats.get(d.name);
}
