import { toNumber } from '../base/rational.ts';
import type { Algorithm, BlockGrid, CoefficientRows } from './algorithm.ts';
import {
  coefficientFraction,
  convergents,
  factorText,
  fractionOfDouble,
  isCoefficient,
  isDyadic,
  isSmall,
  parseFactor,
} from './coefficient.ts';
import { badAlgorithm } from './messages.ts';
import { listOperands, scheduleValuesOf } from './notation.ts';
import { MOST_BLOCKS } from './schedule.ts';
import { brentViolations, findWrongBlocks } from './verify-algorithm.ts';

/** Reserved names, which have another meaning in kernel names, patterns and messages. */
const RESERVED = ['all', 'any', 'none', 'fixed-point', 'mixed-up', 'strassen-like'];

const PARTS = ['u', 'v', 'w'] as const;
type Part = (typeof PARTS)[number];

/** An algorithm as users write it. Coefficients are numbers, or texts such as `'1/3'`. */
type Defined = Omit<Algorithm, Part> & Readonly<Record<Part, readonly (readonly (number | string)[])[]>>;

/**
 * Checks an algorithm: its table multiplies matrices (Brent's equations, over the rationals), its factors are coefficients, and its
 * schedule computes what its table says. A coefficient is a dyadic number, or a fraction p/q with |p| and q below 2048, as a text such as
 * `'1/3'` or the double nearest to it.
 * @returns the algorithm, in numbers.
 * @throws ParanoiaError `bad-algorithm`, in one sentence.
 */
export function defineAlgorithm(given: Defined): Algorithm {
  const refuse = (why: string | undefined) => {
    if (why !== undefined) throw badAlgorithm({ name: String(given?.name), why });
  };
  refuse(faultOf(given));
  const algorithm = inNumbers(given);
  refuse(contentFault(algorithm));
  return algorithm;
}

function inNumbers(given: Defined): Algorithm {
  const isNumber = (x: number | string): x is number => typeof x === 'number';
  if (PARTS.every((part) => given[part].every((row) => row.every(isNumber)))) return given as Algorithm;
  const rows = (part: Part): CoefficientRows => given[part].map((row) => row.map(numberOf));
  return { ...given, u: rows('u'), v: rows('v'), w: rows('w') };
}

/** Converts a coefficient to a number; 0 instead of −0, which no table has. */
const numberOf = (given: number | string): number =>
  (typeof given === 'string' ? parseFactor(given) : given) + 0;

function faultOf(algorithm: Defined): string | undefined {
  const { name, base, u, v, w } = algorithm ?? {};
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(name)) {
    return 'its name must consist of lowercase letters, digits and hyphens, and begin with a letter';
  }
  if (RESERVED.includes(name)) return 'its name is reserved';
  const sizes = [base?.m, base?.k, base?.n];
  if (!sizes.every((size) => Number.isInteger(size) && size >= 1 && size <= 16)) {
    return 'its base needs m, k and n, whole numbers from 1 to 16';
  }
  return tableFault(base, { u, v, w });
}

function contentFault(algorithm: Algorithm): string | undefined {
  const [first, ...more] = brentViolations(algorithm);
  if (first !== undefined) {
    const rest = more.length === 0 ? '' : `, and ${more.length} more of Brent's equations fail`;
    const found = factorText(first.found);
    return `its table gives ${first.a}·${first.b} in ${first.c} the factor ${found}, expected ${first.expected}${rest}${hintOf(algorithm)}`;
  }
  return algorithm.schedule === undefined ? undefined : scheduleFault(algorithm);
}

/** Names the fraction that a rounded decimal of a failing table probably means. */
function hintOf({ u, v, w }: Algorithm): string {
  const rounded = [u, v, w].flat(2).find((factor) => guessFraction(factor) !== undefined);
  return rounded === undefined
    ? ''
    : `; where ${rounded} is meant for ${guessFraction(rounded)}, ${writing(rounded)}`;
}

const writing = (factor: number): string => `write '${guessFraction(factor)}'`;

/** Returns the reason why a factor is no coefficient, as the end of a sentence. */
function noCoefficient(factor: unknown): string {
  const near = typeof factor === 'number' ? guessFraction(factor) : undefined;
  const next = near === undefined ? '' : `; for ${near}, ${writing(factor as number)}`;
  return `is neither p·2^q with |p| below 2048 and a magnitude from 2^-14 to 2^14, nor p/q with |p| and q below 2048${next}`;
}

function tableFault({ m, k, n }: BlockGrid, table: Pick<Defined, Part>): string | undefined {
  const columns = { u: m * k, v: k * n, w: m * n };
  const products = table.u?.length ?? 0;
  for (const part of PARTS) {
    const rows = table[part];
    if (!Array.isArray(rows) || rows.length === 0 || rows.length !== products) {
      return 'u, v and w need a row for each product';
    }
    for (const [r, row] of rows.entries()) {
      if (!Array.isArray(row) || row.length !== columns[part]) {
        return `row ${r + 1} of ${part} needs ${columns[part]} factors, one for each block`;
      }
      const isBad = (given: unknown) =>
        !(typeof given === 'number' || typeof given === 'string') || !isCoefficient(numberOf(given));
      const bad = row.findIndex(isBad);
      if (bad >= 0) return `the factor ${row[bad]} in row ${r + 1} of ${part} ${noCoefficient(row[bad])}`;
      if (row.every((factor) => numberOf(factor) === 0)) return `row ${r + 1} of ${part} is empty`;
    }
  }
  return undefined;
}

function scheduleFault(algorithm: Algorithm): string | undefined {
  const values = scheduleValuesOf(algorithm);
  const [fault] = findWrongBlocks(algorithm, values);
  if (fault !== undefined) return `its schedule is wrong: ${fault.replace(/\.$/, '')}`;
  const products = values.all.filter(({ kind }) => kind === 'product').length;
  if (products !== algorithm.u.length) {
    return `its schedule has ${products} products, but its table has ${algorithm.u.length}`;
  }
  for (const value of values.all) {
    const factor =
      value.kind === 'sum' ? value.terms.find((term) => !isCoefficient(term.factor))?.factor : undefined;
    if (factor !== undefined) return `the factor ${factor} of its schedule ${noCoefficient(factor)}`;
  }
  const wide = values.groups.findIndex((group) => {
    const blocks = group.flatMap((at) => [at, ...listOperands(values.all[at])]);
    return new Set(blocks.map((at) => `${values.all[at].written} ${values.all[at].role}`)).size > MOST_BLOCKS;
  });
  if (wide >= 0)
    return `group ${wide + 1} of its schedule has more than ${MOST_BLOCKS} blocks, the limit of one launch`;
  return undefined;
}

/** Returns the fraction that a number with few decimals may mean, as text: 1/3 for 0.333. */
export function guessFraction(x: number): string | undefined {
  if (!Number.isFinite(x)) return undefined;
  const { den } = coefficientFraction(x);
  if (den <= LARGEST_MEANT || (isSmall(coefficientFraction(x)) && 10n ** 4n % den !== 0n)) return undefined;
  const near = [...convergents(fractionOfDouble(x))].find(
    (one) => one.den <= LARGEST_MEANT && Math.abs(toNumber(one) - x) < CLOSE * Math.abs(x),
  );
  return near && !isDyadic(toNumber(near)) ? factorText(toNumber(near)) : undefined;
}

/** Largest denominator of a guess, and the largest relative distance from it. */
const [LARGEST_MEANT, CLOSE] = [16n, 0.02];
