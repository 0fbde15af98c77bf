import { lookUp } from '../base/objects.ts';
import type { Claims } from '../kernels/claims.ts';
import type { Precision } from '../precision/precision.ts';
import { partsIn } from '../precision/sums.ts';
import type { Inspection, InspectionMeasures } from './inspection.ts';
import { multipliedBits } from './operand-format.ts';
import { directedClaim, isDirected } from './sum-bits.ts';

type PartialMeasures = NonNullable<InspectionMeasures['partialSums']>;
type Order = NonNullable<InspectionMeasures['orders']>[number];

/** A key of claims, and its value as it is written in a config. */
type Part = readonly [key: string, text: string];

/**
 * Writes the claims that the outputs support, as a line for the kernel's config. A property that was not found, or that differs between
 * sizes, is left out and so not promised. If recursion begins at some size, the claim begins after the largest size seen without recursion.
 * @param style the notation: an object of JavaScript, or the argument of Python's decorator.
 * @returns undefined where {@link whyUnclaimed} gives a reason.
 */
export function claimOf(
  inspection: Inspection,
  precision: Precision,
  style: 'javascript' | 'python' = 'javascript',
): string | undefined {
  if (whyUnclaimed(inspection, precision) !== undefined) return undefined;
  const isPython = style === 'python';
  const text = record(partsOf(inspection, precision, isPython));
  return isPython ? `claims=${inPython(text)}` : `claims: ${text}`;
}

/** Returns the same claims as a record of the kernel. */
export function claimsOf(inspection: Inspection, precision: Precision): Claims | undefined {
  if (whyUnclaimed(inspection, precision) !== undefined) return undefined;
  const { levels, ...claims }: Claims = JSON.parse(quoted(record(partsOf(inspection, precision, true))));
  if (levels === undefined) return claims;
  const sizes = inspection.measures.levelsBySize ?? [];
  return { ...claims, levels: ({ m, k, n }) => levelsAt(sizes, Math.max(m, k, n)) };
}

/** Returns the reason why no claim is printed, in a sentence; undefined where one is printed. */
export function whyUnclaimed(inspection: Inspection, precision: Precision): string | undefined {
  const { measures, unclaimed } = inspection;
  if (unclaimed !== undefined) return unclaimed;
  if (measures.multiplies !== true) return 'No claim fits, since the product is wrong or untested.';
  if (isNameless(measures)) return `No claim describes its algorithm, found as ${measures.algorithm}.`;
  const [fewer] = fewerIn(measures, precision);
  if (fewer !== undefined)
    return `Its ${fewer.what} have ${fewer.bits} significant bits, but ${precision.name} has ${fewer.full}. Name a precision with fewer bits.`;
  const grade = sureValue(inspection, 'grade') ?? 'A';
  // A classical product has small errors entry by entry.
  if (measures.algorithm === 'classical' && grade !== 'A')
    return `Its errors are of grade ${grade}, but a classical claim allows only grade A.`;
  return losesExceptions(measures) && measures.infinitiesBecomeNaN !== true
    ? 'It loses NaN or infinities. If they do not matter, claim exceptions: false: the gate then tests neither.'
    : undefined;
}

/** Returns the claimed parts, in order. */
function partsOf(inspection: Inspection, precision: Precision, isPython: boolean): Part[] {
  const { measures } = inspection;
  return [
    ...algorithmOf(inspection, isPython),
    // The order was found from real parts alone.
    ...(precision.complex === true ? [] : sumsOf(inspection)),
    ...arithmeticOf(inspection, precision),
    ...(measures.deterministic === false ? [part('deterministic', false)] : []),
    ...(measures.batchInvariant === true ? [part('batchInvariant', true)] : []),
  ];
}

/** True if the kernel adds blocks by no known table, or computes in fixed point, so that no algorithm can be claimed. */
const isNameless = ({ algorithm = 'classical' }: InspectionMeasures): boolean =>
  ['mixed-up', 'strassen-like', 'fixed-point'].includes(algorithm);

