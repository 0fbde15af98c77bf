import {
  type Draw,
  drawnFrom,
  editDraw,
  factorDraws,
  programDraw,
  seedDraw,
  sizeDraws,
  storageDraws,
} from './draws.ts';
import { factorIn } from './factor-kind.ts';
import { anyText, type Kind, nameOf, numberIn, oneOf, orNone, written } from './kinds.ts';
import { fringes, tails } from './method.ts';
import {
  type Flat,
  formatStorage,
  gaps,
  inits,
  type Key,
  plainStorage,
  readStorage,
  type Storage,
} from './problem.ts';
import { isWithin, ranges } from './ranges.ts';

/** The aspect that a field decides: the method of a product, its operands, or what is computed with them. */
export type Decides = 'method' | 'operands' | 'product';

/** A field of a case. Every text, pattern, flag, schema and draw of it follows from this record. */
export interface Field<K extends Key = Key> {
  /** Its name in texts, JSON, patterns and flags. */
  readonly key: K;
  /** One clause, for help and documents. */
  readonly what: string;
  readonly kind: Kind<Flat[K]>;
  /** The part of a case that holds it. */
  readonly part: 'case' | 'method' | 'problem';
  /** Returns its default value. A field without one is required. */
  readonly usual?: (flat: Partial<Flat>) => Flat[K];
  /** True if texts include it even with its default value. */
  readonly said: boolean;
  /** The accepted values of a kernel that declares none, as a pattern of the field. */
  readonly accepted: string;
  readonly of: readonly Decides[];
  /** Its distribution. A field without one is given, or has its default value. */
  readonly draw?: Draw<Flat[K]> | undefined;
}

const isStorage = (value: unknown): value is Storage =>
  typeof value === 'object' &&
  value !== null &&
  (['pad', 'offset', 'gap'] as const).every((key) => {
    const entries = (value as Readonly<Record<string, unknown>>)[key];
    return (
      (key === 'gap' && gaps.some((way) => way === entries)) || isWithin(Number(entries), ranges.entries)
    );
  });
const storage = written(
  'n, t or c, and perhaps f for columns one after the other, +pad, @offset, *gap, *same or *interleaved, as in tf+3@64*same',
  isStorage,
  (text) => readStorage(text) as Storage,
  formatStorage,
);
/** The precisions whose entries do not fit binary32. Precisions of configs are not among them. */
export const widePrecisions: readonly string[] = ['f64', 'f32x2', 'c64'];
const initOf = ({ precision = 'f32' }: Partial<Flat>) => (widePrecisions.includes(precision) ? 'f64' : 'f32');

/** Returns a field that texts always include. Without `usual` it is required. */
function said<K extends Key>(
  key: K,
  what: string,
  kind: Kind<Flat[K]>,
  part: Field['part'],
  of: readonly Decides[],
  usual?: Flat[K],
  draw?: Draw<Flat[K]>,
): Field<K> {
  const fixed = usual === undefined ? {} : { usual: () => usual };
  return { key, what, kind, part, of, said: true, accepted: '*', draw, ...fixed };
}

/** Returns a field that texts include only where it differs from its default value. */
function unsaid<K extends Key>(
  key: K,
  what: string,
  kind: Kind<Flat[K]>,
  of: readonly Decides[],
  usual: Field<K>['usual'] & {},
  accepted = '*',
  draw?: Draw<Flat[K]>,
): Field<K> {
  const part = key === 'fault' ? 'case' : 'problem';
  return { key, what, kind, part, of, said: false, usual, accepted, draw };
}

const plain = () => plainStorage;

