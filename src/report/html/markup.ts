import { lookUp } from '../../base/objects.ts';
import { escapeControls } from '../../base/printable.ts';

/** Text that is markup already. {@link html} escapes all other text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template. `undefined` writes nothing; lists are written one item after the other. */
export type MarkupContent = string | number | Markup | undefined | readonly MarkupContent[];

/** Makes markup from a template. Values are escaped, so that attributes that hold them must be quoted. */
export function html(strings: TemplateStringsArray, ...values: readonly MarkupContent[]): Markup {
  return new Markup(strings.map((part, at) => (at === 0 ? part : written(values[at - 1]) + part)).join(''));
}

/** Joins several contents with a separator. */
export function joinMarkup(contents: readonly MarkupContent[], between: string): Markup {
  return new Markup(contents.map(written).join(escaped(between)));
}

/** Returns the size of a markup in a file, in bytes. */
export function countMarkupBytes({ text }: Markup): number {
  return new TextEncoder().encode(text).length;
}

function written(value: MarkupContent): string {
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
  return escapeControls(text).replace(/[&<>"']/g, (character) => lookUp(ENTITIES, character) ?? character);
}

/** A part of the report with a heading of its own. */
export interface Section {
  /** The fragment that links lead to. */
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
  /** True if only its title is visible at first. */
  readonly folded?: boolean;
}

/** Renders a part with its heading, folded where a reader seldom needs it. */
export function renderSection({ id, title, body, folded = false }: Section): Markup {
  const heading = html`<h2>${title}</h2>`;
  return folded
    ? html`<section id="${id}"><details class="part"><summary>${heading}</summary>${body}</details></section>
`
    : html`<section id="${id}">${heading}${body}</section>
`;
}
