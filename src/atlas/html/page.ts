import { renderPage } from '../../pages/html/frame.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import { renderSection, type Section } from '../../report/html/section.ts';
import { ATLAS_SCRIPT, ATLAS_SCRIPT_HASH } from './script.ts';

/** The style of the first page's grid: sticky headings, and cells that are links. */
const STYLE = `
.top.plain{border-left-color:var(--link);background:var(--panel)}
.tall{max-height:min(72vh,640px);overflow:auto;border:1px solid var(--rule);border-radius:6px;margin:8px 0 12px}.tall table{margin:0;border-collapse:separate;border-spacing:0}
.tall thead th{position:sticky;top:0;z-index:1;background:var(--paper);padding-top:6px}.tall :is(th,td):first-child{padding-left:10px;position:sticky;left:0;background:var(--paper)}.tall thead th:first-child{z-index:2}.tall tr:last-child>*{border-bottom:0}
#cell-table td{white-space:nowrap;max-width:none}#failing ul{margin:0;padding-left:16px;max-width:100ch}#failing td:first-child{min-width:13ch}#failing td:last-child{max-width:none}#failing li{margin:0 0 2px}
.matrix :is(th,td){padding:2px 8px 2px 0;vertical-align:middle;border-bottom:1px solid var(--grid)}
.matrix thead th{vertical-align:bottom;border-bottom-color:var(--ink);min-width:9ch;max-width:15ch;font-size:12px;overflow-wrap:anywhere}.matrix thead small{font-size:11px}
.matrix tbody th{font-weight:400;white-space:nowrap}.matrix tbody th a{color:inherit}
@media(max-width:700px){.tall{max-height:70vh}.matrix tbody th{white-space:normal;overflow-wrap:anywhere;min-width:16ch;max-width:36vw}#failing :is(td,th):first-child{position:static}#device-table td:first-child{min-width:14ch}}
.matrix td a{display:block;text-decoration:none;white-space:nowrap;border-radius:3px;padding:0 4px}.matrix td a:hover{background:var(--panel);text-decoration:underline}
@media print{.tall{max-height:none;overflow:visible;border:0}.tall :is(th,td){position:static!important}}
[hidden]{display:none!important}
section.of-cell{scroll-margin-top:8px;margin-top:0!important;padding-top:10px!important}section.of-cell:target{background:var(--panel);outline:6px solid var(--panel)}summary h3{display:inline;color:var(--ink)}.of-cell summary small{font-weight:400}
.finding{border-left:3px solid var(--bad);padding:2px 0 2px 14px;margin:10px 0}.finding p{max-width:100ch;margin:2px 0 6px}
.day{white-space:nowrap}:is(td,th)>small{white-space:normal}.hash{font:12px ui-monospace,monospace}
#filters{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:8px 16px;align-items:end}#filters label{font-size:13px;color:var(--soft)}#filters :is(select,input){display:block;width:100%;font-size:14px;color:var(--ink)}#filters p{margin:0;display:flex;gap:12px;align-items:center;font-size:13px}
#filters button{white-space:nowrap;font:13px system-ui,sans-serif;color:var(--link);background:none;border:1px solid var(--soft);border-radius:4px;padding:4px 10px;cursor:pointer}`;

/** The top of a page. */
export interface PageHead {
  readonly title: string;
  /** The kind of page. */
  readonly kind: Markup;
  /** A lead of a sentence or two. */
  readonly lead: Markup;
}

/** Lays out a page of the atlas. */
export function page({ title, kind, lead }: PageHead, sections: readonly Section[]): string {
  const head = html`<header class="top plain"><p class="kind">${kind}</p><h1>${title}</h1><p class="lead">${lead}</p></header>`;
  const parts = sections.filter(({ title: one }) => one !== '');
  const navigation = html`<nav aria-label="Sections">${parts.map((one) => html`<a href="#${one.id}">${one.title}</a>`)}</nav>`;
  const own = { script: ATLAS_SCRIPT, hash: ATLAS_SCRIPT_HASH, style: STYLE };
  return renderPage(
    title,
    html`${head}${navigation}<main id="main">${sections.map(renderSection)}</main>`,
    own,
  ).text;
}
