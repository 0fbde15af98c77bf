import { NO_EPILOGUE } from '../epilogue/chain-text.ts';
import { GENERAL, structureNames } from '../matrix/structure.ts';
import {
  drawFromList,
  editDraw,
  epilogueDraw,
  type FieldDraw,
  factorDraws,
  programDraw,
  seedDraw,
  sizeDraws,
  storageDraws,
  structureDraw,
  sweepDraw,
} from './draws.ts';
import { chainKind, factorKind } from './field-kinds.ts';
import { anyText, choiceKind, customKind, type Kind, nameKind, numberKind, optionalKind } from './kinds.ts';
import { fringes, tails } from './method.ts';
import {
  type FieldKey,
  type FlatCase,
  formatStorage,
  gaps,
  inits,
  plainStorage,
  readStorage,
  type Storage,
} from './problem.ts';
import { isWithin, ranges } from './ranges.ts';

/** The aspect that a field decides: the method of a product, its operands, or what is computed with them. */
export type FieldAspect = 'method' | 'operands' | 'product';

/** A field of a case. Every text, pattern, flag, schema and draw of it follows from this record. */
export interface Field<K extends FieldKey = FieldKey> {
  /** Its name in texts, JSON, patterns and flags. */
  readonly key: K;
  /** One clause, for help and documents. */
  readonly what: string;
  readonly kind: Kind<FlatCase[K]>;
  /** The part of a case that holds it. */
  readonly part: 'case' | 'method' | 'problem';
  /** Returns its default value. A field without one is required. */
  readonly usual?: (flat: Partial<FlatCase>) => FlatCase[K];
  /** True if texts include it even with its default value. */
  readonly said: boolean;
  /** The accepted values of a kernel that declares none, as a pattern of the field. */
  readonly accepted: string;
  readonly of: readonly FieldAspect[];
  /** Its distribution. A field without one is given, or has its default value. */
  readonly draw?: FieldDraw<FlatCase[K]> | undefined;
}

const isStorage = (value: unknown): value is Storage => {
  if (typeof value !== 'object' || value === null) return false;
  const { inc = 1, pad, offset, gap } = value as Readonly<Record<string, unknown>>;
  const numbers = gaps.some((way) => way === gap) ? [pad, offset] : [pad, offset, gap];
  return isWithin(Number(inc), ranges.inc) && numbers.every((x) => isWithin(Number(x), ranges.entries));
};
const storage = customKind(
  'n, t or c, and perhaps f for columns one after the other, /inc from 1, +pad, @offset, *gap, *same, *interleaved or *listed, as in tf+3@64*same',
  isStorage,
  (text) => readStorage(text) as Storage,
  formatStorage,
);
/** The precisions whose entries do not fit binary32. Precisions of configs are not among them. */
export const widePrecisions: readonly string[] = ['f64', 'f32x2', 'c64'];
const initOf = ({ precision = 'f32' }: Partial<FlatCase>) =>
  widePrecisions.includes(precision) ? 'f64' : 'f32';

/** Returns a field that texts always include. Without `usual` it is required. */
function said<K extends FieldKey>(
  key: K,
  what: string,
  kind: Kind<FlatCase[K]>,
  part: Field['part'],
  of: readonly FieldAspect[],
  usual?: FlatCase[K],
  draw?: FieldDraw<FlatCase[K]>,
): Field<K> {
  const fixed = usual === undefined ? {} : { usual: () => usual };
  return { key, what, kind, part, of, said: true, accepted: '*', draw, ...fixed };
}

/** Returns a field that texts include only where it differs from its default value. */
function unsaid<K extends FieldKey>(
  key: K,
  what: string,
  kind: Kind<FlatCase[K]>,
  of: readonly FieldAspect[],
  usual: Field<K>['usual'] & {},
  accepted = '*',
  draw?: FieldDraw<FlatCase[K]>,
): Field<K> {
  const part = key === 'fault' ? 'case' : 'problem';
  return { key, what, kind, part, of, said: false, usual, accepted, draw };
}

const plain = () => plainStorage;

const structureKind: Kind<string> = {
  ...choiceKind(structureNames),
  need: 'a structure, such as "syrk-lower"',
};

