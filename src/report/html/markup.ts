import { lookUp } from '../../base/look-up.ts';
import { printable } from '../../base/printable.ts';

/** Text that is markup already. {@link html} escapes all other text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template. `undefined` writes nothing; lists are written one item after the other. */
export type Content = string | number | Markup | undefined | readonly Content[];

/** Makes markup from a template. Values are escaped, so that attributes that hold them must be quoted. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(strings.map((part, at) => (at === 0 ? part : written(values[at - 1]) + part)).join(''));
}

/** Joins several contents with a separator. */
export function joined(contents: readonly Content[], between: string): Markup {
  return new Markup(contents.map(written).join(escaped(between)));
}

/** Returns the size of a markup in a file, in bytes. */
export function bytes({ text }: Markup): number {
  return new TextEncoder().encode(text).length;
}

function written(value: Content): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? escaped(value) : value.map(written).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => lookUp(ENTITIES, character) ?? character);
}