/** Every field of a case, in the order of its text. */
const fields = [
  said('kernel', 'Kernel: strassen:register, tfjs:wasm, or one of the config', nameOf('kernel'), 'case', [
    'method',
  ]),
  // Integers are as large as the levels leave exact.
  said(
    'levels',
    'Levels of recursion',
    numberIn(ranges.levels),
    'method',
    ['method', 'operands'],
    0,
    drawnFrom('levels', ({ levels }) => levels),
  ),
  said(
    'fringe',
    'Method for sizes that the levels do not divide',
    oneOf(fringes),
    'method',
    ['method'],
    'pad',
    drawnFrom('fringe', ({ methods }) => (methods === true ? fringes : undefined)),
  ),
  said(
    'tail',
    'Method for sizes that the tile does not divide',
    oneOf(tails),
    'method',
    ['method'],
    'mask',
    drawnFrom('tail', ({ methods }) => (methods === true ? tails : undefined)),
  ),
  said(
    'input',
    'Family of test matrices',
    nameOf('input'),
    'problem',
    ['operands'],
    'uniform',
    drawnFrom('input', ({ inputs }) => inputs),
  ),
  said('m', 'Rows of A and D', numberIn(ranges.dimension), 'problem', ['operands'], undefined, sizeDraws.m),
  said(
    'k',
    'Columns of A, rows of B',
    numberIn(ranges.dimension),
    'problem',
    ['operands'],
    undefined,
    sizeDraws.k,
  ),
  said(
    'n',
    'Columns of B and D',
    numberIn(ranges.dimension),
    'problem',
    ['operands'],
    undefined,
    sizeDraws.n,
  ),
  said('seed', 'Seed of the random entries', numberIn(ranges.seed), 'problem', ['operands'], 1, seedDraw),
  unsaid(
    'batch',
    'Number of products',
    numberIn(ranges.batch),
    ['operands'],
    () => 1,
    '1',
    factorDraws.batch,
  ),
  unsaid('precision', 'Precision of the kernel', nameOf('precision'), ['operands'], () => 'f32'),
  unsaid('init', 'Precision in which input formulas are evaluated', oneOf(inits), ['operands'], initOf),
  unsaid('edit', 'Edits of the generated operands', anyText, ['operands'], () => 'none', '*', editDraw),
  unsaid(
    'alpha',
    'Factor of the product (complex: 0.5-2i)',
    factorIn(ranges.factor),
    ['product'],
    () => 1,
    '1',
    factorDraws.alpha,
  ),
  unsaid(
    'beta',
    'Factor of C (complex: 0.5-2i)',
    factorIn(ranges.factor),
    ['product'],
    () => 0,
    '0',
    factorDraws.beta,
  ),
  unsaid('a', 'Layout of A in memory', storage, ['product'], plain, 'n', storageDraws.a),
  unsaid('b', 'Layout of B in memory', storage, ['product'], plain, 'n', storageDraws.b),
  unsaid('c', 'Layout of C in memory', storage, ['product'], plain, 'n', storageDraws.c),
  unsaid(
    'd',
    'Layout of D in memory; none if D overwrites C',
    orNone(storage),
    ['product'],
    () => undefined,
    'none',
    storageDraws.d,
  ),
  unsaid(
    'group',
    'Number of products of unequal shapes in one call, with this one',
    numberIn(ranges.group),
    ['product'],
    () => 1,
    '1',
    factorDraws.group,
  ),
  unsaid(
    'repeats',
    'Runs of the product among others; all results must equal the first',
    numberIn(ranges.repeats),
    ['product'],
    () => 1,
  ),
  unsaid(
    'program',
    'Products that a new process runs before it; each is judged',
    numberIn(ranges.program),
    ['product'],
    () => 0,
    '*',
    programDraw,
  ),
  unsaid('fault', 'A planted fault', orNone(nameOf('fault')), ['method'], () => undefined, 'none'),
] as const;

/** The fields as one type, for iteration. */
export const allFields: readonly Field[] = fields;

/** Returns the field of a key. */
export function fieldOf<K extends Key>(key: K): Field<K> {
  return allFields.find(({ key: own }) => own === key) as Field<K>;
}