/** Every field of a case, in the order of its text. */
const fields = [
  said('kernel', 'Kernel: strassen:register, tfjs:wasm, or one of the config', nameKind('kernel'), 'case', [
    'method',
  ]),
  // Integers are as large as the levels leave exact.
  said(
    'levels',
    'Levels of recursion',
    numberKind(ranges.levels),
    'method',
    ['method', 'operands'],
    0,
    drawFromList('levels', ({ levels }) => levels),
  ),
  said(
    'fringe',
    'Remainder of sizes that the recursion does not divide',
    choiceKind(fringes),
    'method',
    ['method'],
    'pad',
    drawFromList('fringe', ({ methods }) => (methods === true ? fringes : undefined)),
  ),
  said(
    'tail',
    'Remainder of sizes that the tile does not divide',
    choiceKind(tails),
    'method',
    ['method'],
    'mask',
    drawFromList('tail', ({ methods }) => (methods === true ? tails : undefined)),
  ),
  said(
    'input',
    'Family of test matrices',
    nameKind('input'),
    'problem',
    ['operands'],
    'uniform',
    drawFromList('input', ({ inputs }) => inputs),
  ),
  said('m', 'Rows of A and D', numberKind(ranges.dimension), 'problem', ['operands'], undefined, sizeDraws.m),
  said(
    'k',
    'Columns of A, rows of B',
    numberKind(ranges.dimension),
    'problem',
    ['operands'],
    undefined,
    sizeDraws.k,
  ),
  said(
    'n',
    'Columns of B and D',
    numberKind(ranges.dimension),
    'problem',
    ['operands'],
    undefined,
    sizeDraws.n,
  ),
  said('seed', 'Seed of the random entries', numberKind(ranges.seed), 'problem', ['operands'], 1, seedDraw),
  unsaid(
    'batch',
    'Number of products',
    numberKind(ranges.batch),
    ['operands'],
    () => 1,
    '1',
    factorDraws.batch,
  ),
  unsaid(
    'precision',
    'Precision of the kernel: f32, f64, f16, bf16-f32, … (`list precisions`)',
    nameKind('precision'),
    ['operands'],
    () => 'f32',
  ),
  unsaid('init', 'Precision in which input formulas are evaluated', choiceKind(inits), ['operands'], initOf),
  unsaid('edit', 'Edits of the generated operands', anyText, ['operands'], () => 'none', '*', editDraw),
  unsaid(
    'alpha',
    'Factor of the product (complex: 0.5-2i)',
    factorKind(ranges.factor),
    ['product'],
    () => 1,
    '1',
    factorDraws.alpha,
  ),
  unsaid(
    'beta',
    'Factor of C (complex: 0.5-2i)',
    factorKind(ranges.factor),
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
    optionalKind(storage),
    ['product'],
    () => undefined,
    'none',
    storageDraws.d,
  ),
  unsaid(
    'epilogue',
    'Steps after the product: bias:row,gelu-tanh',
    chainKind,
    ['product'],
    () => NO_EPILOGUE,
    NO_EPILOGUE,
    epilogueDraw,
  ),
  unsaid(
    'group',
    'Number of products of unequal shapes in one call, with this one',
    numberKind(ranges.group),
    ['product'],
    () => 1,
    '1',
    factorDraws.group,
  ),
  unsaid(
    'structure',
    'Structure of operands and D: syrk-lower, trmm-left-upper-unit, … (`list structures`)',
    structureKind,
    ['product'],
    () => GENERAL,
    GENERAL,
    structureDraw,
  ),
  unsaid(
    'repeats',
    'Runs of the product among others; all results must equal the first',
    numberKind(ranges.repeats),
    ['product'],
    () => 1,
  ),
  unsaid(
    'program',
    'Products that a new process runs before it; each is judged',
    numberKind(ranges.program),
    ['product'],
    () => 0,
    '*',
    programDraw,
  ),
  unsaid(
    'sweep',
    'Products of small sizes before it, sent together; each is judged',
    numberKind(ranges.sweep),
    ['product'],
    () => 0,
    '*',
    sweepDraw,
  ),
  unsaid('fault', 'A planted fault', optionalKind(nameKind('fault')), ['method'], () => undefined, 'none'),
] as const;

/** The fields as one type, for iteration. */
export const allFields: readonly Field[] = fields;

/** Returns the field of a key. */
export function fieldOf<K extends FieldKey>(key: K): Field<K> {
  return allFields.find(({ key: own }) => own === key) as Field<K>;
}
