import { renderPage } from '../../pages/html/frame.ts';
import { html, type Markup, renderSection, type Section } from '../../report/html/markup.ts';
import { COPYING, unfolding } from '../../report/html/script.ts';

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

export interface PageHead {
  readonly title: string;
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

/**
 * The script of the atlas's pages. It copies commands, opens folded parts that links lead to, and filters the lists of the first
 * page. Filters are read from the address after `?`, so that a view is a link. All content is readable without it.
 */
export const ATLAS_SCRIPT = `(() => {
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
document.documentElement.classList.add('script');

${COPYING}

${unfolding()}

const form = document.getElementById('filters');
if (form === null) return;
const said = form.querySelector('output');
const keys = ['device', 'driver', 'implementation', 'kernel', 'verdict', 'finding'];
const rows = all('#cell-table tbody tr').map((row) => ({
  row,
  text: row.textContent.toLowerCase(),
  values: Object.fromEntries(keys.map((key) => [key, (row.dataset[key] ?? '').split('\\n')])),
}));
const grid = document.querySelector('.matrix');
const links = new Map(all('.matrix td a').map((link) => [link.dataset.cell, link]));
const failing = new Map(all('#failing tbody tr').map((row) => [row.dataset.cell, row]));
const show = () => {
  const wanted = Object.fromEntries(new FormData(form));
  const words = wanted.text.toLowerCase().split(/\\s+/);
  let shown = 0;
  for (const { row, text, values } of rows) {
    const fits = keys.every((key) => wanted[key] === '' || values[key].includes(wanted[key]));
    row.hidden = !(fits && words.every((word) => text.includes(word)));
    for (const other of [links, failing]) {
      const shown = other.get(row.dataset.cell);
      if (shown) shown.hidden = row.hidden;
    }
    if (!row.hidden) shown++;
  }
  const list = document.querySelector('#cells>details');
  if (list && shown < rows.length) list.open = true;
  said.textContent = shown + ' of ' + rows.length + ' shown';
  if (grid === null) return;
  grid.hidden = shown === 0;
  const lines = [...grid.tBodies[0].rows];
  const filled = (cell) => cell.querySelector('a:not([hidden])') !== null;
  for (const line of lines) line.hidden = ![...line.cells].some(filled);
  const columns = [...grid.tHead.rows[0].cells].slice(1);
  for (const [at, head] of columns.entries()) {
    const empty = !lines.some((line) => filled(line.cells[at + 1]));
    for (const cell of [head, ...lines.map((line) => line.cells[at + 1])]) cell.hidden = empty;
  }
};
const fields = ['text', ...keys];
const read = () => {
  const query = new URLSearchParams(location.search);
  for (const key of fields) {
    const field = form.elements[key];
    field.value = query.get(key) ?? '';
    // What is in no list any more is said, and finds nothing.
    if (field.value !== (query.get(key) ?? '')) {
      field.add(new Option(query.get(key)));
      field.value = query.get(key);
    }
  }
  show();
};
const write = () => {
  const query = new URLSearchParams();
  for (const [key, value] of new FormData(form)) if (value !== '') query.set(key, value);
  const text = query.toString();
  history.replaceState(null, '', location.pathname + (text === '' ? '' : '?' + text) + location.hash);
  show();
};
form.addEventListener('input', write);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(write));
addEventListener('popstate', read);
form.hidden = false;
read();
})();`;

/** The SHA-256 of {@link ATLAS_SCRIPT} in base64: pages allow no other script. */
export const ATLAS_SCRIPT_HASH = 'n948Bwyhtza7A613GuKYTZhAjQGAPTLluEkCT3pPS+4=';
