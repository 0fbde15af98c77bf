import { exactProduct } from '../exact/exact.ts';
import { magnitudesOf } from '../exact/magnitudes.ts';
import { chooseParts, type PartCounts, type ProductPart } from '../exact/parts.ts';
import { createUniform } from '../exact/sampled.ts';
import { operandSize, raised } from '../exact/sizes.ts';
import { areFinite, type Matrix, matrix } from '../matrix/dense.ts';
import { type Gemm, plainGemm } from '../matrix/gemm.ts';
import { memberOf, membersOf, readsFactors } from '../matrix/members.ts';
import { shapesDiffer } from '../matrix/messages.ts';
import { operandErrorOf } from '../precision/device-errors.ts';
import type { Analysis } from '../readers/analysis.ts';
import { anyBound, anySigma } from '../readers/any-schedule.ts';
import type { Reference, ReferenceInput } from './compared.ts';
import { errorsOfEntries } from './entry-errors.ts';
import type { Evidence, WeighingInput } from './evidence.ts';
import {
  type FurthestLines,
  furthestLines,
  type InnerSums,
  joinInner,
  joinSides,
  type LargeProduct,
  type Projection,
  type ProjectionArithmetic,
  type ProjectionSide,
  partsOfSide,
  type RowRange,
  sideReader,
} from './projection.ts';
import {
  hasSpecialEntries,
  marksOf,
  type ScanPiece,
  type Scans,
  scanning,
  scanOf,
  sizesOf,
} from './scanned.ts';
import type { SpecialMarks } from './side-operands.ts';
import { weigh } from './weigh.ts';
import {
  type ComparedPart,
  joinReferenceParts,
  placesOfParts,
  scaleWholeReference,
  takePart,
  wholeReference,
} from './whole-reference.ts';

/** The rows or the columns of a product of a batch. */
interface SideOfMember {
  readonly member: number;
  readonly side: 'rows' | 'cols';
  readonly marks: SpecialMarks | undefined;
}

/**
 * A piece of judging a large product that needs no other: a scan of rows, sums of one side, the choice of parts, or the comparison of a
 * part.
 */
export type LargePiece =
  | ScanPiece
  | (SideOfMember & { readonly inner: RowRange })
  | (SideOfMember & { readonly outer: RowRange; readonly sums: InnerSums })
  | { readonly chosen: readonly (SpecialMarks | undefined)[] }
  | { readonly part: ProductPart };

/** Answers pieces, in their order. */
export type AskPieces = (pieces: readonly LargePiece[]) => Promise<readonly unknown[]>;

/** A list of pieces that is yielded for their answers. */
type Pieces<T> = Generator<readonly LargePiece[], T, readonly unknown[]>;

/**
 * Weighs a large product in O(mk + kn + mn) and the cost of a sample. It uses exact entries with their bounds and expected errors (for a
 * fast algorithm those of any entry, however it recurses), and random signed sums of all entries. It also compares some entries that are
 * finite where they should not be, or the reverse.
 * @throws ParanoiaError `shapes-differ` for a product of another shape
 */
export function weighLarge(
  job: WeighingInput,
  outcomes: Evidence['outcomes'],
  fingerprint?: Evidence['machine']['fingerprint'],
): Evidence {
  const product = readLarge(job, outcomes[0].c);
  return answered(weighing(product, job, outcomes, fingerprint), answerPieces(product));
}

/** Answers pieces in this thread. */
function answered<T>(steps: Pieces<T>, answer: (piece: LargePiece) => unknown): T {
  for (let next = steps.next(); ; next = steps.next(next.value.map(answer))) if (next.done) return next.value;
}

/**
 * Weighs a large product whose pieces are answered elsewhere, with the same numbers.
 * @throws ParanoiaError as {@link weighLarge}
 */
