import { COPYING, unfolding } from '../../report/html/script.ts';

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
