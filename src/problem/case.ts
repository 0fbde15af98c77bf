import { unknownName } from '../base/messages.ts';
import { allFields, type Field } from './fields.ts';
import { type Names, readKind } from './kinds.ts';
import { badCase } from './messages.ts';
import type { Method } from './method.ts';
import type { Flat, GemmProblem, Key } from './problem.ts';

/** One product to be judged: everything needed to repeat it. */
export interface Case {
  readonly kernel: string;
  readonly method: Method;
  readonly problem: GemmProblem;
  /** A planted fault; only the self-test and fuzzing on trial set one. */
  readonly fault?: string | undefined;
}

/** What a case must say: all else has a usual value. */
export type Said = Pick<Flat, 'kernel' | 'm' | 'k' | 'n'> & { readonly [K in Key]?: Flat[K] | undefined };

/** A case of its fields on one level, with what is usual for those left out. */
export function caseOf(said: Said): Case {
  const [own, method, problem]: Record<string, unknown>[] = [{}, {}, {}];
  const parts = { case: own, method, problem };
  for (const { key, part, usual } of allFields) {
    const value = said[key] ?? usual?.(said as Partial<Flat>);
    if (value !== undefined) parts[part][key] = value;
  }
  return { ...own, method, problem } as unknown as Case;
}

/** The fields of a case on one level. */
export function flat({ kernel, method, problem, fault }: Case): Flat {
  return { kernel, ...method, ...problem, ...(fault === undefined ? {} : { fault }) };
}

/** A case with some fields changed. A change of the precision is one of where formulas are computed, too. */
export function changed<T extends Case>(value: T, change: { readonly [K in Key]?: Flat[K] | undefined }): T {
  const { precision } = change;
  const init = precision === undefined ? {} : { init: undefined };
  return { ...value, ...caseOf({ ...flat(value), ...init, ...change } as Said) };
}

const keys: readonly string[] = allFields.map(({ key }) => key);

/** The case as a query string, which is also its replay handle: `kernel=strassen:register;levels=2;…`. */
export function formatCase(value: Case): string {
  const all = flat(value);
  return allFields
    .flatMap((field) => (isSaid(field, all) ? [`${field.key}=${textOf(field, all)}`] : []))
    .join(';');
}

/** What of a case decides its operands: cases of one such text multiply the same. */
export function operandsOf(value: Case): string {
  const all = flat(value);
  return ofOperands.map((field) => textOf(field, all)).join();
}

const ofOperands = allFields.filter((field) => field.of.includes('operands'));

const textOf = ({ key, kind }: Field, all: Flat) => kind.write(all[key]);

function isSaid(field: Field, all: Flat): boolean {
  if (field.said) return true;
  const usual = field.usual?.(all);
  const value = all[field.key];
  return (
    value !== usual &&
    (value === undefined || usual === undefined || field.kind.write(value) !== field.kind.write(usual))
  );
}

/**
 * Reads a case. Left out, levels are 0, the fringe is pad, the tail mask, the input uniform, the seed 1.
 * @param known the names it may hold; by default any.
 * @throws ParanoiaError `unknown-name` for keys and values, `bad-number` for sizes, `bad-case` for anything else.
 */
export function parseCase(text: string, known: Names = {}): Case {
  if (typeof text !== 'string') throw badCase({ given: String(text), why: 'it is no text' });
  const given = partsOf(text);
  const read = allFields.flatMap((field) => {
    const value = given.get(field.key);
    const told = { field: field.key, where: `"${field.key}" of the case` };
    if (value !== undefined) return [[field.key, readKind(field.kind, value, told, known)] as const];
    if (field.usual === undefined) throw badCase({ given: text, why: `it does not say "${field.key}"` });
    return [];
  });
  return caseOf(Object.fromEntries(read) as Said);
}

function partsOf(text: string): Map<string, string> {
  const given = new Map<string, string>();
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const [first, ...rest] = part.split('=');
    const key = first.trim();
    if (rest.length === 0) throw badCase({ given: text, why: `"${part}" has no "="` });
    if (!keys.includes(key)) throw unknownName({ what: 'key in a case', given: key, known: keys });
    if (given.has(key)) throw badCase({ given: text, why: `it says "${key}" twice` });
    given.set(key, rest.join('=').trim());
  }
  return given;
}