export async function weighLargeBy(
  ask: (product: LargeProduct) => AskPieces,
  job: WeighingInput,
  outcomes: Evidence['outcomes'],
): Promise<Evidence> {
  const product = readLarge(job, outcomes[0].c);
  const answers = ask(product);
  const steps = weighing(product, job, outcomes);
  for (let next = steps.next(); ; next = steps.next(await answers(next.value)))
    if (next.done) return next.value;
}

/** Returns a function that answers pieces in this thread. */
export function answerPieces(product: LargeProduct): (piece: LargePiece) => unknown {
  const { operands, gemm, tasks, computed } = product;
  const readSide = sideReader(product);
  const side = ({ member, side, marks }: SideOfMember) => readSide(member, side, marks);
  return (piece) => {
    if ('scanned' in piece) return scanOf({ ...operands, d: computed }, piece);
    if ('inner' in piece) return side(piece).readInner(piece.inner);
    if ('outer' in piece) return side(piece).readOuter(piece.outer, piece.sums);
    if ('chosen' in piece) return chosenParts(operands, gemm, piece.chosen, computed);
    return comparedPart(operands, gemm, piece.part, tasks[piece.part.member]);
  };
}

/** Reads a computed product as a large one. @throws ParanoiaError `shapes-differ` */
export function readLarge(job: WeighingInput, computed: Matrix): LargeProduct {
  const { kernel, plan, operands } = job;
  const { gemm = plainGemm(plan.shape) } = job;
  requireShape(computed, gemm);
  const tasks = [...membersOf(operands, gemm)].map((one, p) =>
    taskOf(job, one, memberOf(computed, gemm.m, p)),
  );
  const { accumulated, d } = kernel.precision;
  return { computed, operands, gemm, tasks, largest: Math.min(accumulated.maxFinite, d.maxFinite) };
}

function* weighing(
  { operands, gemm, computed }: LargeProduct,
  job: WeighingInput,
  outcomes: Evidence['outcomes'],
  fingerprint?: Evidence['machine']['fingerprint'],
): Pieces<Evidence> {
  const scans = yield* scanning({ ...operands, d: computed }, gemm);
  const { chosen, sums } = yield* projecting(gemm, marksOf(scans, gemm));
  const furthest = furthestLines(sums);
  const parts = [...chosen.parts, ...crossingsOf(furthest, gemm)];
  const compared = (yield parts.map((part) => ({ part }))) as ReturnType<typeof comparedPart>[];
  const facts = joinCompared(compared, operands, gemm, scans);
  const projection = { ...sums, crossed: furthest.others };
  const judgedBy = { projections: 2 * projection.vectors, ...chosen.counts };
  const { hasSpecials = hasSpecialEntries(scans) } = job.operands;
  const known = { ...job, operands: { ...job.operands, hasSpecials } };
  return { ...weigh(known, outcomes, { ...facts, fingerprint }), projection, judgedBy };
}

/** Adds up all rows and columns, in parts: first B's rows for each side, then those of A and of the product. */
function* projecting(
  gemm: Gemm,
  marks: readonly (SpecialMarks | undefined)[],
): Pieces<{ readonly chosen: ReturnType<typeof chosenParts>; readonly sums: Projection }> {
  const members = Array.from({ length: gemm.batch }, (_, member) => member);
  const sides = members.flatMap((member) =>
    (['rows', 'cols'] as const).map((side) => ({
      ...{ of: { member, side, marks: marks[member] }, parts: partsOfSide(gemm, side) },
    })),
  );
  const inner = sides.flatMap(({ of, parts }) => parts.inner.map((range) => ({ ...of, inner: range })));
  const answers = (yield [...inner, { chosen: marks }]).values();
  const take = <T>(count: number): T[] => Array.from({ length: count }, () => answers.next().value as T);
  const known = sides.map(({ parts }) => joinInner(take<InnerSums>(parts.inner.length)));
  const [chosen] = take<ReturnType<typeof chosenParts>>(1);
  const outer = sides.flatMap(({ of, parts }, at) =>
    parts.outer.map((range) => ({ ...of, outer: range, sums: known[at] })),
  );
  const read = (yield outer) as ProjectionSide[];
  const ofSide = (side: 'rows' | 'cols') => read.filter((_, at) => outer[at].side === side);
  return { chosen, sums: joinSides(ofSide('rows'), ofSide('cols')) };
}