/** True if infinities and NaN break IEEE 754, and no other claimed property explains it. */
const losesExceptions = ({ exceptions, algorithm, zeroPoints }: InspectionMeasures): boolean =>
  // A fast algorithm spreads NaN over blocks and needs no claim for it.
  exceptions === false && algorithm === 'classical' && zeroPoints !== 'sums';

/** Returns the places where numbers have fewer bits than the precision says: entries, products, block sums or results. */
function fewerIn(measures: InspectionMeasures, precision: Precision) {
  const { operandBits = MOST, productBits = MOST, blockSumBits = MOST, storedBits = MOST } = measures;
  const { accumulated, d } = precision;
  const bits = multipliedBits(precision);
  const product = Math.min(2 * bits - 2, measures.accumulatorBits ?? MOST, accumulated.precision);
  const areRounded = measures.fused === false || measures.order === 'fused';
  return [
    { what: 'entries', bits: operandBits, full: bits },
    { what: 'products', bits: areRounded ? productBits : MOST, full: product },
    { what: 'sums of blocks', bits: blockSumBits, full: accumulated.precision },
    { what: 'results', bits: storedBits, full: Math.min(d.precision, measures.accumulatorBits ?? MOST) },
  ].filter((one) => one.bits < one.full);
}

const part = (key: string, value: string | number | boolean): Part => [
  key,
  typeof value === 'string' ? `'${value}'` : String(value),
];

const record = (parts: readonly Part[]): string =>
  parts.length === 0 ? '{}' : `{ ${parts.map(([key, text]) => `${key}: ${text}`).join(', ')} }`;

const WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False' };

/** Converts a record's text to JSON. */
const quoted = (text: string): string => text.replaceAll("'", '"').replace(/(\w+):/g, '"$1":');

/** Converts a record's text to a Python dict. */
const inPython = (text: string): string =>
  quoted(text).replace(/\b(?:true|false)\b/g, (word) => lookUp(WORDS, word) ?? word);

const sureValue = ({ findings }: Inspection, id: string) => {
  const found = findings.find((one) => one.id === id);
  return found?.confidence === 'proved' || found?.confidence === 'measured' ? found.value : undefined;
};

/** Returns a fast algorithm with its recursion, or else with its levels. Claims in Python hold no functions. */
function algorithmOf(inspection: Inspection, isPython: boolean): Part[] {
  const { algorithm, levelsBySize = [] } = inspection.measures;
  if (algorithm === undefined || algorithm === 'classical') return [];
  const recursion = inspection.findings.find(({ id }) => id === 'recursion')?.value;
  const said = typeof recursion === 'string' ? /recursion: (.*)$/.exec(recursion)?.[1] : undefined;
  const levels = levelsBySize.map((at) => at.levels ?? 0);
  const most = Math.max(...levels);
  const changes = new Set(levels).size > 1 && !isPython;
  return [
    part('algorithm', algorithm),
    changes ? ['levels', levelsBySizeText(levelsBySize)] : part('levels', most),
    ...(said === undefined ? [] : [['recursion', said] as const]),
  ];
}

type Sizes = NonNullable<InspectionMeasures['levelsBySize']>;

/** Returns the levels of shapes with this largest size. A higher level begins after the largest size that was seen without it. */
const levelsAt = (sizes: Sizes, size: number): number =>
  Math.max(0, ...sizes.map(({ levels = 0 }, at) => (size > (sizes[at - 1]?.n ?? 0) ? levels : 0)));

/** Writes the levels as a function of the largest size of a shape. */
function levelsBySizeText(sizes: Sizes): string {
  let text = '0';
  sizes.forEach(({ levels = 0 }, at) => {
    const before = sizes[at - 1]?.levels ?? 0;
    if (levels <= before) return;
    const least = (sizes[at - 1]?.n ?? 0) + 1;
    text = text === '0' ? `size >= ${least} ? ${levels} : 0` : `size >= ${least} ? ${levels} : ${text}`;
  });
  return `({ m, k, n }, size = Math.max(m, k, n)) => (${text})`;
}

