import { toJsonNumber } from '../base/numbers.ts';
import { boundUse } from '../evidence/checks/running-bound.ts';
import { errorsInSigmas } from '../evidence/checks/sigma.ts';
import { placeText } from '../evidence/compared.ts';
import { type Evidence, isAnalyzed } from '../evidence/evidence.ts';
import { aPrioriOf, haveSameBits } from '../evidence/numbers.ts';
import { measured } from '../evidence/reference.ts';
import type { ErrorMeasures } from '../evidence/tally.ts';
import { largestOf } from '../exact/sizes.ts';
import type { Matrix } from '../matrix/dense.ts';
import { describeBeyond, requestedGemm } from '../matrix/gemm.ts';
import { pathName, pathOfEntry } from '../plan/path.ts';
import { formatCount, formatDuration, formatShort } from '../report/numbers.ts';
import { makeFactsTable, type Table, type TableCell } from '../report/table.ts';

/** The effect of rounding a matrix to the format that kernels multiply. */
export interface RoundingEffect {
  readonly changed: number;
  /** The largest change. */
  readonly largest: number;
}

/** Operands from a user's files, rounded. */
export interface OwnMatrices {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly rounding: { readonly a: RoundingEffect; readonly b: RoundingEffect };
}

/** The object and the place of a measurement. */
export interface MeasurementSubject {
  readonly kernel: string;
  readonly input: string;
  readonly seed: number;
  readonly precision: string;
  /** `model` where the model repeats the steps on the CPU. */
  readonly on: 'gpu' | 'model';
  /** The effect of rounding the user's matrices. */
  readonly rounded?: OwnMatrices['rounding'] | undefined;
}

/** Makes the output of `measure --json`. */
export function asJson(evidence: Evidence, about: MeasurementSubject) {
  const { plan, errors, reference, outcomes, machine, quantization } = evidence;
  const { exact, ideal } = errors;
  const readers = readersOf(evidence);
  const main = ideal ?? exact;
  // If no entry is finite on both sides, nothing was measured: the error is not 0.
  const real = (x: number) => (exact.agreements === exact.entries ? null : toJsonNumber(x));
  const { worst } = main;
  return {
    ...about,
    levels: plan.levels,
    fringe: plan.fringe,
    tail: plan.tail,
    ...shapeOf(evidence.gemm),
    maxError: real(main.max),
    meanError: real(main.mean),
    against: ideal === undefined ? 'exact' : 'ideal',
    exact: {
      maxError: real(exact.max),
      meanError: real(exact.mean),
      bits: real(exact.bits),
      componentwise: real(exact.componentwise),
      normwise: real(exact.normwise),
      frobenius: real(exact.frobenius),
      normalizedMax: real(exact.normalizedMax),
      normalizedMean: real(exact.normalizedMean),
      unequal: exact.unequal,
      disagreements: exact.disagreements,
      agreements: exact.agreements,
      checked: reference.checked,
    },
    ...(quantization && {
      coding: { maxError: real(quantization.coding.max), meanError: real(quantization.coding.mean) },
      endToEnd: { maxError: real(quantization.endToEnd.max), meanError: real(quantization.endToEnd.mean) },
    }),
    runningBound: readers === undefined ? null : toJsonNumber(readers.bound.largest),
    boundUsed: readers === undefined ? null : toJsonNumber(readers.bound.used),
    boundIsVacuous: readers?.bound.vacuous ?? null,
    aPrioriBound: toJsonNumber(aPrioriOf(evidence)),
    sigma: readers === undefined ? null : toJsonNumber(readers.sigma),
    sigmas: readers === undefined ? null : toJsonNumber(readers.sigmas),
    equalsModel: readers?.equalsModel ?? null,
    worst:
      worst === undefined
        ? null
        : { i: worst.i, j: worst.j, quadrant: quadrantOf(worst, plan), error: toJsonNumber(worst.error) },
    seconds: outcomes[0].seconds,
    adapter: machine.fingerprint,
    arithmetic: machine.arithmetic,
  };
}

const quadrantOf = ({ i, j }: { i: number; j: number }, plan: Evidence['plan']) =>
  pathName(pathOfEntry(i % plan.shape.m, j, plan));

/** Returns the shape, in entries of the precision. */
function shapeOf(gemm: Evidence['gemm']) {
  const { m, k, n } = requestedGemm(gemm);
  return { m, k, n };
}

type Fact = readonly [string, TableCell | undefined];

/** Tabulates a measurement for a person. */
export function measurementFacts(evidence: Evidence, about: MeasurementSubject): Table {
  const { plan, errors, outcomes, machine } = evidence;
  const { exact } = errors;
  const [{ seconds }] = outcomes;
  const readers = readersOf(evidence);
  const published = aPrioriOf(evidence);
  const { gemm } = evidence;
  const { m, k, n } = requestedGemm(gemm);
  const more = describeBeyond(requestedGemm(gemm));
  const took = seconds === undefined ? '' : `, ${formatDuration(seconds)}`;
  return makeFactsTable('', [
    [
      'product',
      `${m}×${k} by ${k}×${n}, ${about.kernel}, ${about.precision}, ${formatCount(plan.levels, 'level')}, fringe ${plan.fringe}, tail ${plan.tail}`,
    ],
    ['of which', more.length === 0 ? undefined : more.join(', ')],
    ['input', `${about.input}, seed ${about.seed}`],
    ['rounded first', roundedFirst(about)],
    [about.on === 'gpu' ? 'computed on' : 'arithmetic of', `${machine.fingerprint?.name}${took}`],
    ['NaN and infinities', specials(exact)],
    ...(exact.agreements === exact.entries ? [] : errorFacts(evidence)),
    ...(readers === undefined ? [NO_READERS] : readerFacts(readers, exact, about)),
    ['a-priori bound', Number.isFinite(published) ? formatShort(published) : NOT_FINITE],
  ]);
}

