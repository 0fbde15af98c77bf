import { html, type Markup } from '../markup.ts';
import { name } from '../text.ts';

/** Lines that go with measured values: what they are called, and the class that draws them. */
export const REFERENCES = [
  { key: 'sigma', text: 'largest sigma expected' },
  { key: 'running', text: 'largest running bound' },
  { key: 'apriori', text: 'a-priori bound' },
] as const;
export type ReferenceKey = (typeof REFERENCES)[number]['key'];

/** What a legend lists. */
export interface LegendContent {
  /** The algorithms with the numbers of their colours and shapes. */
  readonly algorithms: ReadonlyMap<string, number>;
  readonly references?: ReadonlySet<ReferenceKey>;
  readonly published?: boolean;
  /** Whether lines join Pareto fronts. */
  readonly front?: boolean;
}

/** A legend. With script, its keys show and hide what they stand for. */
export function legend({ algorithms, references, published, front }: LegendContent): Markup {
  const lines = REFERENCES.filter(({ key }) => references?.has(key));
  return html`<div class="legend">${[...algorithms].map(([algorithm, number]) =>
    key(
      `a${number}`,
      html`<g class="a${number}"><path class="line" d="M0 7H26"/><use href="#s${number}" x="13" y="7"/></g>`,
      name(algorithm),
    ),
  )}${lines.map((line) => key(line.key, html`<path class="${line.key}" d="M0 7H26"/>`, line.text))}${
    published ? key('pub', html`<use class="pub" href="#px" x="13" y="7"/>`, 'published') : undefined
  }${front ? key('front', html`<path class="front" d="M0 7H26"/>`, 'front') : undefined}</div>`;
}

function key(hides: string, sample: Markup, text: string): Markup {
  return html`<button type="button" aria-pressed="true" data-hides="${hides}"><svg width="26" height="14" aria-hidden="true">${sample}</svg>${text}</button>`;
}
