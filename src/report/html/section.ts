import { html, type Markup } from './markup.ts';

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
