import { computeOnce } from '../base/memo.ts';
import { unknownName } from '../base/messages.ts';
import { allFields, type Field } from './fields.ts';
import { type KnownFieldNames, type Matcher, readKind } from './kinds.ts';
import { badCase, badPattern } from './messages.ts';
import type { Method } from './method.ts';
import type { FieldKey, FlatCase, GemmProblem } from './problem.ts';

/** One product to judge: everything needed to repeat it. */
export interface Case {
  readonly kernel: string;
  readonly method: Method;
  readonly problem: GemmProblem;
  /** A planted fault. Only the self-test and fuzzing on trial set one. */
  readonly fault?: string | undefined;
}

/** The required fields of a case, with optional ones. All others have default values. */
export type CaseFields = Pick<FlatCase, 'kernel' | 'm' | 'k' | 'n'> & {
  readonly [K in FieldKey]?: FlatCase[K] | undefined;
};

/** Makes a case from flat fields, with default values for missing ones. */
export function caseOf(said: CaseFields): Case {
  const [own, method, problem]: Record<string, unknown>[] = [{}, {}, {}];
  const parts = { case: own, method, problem };
  for (const { key, part, usual } of allFields) {
    const value = said[key] ?? usual?.(said as Partial<FlatCase>);
    if (value !== undefined) parts[part][key] = value;
  }
  return { ...own, method, problem } as unknown as Case;
}

/** Returns the fields of a case as a flat record. */
export function flattenCase({ kernel, method, problem, fault }: Case): FlatCase {
  return { kernel, ...method, ...problem, ...(fault === undefined ? {} : { fault }) };
}

/** Returns a case with some fields changed. A change of the precision resets the precision of formulas, too. */
export function changeCase<T extends Case>(
  value: T,
  change: { readonly [K in FieldKey]?: FlatCase[K] | undefined },
): T {
  const { precision } = change;
  const init = precision === undefined ? {} : { init: undefined };
  return { ...value, ...caseOf({ ...flattenCase(value), ...init, ...change } as CaseFields) };
}

const keys: readonly string[] = allFields.map(({ key }) => key);

/** The texts of cases, of which a campaign reads each several times. */
const texts = new WeakMap<Case, string>();

/** Formats a case as a query string, which is also its replay handle: `kernel=strassen:register;levels=2;…`. */
export const formatCase = (value: Case): string =>
  computeOnce(texts, value, () => {
    const all = flattenCase(value);
    return allFields
      .flatMap((field) => (isSaid(field, all) ? [`${field.key}=${textOf(field, all)}`] : []))
      .join(';');
  });

/** Returns the text of the fields that decide the operands. Cases with the same text have the same operands. */
export function operandsText(value: Case): string {
  const all = flattenCase(value);
  return ofOperands.map((field) => textOf(field, all)).join();
}

const ofOperands = allFields.filter((field) => field.of.includes('operands'));

const textOf = ({ key, kind }: Field, all: FlatCase) => kind.write(all[key]);

function isSaid(field: Field, all: FlatCase): boolean {
  if (field.said) return true;
  const usual = field.usual?.(all);
  const value = all[field.key];
  return (
    value !== usual &&
    (value === undefined || usual === undefined || field.kind.write(value) !== field.kind.write(usual))
  );
}

/**
 * Reads a case. By default levels are 0, the fringe is pad, the tail mask, the input uniform, the seed 1.
 * @param known the names that it may hold. @defaultValue any
 * @throws ParanoiaError `unknown-name` for keys and values, `bad-number` for sizes, `bad-case` for anything else.
 */
export function parseCase(text: string, known: KnownFieldNames = {}): Case {
  if (typeof text !== 'string') throw badCase({ given: String(text), why: 'it is not a string' });
  const given = partsOf(text);
  const read = allFields.flatMap((field) => {
    const value = given.get(field.key);
    const told = { field: field.key, where: `"${field.key}" of the case` };
    if (value !== undefined) return [[field.key, readKind(field.kind, value, told, known)] as const];
    if (field.usual === undefined) throw badCase({ given: text, why: `"${field.key}" is missing` });
    return [];
  });
  return caseOf(Object.fromEntries(read) as CaseFields);
}

function partsOf(text: string): Map<string, string> {
  const given = new Map<string, string>();
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const [first, ...rest] = part.split('=');
    const key = first.trim();
    if (rest.length === 0) throw badCase({ given: text, why: `"${part}" has no "="` });
    if (!keys.includes(key)) throw unknownName({ what: 'key in a case', given: key, known: keys });
    if (given.has(key)) throw badCase({ given: text, why: `it has "${key}" twice` });
    given.set(key, rest.join('=').trim());
  }
  return given;
}

/** Returns true if a pattern matches a case. */
export type CasePattern = (value: Case) => boolean;

const patternKeys = allFields.flatMap(({ key }) => (key === 'fault' ? [] : [key]));

/**
 * Reads a pattern of cases: a case with its patternKeys in any order. A missing key, or the value `*`, matches anything. A `*` within a name
 * matches any characters, and `1..16` the numbers from 1 to 16. No pattern matches a case with a planted fault.
 * @param known the names that it may hold. @defaultValue any
 * @throws ParanoiaError `unknown-name` for patternKeys and names, `bad-pattern` for anything else.
 */
export function parsePattern(text: string, known: KnownFieldNames = {}): CasePattern {
  const given = new Map<string, Matcher<FlatCase>>();
  for (const part of text.split(';').map((piece) => piece.trim())) {
    if (part === '' || part === '*') continue;
    const equals = part.indexOf('=');
    if (equals < 0) throw badPattern({ given: text, why: `"${part}" has no "="` });
    const [key, value] = [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
    const field = allFields.find((candidate) => candidate.key === key && key !== 'fault');
    if (field === undefined) throw unknownName({ what: 'key in a pattern', given: key, known: patternKeys });
    if (given.has(key)) throw badPattern({ given: text, why: `it has "${key}" twice` });
    if (value === '') throw badPattern({ given: text, why: `"${key}" has no value` });
    const matches = field.kind.matcher(key, value, known);
    given.set(key, (all) => matches(all[field.key]));
  }
  if (given.size === 0) throw badPattern({ given: text, why: 'it would match every case' });
  const all = [...given.values()];
  return (value) => {
    if (value.fault !== undefined) return false;
    const said = flattenCase(value);
    return all.every((matches) => matches(said));
  };
}
