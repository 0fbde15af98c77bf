import { findPrecision, type PrecisionName } from '../formats/precision.ts';
import { formatEdits, parseEdits } from '../inputs/edits/edits.ts';
import { formatLayout, parseLayout } from '../kernel/operand-layout.ts';
import type { Border, Edge } from '../plan/plan.ts';
import { borders, edges } from '../plan/plan.ts';
import { problem } from '../problems.ts';

/** One product to be judged: everything needed to repeat it. */
export interface Case {
  readonly kernel: string;
  readonly levels: number;
  readonly border: Border;
  readonly edge: Edge;
  readonly input: string;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly seed: number;
  /** Where the inputs of a formula are computed; by default single precision, as in the 2011 paper. */
  readonly init?: 'f32' | 'f64' | undefined;
  /** What is computed in; left out, binary32. */
  readonly precision?: PrecisionName | undefined;
  /** How A and B lie in memory, see {@link parseLayout}; left out, row-major without gaps. */
  readonly layout?: string | undefined;
  /** What the generated pair is changed by, see {@link parseEdits}. */
  readonly edit?: string | undefined;
  /** A planted fault; only the self-test and fuzzing on trial set one. */
  readonly fault?: string | undefined;
}

const SIZE = { need: 'a whole number from 1 to 32768', least: 1, most: 32768 };
const LEVELS = { need: 'a whole number from 0 to 15', least: 0, most: 15 };
const SEED = { need: 'a whole number from 0 to 4294967295', least: 0, most: 2 ** 32 - 1 };

/** How each key of a case is read, and what it is when left out (undefined: it must be given). */
const keys: Record<
  keyof Case,
  { read: (text: string, key: string) => unknown; missing?: unknown; optional?: boolean }
> = {
  kernel: { read: (text) => text },
  levels: { read: (text, key) => whole(text, key, LEVELS), missing: 0 },
  border: { read: (text) => oneOf('border', text, borders), missing: 'pad' },
  edge: { read: (text) => oneOf('edge', text, edges), missing: 'guard' },
  input: { read: (text) => text, missing: 'uniform' },
  m: { read: (text, key) => whole(text, key, SIZE) },
  k: { read: (text, key) => whole(text, key, SIZE) },
  n: { read: (text, key) => whole(text, key, SIZE) },
  seed: { read: (text, key) => whole(text, key, SEED), missing: 1 },
  init: { read: (text) => oneOf('init', text, ['f32', 'f64']), optional: true },
  precision: { read: (text) => findPrecision(text).name, optional: true },
  layout: { read: (text) => formatLayout(parseLayout(text)), optional: true },
  edit: { read: (text) => formatEdits(parseEdits(text)), optional: true },
  fault: { read: (text) => text, optional: true },
};

const names = Object.keys(keys) as (keyof Case)[];

/** The case as a query string, which is also its replay handle: `kernel=strassen:register;levels=2;…`. */
export function formatCase(value: Case): string {
  return names.flatMap((key) => (value[key] === undefined ? [] : [`${key}=${value[key]}`])).join(';');
}

/**
 * Reads a case. Left out, levels are 0, the border is pad, the edge guard, the input uniform, the seed 1.
 * @throws Problem `unknown-name` for keys and values, `bad-number` for sizes, `bad-case` for anything else.
 */
export function parseCase(text: string): Case {
  if (typeof text !== 'string') throw problem('bad-case', { given: String(text), why: 'it is no text' });
  const given = new Map<string, string>();
  for (const part of text.split(';').filter((piece) => piece.trim() !== '')) {
    const [key, ...rest] = part.split('=');
    if (rest.length === 0) throw problem('bad-case', { given: text, why: `"${part}" has no "="` });
    if (!names.includes(key.trim() as keyof Case)) {
      throw problem('unknown-name', { what: 'key in a case', given: key.trim(), known: names });
    }
    if (given.has(key.trim()))
      throw problem('bad-case', { given: text, why: `it says "${key.trim()}" twice` });
    given.set(key.trim(), rest.join('=').trim());
  }
  const read = names.map((key) => {
    const { read, missing, optional } = keys[key];
    const value = given.get(key);
    if (value !== undefined) return [key, read(value, key)];
    if (missing === undefined && optional !== true) {
      throw problem('bad-case', { given: text, why: `it does not say "${key}"` });
    }
    return [key, missing];
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Case;
}

interface Range {
  readonly need: string;
  readonly least: number;
  readonly most: number;
}

function whole(text: string, key: string, { need, least, most }: Range): number {
  const value = /^-?\d+(\.\d+)?(e\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!Number.isInteger(value) || value < least || value > most) {
    throw problem('bad-number', { what: `"${key}" of the case`, given: text, need });
  }
  return value;
}

function oneOf<T extends string>(what: string, text: string, known: readonly T[]): T {
  if (!known.includes(text as T)) throw problem('unknown-name', { what, given: text, known });
  return text as T;
}