/** Returns the order of sums and the formats of their parts. */
function sumsOf(inspection: Inspection): Part[] {
  const shared = orderOf(inspection);
  return shared.length > 0 ? shared : fewPartsOf(inspection);
}

/**
 * Returns the order that sums of all lengths share, long sums and single inner products included. Quick inspections test one length only
 * and claim no order. Nothing is claimed of terms where only blocks were told apart.
 */
function orderOf(inspection: Inspection): Part[] {
  const { orders = [], deterministic, compensated, termsApart = 1, split, partialSums } = inspection.measures;
  if (termsApart > 1) return [];
  const isEverywhere = !inspection.quick && (sureValue(inspection, 'order-alone') ?? true) === true;
  const path = sureValue(inspection, 'code-path');
  // A longer k has longer parts.
  const isOnePath = path === '' || (split !== undefined && /^k = [^;]*$/.test(String(path)));
  const isSure = isEverywhere && isOnePath && sureValue(inspection, 'order') !== undefined;
  // Sums of narrow parts are too coarse for a long sum of ones; their cut was found at several lengths.
  const isLong = (orders.at(-1)?.k ?? 0) >= LONG || (partialSums !== undefined && split !== undefined);
  if (!isSure || deterministic === false || compensated === true || !isLong) return [];
  const blocks = orders.filter(({ order }) => order === 'blocked').map(({ each = 0 }) => each);
  const isOneBlock = (k: number) =>
    k <= Math.max(...blocks) || (split !== undefined && partsIn(k, split).count === 1);
  // A sum no longer than a block or tile consists of that one block.
  const told = orders.filter(({ order, k }) => order !== 'sequential' || !isOneBlock(k));
  const names = new Set(told.map((one) => (isSplitSo(one, split) ? 'split-k' : one.order)));
  const [name] = names;
  if (names.size !== 1 || !CLAIMED.includes(name)) return [];
  const whole = told.filter(({ each }) => each !== undefined);
  const only = (key: 'each' | 'parts') => {
    const values = new Set(whole.map((one) => one[key]));
    return values.size === 1 ? [...values][0] : undefined;
  };
  const [each, parts] = [only('each'), split?.parts ?? only('parts')];
  return [
    part('order', name),
    ...(name === 'blocked' && each !== undefined ? [part('partition', each)] : []),
    ...(name === 'split-k' && parts !== undefined ? [part('parts', parts)] : []),
    ...(name === 'split-k' && split !== undefined ? [cutOf(split)] : []),
    ...(partialSums === undefined || (each ?? parts) === undefined ? [] : partialOf(partialSums)),
  ];
}

/**
 * Returns the claim that holds where short sums have one part and long ones several: at most so many parts, whose sums are narrow. Terms
 * within a part may be in any order.
 */
function fewPartsOf({ quick, measures: { partialSums } }: Inspection): Part[] {
  if (quick || partialSums === undefined) return [];
  const formats = partialOf(partialSums);
  return formats.length === 0 ? [] : [part('order', 'split-k'), part('parts', partialSums.parts), ...formats];
}

/** Returns the formats of sums of parts; none where a width is that of no format. */
export function partialOf({ format, added, addedBits }: PartialMeasures): Part[] {
  if (format === undefined || (addedBits !== undefined && added === undefined)) return [];
  return [
    ['partialSums', record([part('format', format), ...(added === undefined ? [] : [part('added', added)])])],
  ];
}

/** True if the sum has exactly the parts of the known split. With tiles, a sum in blocks counts too. */
function isSplitSo({ k, order, each, parts }: Order, split: InspectionMeasures['split']): boolean {
  if (split === undefined || order !== 'blocked') return false;
  const known = partsIn(k, split);
  return known.each === each && known.count === parts;
}

const cutOf = ({ cut }: NonNullable<InspectionMeasures['split']>): Part =>
  typeof cut === 'string' ? part('cut', cut) : ['cut', record([part('tile', cut.tile)])];

/** Least number of terms of a long sum. */
const LONG = 1024;
const CLAIMED: readonly string[] = ['sequential', 'blocked', 'split-k', 'pairwise'];

