import type { z } from 'zod';
import { lookUp } from './objects.ts';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** Describes an issue of zod as the end of a sentence about a field: "must be a whole number". */
export const describeIssue = (issue: Issue): string => {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'is missing';
  return WORDS[issue.code]?.(issue) ?? 'has an invalid value';
};

const WORDS: Readonly<Record<string, (issue: Issue) => string>> = {
  invalid_type: (issue) => `must be ${lookUp(TYPES, String(issue.expected)) ?? issue.expected}`,
  invalid_value: (issue) => `must be ${(issue.values as unknown[]).map(formatValue).join(' or ')}`,
  invalid_union: (issue) => `must be ${alternatives(issue).join(' or ')}`,
  too_small: (issue) => `must be at least ${issue.minimum}${unit(issue)}`,
  too_big: (issue) => `must be at most ${issue.maximum}${unit(issue)}`,
};

function alternatives(issue: Issue): string[] {
  const branches = (issue.errors ?? []) as readonly (readonly z.core.$ZodIssue[])[];
  return branches.map(([first]) => first.message.replace(/^must be /, ''));
}

const TYPES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a finite number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
};

function unit(issue: Issue): string {
  return issue.origin === 'array' ? ' long' : '';
}

/** Describes the first wrong field: "sizes[2]: must be a whole number, but is -3". */
export function describeFirstIssue(error: z.core.$ZodError, value: unknown): string {
  const { path, message } = innermost(error.issues[0] as z.core.$ZodIssue);
  const where = describePath(path);
  const found = message.startsWith('must') ? `, but is ${formatValue(valueAt(value, path))}` : '';
  return `${where === '' ? '' : `${where}: `}${message}${found}`;
}

const OTHER_SHAPE: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

/** Finds the issue in the most likely shape of a union: one that got past its outermost type. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const meant = issue.errors
    .map(([first]) => first)
    .find(({ code, path }) => path.length > 0 || !OTHER_SHAPE.has(code));
  return meant === undefined ? issue : innermost({ ...meant, path: [...issue.path, ...meant.path] });
}

function describePath(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => lookUp(Object(at), String(key)), value);
}

const LONGEST = 60;

/** Formats a value as a short text, for a message. */
export function formatValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value) && value.length > LONGEST) return `a list of ${value.length}`;
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : toJson(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'an object';
  }
}