const NOT_FINITE = 'none, since an operand or an intermediate value is NaN or infinite';
const NO_READERS: Fact = [
  'bound and sigma',
  `not computed above ${measured.analysis.toPrecision(2)} products of entries`,
];

const entries = (count: number) => `${count} ${count === 1 ? 'entry' : 'entries'}`;

function roundedFirst({ rounded, precision }: MeasurementSubject): string | undefined {
  if (rounded === undefined) return undefined;
  const of = (name: string, { changed, largest }: RoundingEffect) =>
    changed === 0
      ? `no entry of ${name} changed`
      : `${entries(changed)} of ${name} changed, by at most ${formatShort(largest)}`;
  return `to what ${precision} multiplies: ${of('A', rounded.a)}; ${of('B', rounded.b)}`;
}

/** Describes NaN and infinities. They have no error; only their positions are compared. */
function specials({ entries: all, agreements, disagreements }: ErrorMeasures): string | undefined {
  if (agreements + disagreements === 0) return undefined;
  const finite = all - agreements - disagreements;
  const measured =
    finite === 0 ? 'none is finite in both, so no error is measured' : `${finite} are finite in both`;
  return `of ${entries(all)}, ${agreements} have the NaN or infinity of the exact product, ${disagreements} have a wrong one; ${measured}`;
}

function errorFacts({ plan, gemm, errors, quantization, reference: { checked } }: Evidence): Fact[] {
  const { exact, ideal } = errors;
  const share = checked === 1 ? '' : ` (${(100 * checked).toPrecision(2)} % of the entries, sampled)`;
  const { worst } = ideal ?? exact;
  return [
    ['max error, ideal', ideal && formatShort(ideal.max)],
    ['mean error, ideal', ideal && formatShort(ideal.mean)],
    ['max error, exact', `${formatShort(exact.max)}${share}`],
    ['mean error, exact', formatShort(exact.mean)],
    ['coding alone', quantization && coded(quantization.coding)],
    ['end to end', quantization && coded(quantization.endToEnd)],
    ['significant bits', exact.max === 0 ? 'all: every entry is exact' : exact.bits.toFixed(1)],
    ['componentwise', `${formatShort(exact.componentwise)} u·${sizeText(gemm)}`],
    ['normwise', `${formatShort(exact.normwise)} u·max|A|·max|B|`],
    ['worst entry', worst === undefined ? 'none' : placeOf(worst, plan, gemm)],
  ];
}

/** Describes errors against the product of operands before they were coded. */
const coded = ({ max, mean, bits }: ErrorMeasures): string =>
  `max ${formatShort(max)}, mean ${formatShort(mean)}, ${bits.toFixed(1)} bits, against the product of the coded operands`;

/** Returns the denominator of componentwise errors. */
const sizeText = ({ alpha, beta }: Evidence['gemm']): string =>
  beta !== 0 ? '(|α||A||B| + |β||C|)' : alpha === 1 ? '|A||B|' : '|α||A||B|';

function placeOf({ i, j }: { i: number; j: number }, plan: Evidence['plan'], gemm: Evidence['gemm']): string {
  const { m, batch } = gemm;
  const product = batch === 1 ? '' : ` of product ${Math.floor(i / m)}`;
  return `${placeText(gemm, i % m, j)}${product} in ${quadrantOf({ i, j }, plan)}`;
}

/** Returns the largest bound and expected error of an entry, and the worst error in units of each. */
function readersOf(evidence: Evidence) {
  if (!isAnalyzed(evidence)) return undefined;
  const { analysis } = evidence;
  return {
    bound: boundUse(evidence),
    sigma: largestOf(analysis.sigma.data),
    sigmas: largestOf(errorsInSigmas(evidence)),
    equalsModel: haveSameBits(evidence.outcomes[0].c.data, analysis.model.data),
  };
}

function readerFacts(
  { bound, sigma, sigmas, equalsModel }: NonNullable<ReturnType<typeof readersOf>>,
  { agreements, disagreements }: ErrorMeasures,
  { on }: MeasurementSubject,
): Fact[] {
  const vacuous = bound.vacuous ? '; proves nothing: larger than C' : '';
  const unbounded = bound.largest === 0 && agreements + disagreements > 0;
  const finite = Number.isFinite(sigma) && Number.isFinite(sigmas);
  return [
    [
      'running bound',
      unbounded
        ? NOT_FINITE
        : `${formatShort(bound.largest)}; the worst error uses ${formatShort(100 * bound.used)} % of its own${vacuous}`,
    ],
    [
      'sigma',
      finite ? `${formatShort(sigma)}; the worst error is ${sigmas.toFixed(2)} of its own` : NOT_FINITE,
    ],
    ['model', on === 'model' ? undefined : equalsModel ? 'equal bit for bit' : 'differs'],
  ];
}
