import { lookUp } from '../base/objects.ts';
import { toOneLine } from '../base/printable.ts';

/** The usual values of a case. Only other values are mentioned. */
const USUAL: Readonly<Record<string, string>> = {
  levels: '0',
  fringe: 'pad',
  tail: 'mask',
  precision: 'f32',
};
const SAID_APART: ReadonlySet<string> = new Set(['kernel', 'm', 'k', 'n', 'input', 'seed']);

/** Splits a case's text into fields. */
const fieldsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(';').map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );

/** Describes a case in a few words, without its kernel: "1×17×1, integers, alpha=2". */
export function caseInWords(text: string): string {
  const fields = fieldsOf(text);
  const { input } = fields;
  const others = Object.entries(fields)
    .filter(([name, value]) => !SAID_APART.has(name) && lookUp(USUAL, name) !== value)
    .map(([name, value]) => `${name}=${value}`);
  const shape = fields.m === undefined ? [] : [shapeInWords(text)];
  return toOneLine([...shape, ...(input === undefined ? [] : [input]), ...others].join(', '));
}

/** Returns the sizes of a case: "1×17×1". */
export function shapeInWords(text: string): string {
  const { m, k, n } = fieldsOf(text);
  return toOneLine(`${m}×${k}×${n}`);
}

/** Returns the numbers of rows and columns of a case's product. */
export function sizeOfCase(text: string): { readonly m: number; readonly n: number } {
  const { m, n } = fieldsOf(text);
  return { m: Number(m), n: Number(n) };
}