/** The compared entries of a large product. */
interface ComparedSample {
  readonly reference: Reference;
  readonly analysis: Analysis;
}

/**
 * Compares a sample of a large product that is not known itself with exact entries.
 * @param whole returns the columns that are needed with others.
 */
export function compareSample(
  job: WeighingInput,
  whole: (cols: readonly number[]) => readonly number[],
): ComparedSample {
  const { plan, operands } = job;
  const { gemm = plainGemm(plan.shape) } = job;
  const tasks = [...membersOf(operands, gemm)].map((one) => taskOf(job, one));
  const scans = answered(scanning(operands, gemm), (piece) => scanOf(operands, piece as ScanPiece));
  const parts = chosenParts(operands, gemm, marksOf(scans, gemm)).parts.map(({ cols, ...part }) =>
    cols === undefined ? part : { ...part, cols: whole(cols) },
  );
  const found = parts.map((part) => comparedPart(operands, gemm, part, tasks[part.member]));
  return joinCompared(found, operands, gemm, scans);
}

/** Joins the compared entries of some parts of a product. */
function joinCompared(
  found: readonly ReturnType<typeof comparedPart>[],
  operands: ReferenceInput,
  gemm: Gemm,
  scans: Scans,
): ComparedSample {
  const places = placesOfParts(
    found.map(({ part }) => part),
    gemm,
  );
  const all = (name: 'bound' | 'sigma' | 'model') => {
    const data = places.taken(found.map((part) => part[name]));
    return matrix(data.length, 1, data);
  };
  const reference = joinReferenceParts(found, operands, gemm, places, sizesOf(scans));
  return { reference, analysis: { model: all('model'), bound: all('bound'), sigma: all('sigma') } };
}

/** Returns the entries of each product where its furthest rows and columns cross. */
function crossingsOf({ rows, cols }: FurthestLines, { m, n, batch }: Gemm): ProductPart[] {
  const own = (lines: readonly number[], size: number, member: number) =>
    lines.filter((line) => Math.floor(line / size) === member).map((line) => line % size);
  return Array.from({ length: batch }, (_, member) => ({
    ...{ member, rows: own(rows, m, member), cols: own(cols, n, member) },
  })).filter((part) => part.rows.length > 0 && part.cols.length > 0);
}

function requireShape({ rows, cols }: Matrix, { m, n, batch }: Gemm): void {
  if (rows === batch * m && cols === n) return;
  const why = `C must be ${batch * m}×${n}`;
  throw shapesDiffer({ a: `${batch} times ${m}×${n} was expected`, b: `C is ${rows}×${cols}`, why });
}

/** Returns the errors that the entries of one product may have. */
function taskOf(
  { kernel, plan }: WeighingInput,
  { a, b }: ReferenceInput,
  computed?: Matrix,
): ProjectionArithmetic {
  const { levels, algorithm } = plan;
  const { m, k, n } = algorithm.base;
  const shared = { computation: kernel, convention: kernel.claims };
  if (levels === 0 || algorithm.u.length === m * k * n) return shared;
  const of = { table: algorithm, levels, a, b, computation: kernel };
  let sizes = computed === undefined ? Infinity : 0;
  for (const x of computed?.data ?? [])
    if (Math.abs(x) > sizes && Math.abs(x) < Infinity) sizes = Math.abs(x);
  const largest = Math.min(sizes, operandSize(a).frobenius * operandSize(b).frobenius);
  return { ...shared, fast: { levels, any: { bound: anyBound(of), sigma: anySigma(of, largest) } } };
}