function arithmeticOf(inspection: Inspection, precision: Precision): Part[] {
  const { measures } = inspection;
  const { accumulated, d } = precision;
  const { fused = takesWhole(measures, accumulated.precision) } = measures;
  const isNarrower = d.precision < accumulated.precision;
  const isKept = measures.flushesOperands === false && measures.flushesResults === false;
  const parts: Part[] = [
    ...roundingOf(measures, precision),
    ...(fused === undefined || measures.order === 'fused' ? [] : [part('fma', fused ? 'once' : 'twice')]),
    ...(isKept ? [part('subnormals', 'kept')] : []),
    ...operandsOf(measures, precision),
    ...(losesExceptions(measures)
      ? [part('exceptions', measures.infinitiesBecomeNaN === true ? 'nan' : false)]
      : []),
    ...accumulatorOf(inspection, precision),
    ...(measures.zeroPoints === 'sums' ? [part('zeroPoints', 'last')] : []),
    ...(measures.storedBits === d.precision && isNarrower && isDirected(measures.storedRounding)
      ? [['result', record([part('rounding', directedClaim(measures.storedRounding))])] as const]
      : []),
  ];
  return parts.length === 0 ? [] : [['arithmetic', record(parts)]];
}

/** True if sums have more bits than their format and take products of more bits unrounded; else undefined. */
const takesWhole = (
  { accumulatorBits = 0, productBits = 0 }: InspectionMeasures,
  bits: number,
): true | undefined => (Math.min(accumulatorBits, productBits) > bits ? true : undefined);

/**
 * Returns the rounding of sums that are not rounded to nearest. Truncation is left out where a matrix unit may truncate without a claim.
 */
function roundingOf(
  { rounding, order, partialSums }: InspectionMeasures,
  { accumulated, multiplied }: Precision,
): Part[] {
  const isAssumed =
    multiplied.precision < accumulated.precision || order === 'fused' || partialSums !== undefined;
  if (isAssumed || !(rounding === 'other' || isDirected(rounding))) return [];
  return [part('rounding', directedClaim(rounding))];
}

/** Returns how entries are converted to a narrower format, where this is not to nearest or flushes subnormal numbers. */
function operandsOf(
  { operandRounding, flushesOperands }: InspectionMeasures,
  { a, multiplied }: Precision,
): Part[] {
  if (multiplied === a) return [];
  const parts = [
    ...(isDirected(operandRounding) ? [part('rounding', 'toward-zero')] : []),
    ...(flushesOperands === true ? [part('subnormals', 'flushed')] : []),
  ];
  return parts.length === 0 ? [] : [['operands', record(parts)]];
}

/** Returns the fewest bits of sums, where these differ from the format's, and the number of terms added at once. */
function accumulatorOf(inspection: Inspection, { accumulated, multiplied }: Precision): Part[] {
  const { measures } = inspection;
  const { accumulatorBitsMost, compensated, orders = [], partialSums } = measures;
  const bits = partialSums?.ownBits ?? measures.accumulatorBits;
  const isBits = bits !== undefined && typeof sureValue(inspection, 'accumulator-bits') === 'number';
  // Sums of two words, and sums that lose nothing, have no number of bits.
  const isPlain = compensated !== true && measures.sumsInWords !== true;
  if (!isBits || !isPlain || bits < multiplied.precision || bits > MOST) return [];
  const terms = new Set(
    orders.map(({ order, each, parts = 1 }) => (order === 'fused' && parts > 1 ? each : undefined)),
  );
  const [atOnce] = terms;
  if (measures.order === 'fused')
    return terms.size === 1 && atOnce !== undefined
      ? [['accumulator', record([part('bits', bits), part('terms', atOnce)])]]
      : [];
  const isWider = bits > accumulated.precision && accumulatorBitsMost === undefined;
  return bits < accumulated.precision || isWider ? [['accumulator', record([part('bits', bits)])]] : [];
}

/** The most bits that a claim of an accumulator may state. */
const MOST = 128;
