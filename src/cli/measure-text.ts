import { quadrantPath } from '../accuracy/quadrant-path.ts';
import type { ErrorMeasures } from '../accuracy/tally.ts';
import type { Arithmetic } from '../formats/arithmetic.ts';
import { FULL_LIMIT, type Measurement } from '../gate/measure.ts';
import { toReal } from '../gate/results.ts';
import type { Fingerprint } from '../gpu/device.ts';
import { counted } from '../report/numbers.ts';
import type { OwnMatrices, Rounding } from './own-matrices.ts';

/** What was measured, and where. */
export interface About {
  readonly kernel: string;
  readonly input: string;
  readonly seed: number;
  readonly precision: string;
  /** `mirror` where the steps were repeated on the CPU. */
  readonly on: 'gpu' | 'mirror';
  /** What rounding one's own matrices has changed. */
  readonly rounded?: OwnMatrices['rounding'] | undefined;
}

/** What `measure --json` prints. */
export function asJson(
  measured: Measurement,
  about: About,
  fingerprint: Fingerprint,
  arithmetic: Arithmetic,
) {
  const { plan, exact, ideal, readers, checked } = measured;
  const main = ideal ?? exact;
  // Where nothing is finite on both sides, nothing was measured: not an error of 0.
  const real = (x: number) => (exact.agreements === exact.entries ? null : toReal(x));
  const { worst } = main;
  return {
    ...about,
    levels: plan.levels,
    border: plan.border,
    edge: plan.edge,
    ...plan.shape,
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
      normalisedMax: real(exact.normalisedMax),
      normalisedMean: real(exact.normalisedMean),
      unequal: exact.unequal,
      disagreements: exact.disagreements,
      agreements: exact.agreements,
      checked,
    },
    runningBound: readers === undefined ? null : toReal(readers.runningBound),
    boundUsed: readers === undefined ? null : toReal(readers.boundUsed),
    boundIsVacuous: readers?.boundIsVacuous ?? null,
    aPrioriBound: toReal(measured.aPriori),
    sigma: readers === undefined ? null : toReal(readers.sigma),
    sigmas: readers === undefined ? null : toReal(readers.sigmas),
    mirrorEqual: readers?.mirrorEqual ?? null,
    worst:
      worst === undefined
        ? null
        : { i: worst.i, j: worst.j, quadrant: quadrantOf(worst, plan), error: toReal(worst.error) },
    seconds: measured.seconds,
    adapter: fingerprint,
    arithmetic,
  };
}

const quadrantOf = ({ i, j }: { i: number; j: number }, { shape, levels, border }: Measurement['plan']) =>
  quadrantPath(i, j, shape.m, shape.n, levels, border);

type Row = readonly [string, string];

/** A measurement for a person. */
export function asText(measured: Measurement, about: About, fingerprint: Fingerprint): string {
  const { plan, exact, readers } = measured;
  const { m, k, n } = plan.shape;
  const rows: Row[] = [
    [
      'product',
      `${m}×${k} by ${k}×${n}, ${about.kernel}, ${about.precision}, ${counted(plan.levels, 'level')}, border ${plan.border}, edge ${plan.edge}`,
    ],
    ['input', `${about.input}, seed ${about.seed}`],
    ...roundedRows(about),
    [
      about.on === 'gpu' ? 'computed on' : 'arithmetic of',
      `${fingerprint.name}, ${measured.seconds?.toPrecision(3)} s`,
    ],
    ...specialRows(exact),
    ...(exact.agreements === exact.entries ? [] : errorRows(measured)),
    ...(readers === undefined ? [NO_READERS] : readerRows(readers, exact, about)),
    ['a-priori bound', Number.isFinite(measured.aPriori) ? short(measured.aPriori) : NOT_FINITE],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

const NOT_FINITE = 'none: an operand or an intermediate value is NaN or infinite';
const NO_READERS: Row = [
  'bound and sigma',
  `not computed above ${FULL_LIMIT.toPrecision(2)} products of entries`,
];

function roundedRows({ rounded, precision }: About): Row[] {
  if (rounded === undefined) return [];
  const of = (name: string, { changed, largest }: Rounding) =>
    changed === 0
      ? `no entry of ${name} changed`
      : `${counted(changed, 'entry').replace('entrys', 'entries')} of ${name} changed, by at most ${short(largest)}`;
  return [['rounded first', `to what ${precision} multiplies: ${of('A', rounded.a)}; ${of('B', rounded.b)}`]];
}

/** Of NaN and infinities there is no error to measure, only whether they are where they should be. */
function specialRows({ entries, agreements, disagreements }: ErrorMeasures): Row[] {
  if (agreements + disagreements === 0) return [];
  const finite = entries - agreements - disagreements;
  const measured =
    finite === 0 ? 'none is finite in both, so no error is measured' : `${finite} are finite in both`;
  return [
    [
      'NaN and infinities',
      `of ${counted(entries, 'entry').replace('entrys', 'entries')}, ${agreements} have the NaN or infinity of the exact product, ${disagreements} have one where it has none or another; ${measured}`,
    ],
  ];
}

function errorRows({ plan, exact, ideal, checked }: Measurement): Row[] {
  const share = checked === 1 ? '' : ` (${(100 * checked).toPrecision(2)} % of the entries, sampled)`;
  const { worst } = ideal ?? exact;
  return [
    ...(ideal === undefined
      ? []
      : ([
          ['max error, ideal', short(ideal.max)],
          ['mean error, ideal', short(ideal.mean)],
        ] as const)),
    ['max error, exact', `${short(exact.max)}${share}`],
    ['mean error, exact', short(exact.mean)],
    ['significant bits', exact.bits.toFixed(1)],
    ['componentwise', `${short(exact.componentwise)} u·|A||B|`],
    ['normwise', `${short(exact.normwise)} u·max|A|·max|B|`],
    ['worst entry', worst === undefined ? 'none' : `(${worst.i}, ${worst.j}) in ${quadrantOf(worst, plan)}`],
  ];
}

function readerRows(
  readers: NonNullable<Measurement['readers']>,
  { agreements, disagreements }: ErrorMeasures,
  { on }: About,
): Row[] {
  const { runningBound, boundUsed, boundIsVacuous, sigma, sigmas, mirrorEqual } = readers;
  const vacuous = boundIsVacuous ? '; vacuous: larger than C' : '';
  const some = agreements + disagreements > 0;
  const mirror: Row[] = on === 'mirror' ? [] : [['mirror', mirrorEqual ? 'equal bit for bit' : 'differs']];
  return [
    [
      'running bound',
      runningBound === 0 && some
        ? NOT_FINITE
        : `${short(runningBound)}; the worst error uses ${short(100 * boundUsed)} % of its own${vacuous}`,
    ],
    [
      'sigma',
      Number.isFinite(sigma) && Number.isFinite(sigmas)
        ? `${short(sigma)}; the worst error is ${sigmas.toFixed(2)} of its own`
        : NOT_FINITE,
    ],
    ...mirror,
  ];
}

const short = (x: number) =>
  x === 0 || Number.isFinite(x) ? Number(x.toPrecision(3)).toString() : String(x);