/** The most entries compared, at random, among those that look wrong. */
const STRAYS = 64;

function chosenParts(
  operands: ReferenceInput,
  gemm: Gemm,
  marks: readonly (SpecialMarks | undefined)[],
  computed?: Matrix,
): { parts: ProductPart[]; counts: PartCounts } {
  const { m, n, batch, beta } = gemm;
  const reads = readsFactors(gemm);
  const addend = beta === 0 ? undefined : operands.c;
  const telling = (side: 'isRowOut' | 'isColOut', size: number) =>
    marks.flatMap((one, p) =>
      reads && one !== undefined
        ? [...one[side].keys()].filter((at) => one[side][at] === 1).map((at) => p * size + at)
        : [],
    );
  const chosen = chooseParts(gemm, batch, operands.seed ?? 1, {
    rows: telling('isRowOut', m),
    cols: telling('isColOut', n),
  });
  const strays: ProductPart[] = [];
  const next = createUniform(operands.seed ?? 1);
  let met = 0;
  for (let row = 0; computed !== undefined && row < batch * m; row++) {
    const member = Math.floor(row / m);
    const i = row - member * m;
    const out = marks[member];
    if (out === undefined) continue;
    const isRowOut = reads && out.isRowOut[i] === 1;
    const own = addend && memberOf(addend, m, member);
    for (let j = 0; j < n; j++) {
      const isSpecial =
        isRowOut ||
        (reads && out.isColOut[j] === 1) ||
        (own !== undefined && !Number.isFinite(own.data[i * n + j]));
      if (Number.isFinite(computed.data[row * n + j]) !== isSpecial) continue;
      // Reservoir sampling: each entry met is kept with the same chance.
      const at = met < STRAYS ? met : Math.floor(next() * (met + 1));
      if (at < STRAYS) strays[at] = { member, rows: [i], cols: [j] };
      met++;
    }
  }
  return {
    parts: [...chosen.parts.flatMap((part) => piecesOf(part, gemm)), ...strays],
    counts: chosen.counts,
  };
}

/** The most entries of an operand that are read for one part. */
const MOST_READ = 2 ** 20;

/** Splits a part that is a whole row or column, so that comparing it needs little memory. */
function piecesOf(part: ProductPart, { m, k, n }: Gemm): ProductPart[] {
  const size = Math.max(1, Math.floor(MOST_READ / Math.max(1, k)));
  const rangesOf = (length: number) =>
    Array.from({ length: Math.ceil(length / size) }, (_, at) =>
      Array.from({ length: Math.min(size, length - at * size) }, (_, e) => at * size + e),
    );
  if (part.cols === undefined && n > size) return rangesOf(n).map((cols) => ({ ...part, cols }));
  if (part.rows === undefined && m > size) return rangesOf(m).map((rows) => ({ ...part, rows }));
  return [part];
}

/** Returns a part's exact entries, with the errors allowed for them. */
function comparedPart(operands: ReferenceInput, gemm: Gemm, part: ProductPart, task: ProjectionArithmetic) {
  const own = takePart(operands, gemm, part);
  const { a, b } = own.operands;
  const magnitudes =
    task.fast === undefined &&
    operandErrorOf(task.computation) === undefined &&
    areFinite(a.data) &&
    areFinite(b.data)
      ? magnitudesOf({ shape: own.gemm, a: a.data, b: b.data })
      : undefined;
  const reference =
    magnitudes === undefined || !readsFactors(gemm)
      ? wholeReference(own.operands, own.gemm)
      : scaleWholeReference(
          own.operands,
          own.gemm,
          exactProduct(a, b),
          raised(magnitudes.sizes.slice(), gemm.k),
        );
  const compared: ComparedPart = { part, reference };
  return { ...compared, ...errorsOfEntries(own.operands, own.gemm, reference, { ...task, magnitudes }) };
}
