import { frame } from '../../pages/html/frame.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import type { Section } from '../../report/html/section.ts';
import { ATLAS_SCRIPT, ATLAS_SCRIPT_HASH } from './script.ts';

/** The grid of the first page: headings that stand, cells that are links. */
const STYLE = `
.top.plain{border-left-color:var(--link);background:var(--panel)}
.matrix caption{font-size:13px}.matrix :is(th,td){padding:2px 10px 2px 0;vertical-align:middle;border-bottom:1px solid var(--grid)}
.matrix thead th{vertical-align:bottom;border-bottom-color:var(--ink);min-width:13ch;max-width:20ch;font-size:12px}.matrix thead th:first-child{min-width:14ch}
.matrix tbody th{font-weight:400;white-space:nowrap;position:sticky;left:0;background:var(--paper);max-width:30vw;overflow:hidden;text-overflow:ellipsis}
.matrix td a{display:block;text-decoration:none;white-space:nowrap;border-radius:3px;padding:0 4px}.matrix td a:hover{background:var(--panel);text-decoration:underline}
[hidden]{display:none!important}
section.of-cell{scroll-margin-top:8px;margin-top:0!important;padding-top:10px!important}section.of-cell:target{background:var(--panel);outline:6px solid var(--panel)}summary h3{display:inline;color:var(--ink)}.of-cell summary small{font-weight:400}
.finding{border-left:3px solid var(--bad);padding:2px 0 2px 14px;margin:10px 0}.finding p{max-width:100ch;margin:2px 0 6px}
.day{white-space:nowrap}.hash{font:12px ui-monospace,monospace}
#filters button{font:13px system-ui,sans-serif;color:var(--link);background:none;border:1px solid var(--soft);border-radius:4px;padding:4px 10px;cursor:pointer}`;

/** What a page says of itself above all else. */
export interface Head {
  readonly title: string;
  /** What kind of page it is. */
  readonly kind: Markup;
  /** A sentence or two. */
  readonly lead: Markup;
}

/** A page of the atlas. */
export function page({ title, kind, lead }: Head, sections: readonly Section[]): string {
  const head = html`<header class="top plain"><p class="kind">${kind}</p><h1>${title}</h1><p class="lead">${lead}</p></header>`;
  const parts = sections.filter(({ title: one }) => one !== '');
  const navigation = html`<nav aria-label="Parts of the page">${parts.map((one) => html`<a href="#${one.id}">${one.title}</a>`)}</nav>`;
  const own = { script: ATLAS_SCRIPT, hash: ATLAS_SCRIPT_HASH, style: STYLE };
  return frame(title, html`${head}${navigation}<main id="main">${sections.map(drawn)}</main>`, own).text;
}

function drawn({ id, title, body, folded = false }: Section): Markup {
  const heading = html`<h2>${title}</h2>`;
  return folded
    ? html`<section id="${id}"><details class="part"><summary>${heading}</summary>${body}</details></section>
`
    : html`<section id="${id}">${heading}${body}</section>
`;
}
