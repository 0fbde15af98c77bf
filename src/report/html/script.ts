/**
 * What the page does with script: legends show and hide, marks say their values, the table of cases filters and
 * gives the command that repeats a case. Everything can be read without it.
 */
export const SCRIPT = `(() => {
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
document.documentElement.classList.add('script');

for (const button of all('.legend button')) {
  button.addEventListener('click', () => {
    const shown = button.getAttribute('aria-pressed') === 'true';
    button.setAttribute('aria-pressed', String(!shown));
    button.closest('.figure').classList.toggle('no-' + button.dataset.hides, shown);
  });
}

const tip = document.createElement('div');
tip.id = 'tip';
tip.hidden = true;
document.body.append(tip);
document.addEventListener('pointerover', (event) => {
  const mark = event.target.closest('.panel use,.bins path');
  tip.hidden = mark === null;
  if (mark === null) return;
  const title = mark.querySelector('title');
  if (title !== null) {
    // Kept elsewhere, or the browser would show it a second time.
    mark.setAttribute('aria-label', title.textContent);
    title.remove();
  }
  tip.textContent = mark.getAttribute('aria-label');
  const box = mark.getBoundingClientRect();
  const wide = document.documentElement.clientWidth - tip.offsetWidth - 8;
  tip.style.left = Math.max(8, Math.min(box.left, wide)) + scrollX + 'px';
  tip.style.top = box.top + scrollY - tip.offsetHeight - 6 + 'px';
});

const table = document.getElementById('case-table');
const form = document.getElementById('filters');
if (table === null || form === null) return;
const columns = table.dataset.columns.split(' ');
const cell = (row, key) => row.cells[columns.indexOf(key)].textContent;
const moreOf = (row) => (row.className === 'has-more' ? row.nextElementSibling : null);
const rows = all('tbody tr:not(.more)', table).map((row) => {
  const more = moreOf(row);
  return { row, more, text: (row.textContent + ' ' + (more?.textContent ?? '')).toLowerCase() };
});
const said = form.querySelector('output');
const filter = () => {
  closeReplay();
  const wanted = Object.fromEntries(new FormData(form));
  const words = wanted.text.toLowerCase().split(/\\s+/);
  const kernels = wanted.kernel.split('\\n');
  let shown = 0;
  for (const { row, more, text } of rows) {
    row.hidden = !(
      (wanted.verdict === '' || cell(row, 'verdict').endsWith(wanted.verdict)) &&
      (wanted.kernel === '' || kernels.includes(cell(row, 'kernel'))) &&
      (wanted.input === '' || cell(row, 'input') === wanted.input) &&
      words.every((word) => text.includes(word))
    );
    if (more !== null) more.hidden = row.hidden;
    if (!row.hidden) shown++;
  }
  said.textContent = shown + ' of ' + rows.length + ' shown';
};
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());

const patterns = all('#replays code').map((code) => code.textContent);
const replay = document.createElement('tr');
replay.id = 'replay';
replay.className = 'more';
const closeReplay = () => replay.remove();
table.addEventListener('click', (event) => {
  const row = event.target.closest('tbody tr:not(.more)');
  if (row === null || row.className === 'has-more' || String(getSelection()) !== '') return;
  const open = replay.previousElementSibling === row;
  closeReplay();
  if (open) return;
  const [m, k, n] = cell(row, 'shape').split('×');
  const value = (place, key) => ({ m, k, n })[key] ?? (columns.includes(key) ? cell(row, key) : place);
  const [td, div, code] = ['td', 'div', 'code'].map((tag) => document.createElement(tag));
  code.textContent = patterns[row.dataset.p ?? 0].replace(/\\{(\\w+)\\}/g, value);
  td.colSpan = columns.length;
  td.append(div);
  div.append(code);
  replay.replaceChildren(td);
  row.after(replay);
});
form.hidden = false;
filter();
})();`;

/** The SHA-256 of {@link SCRIPT} in base64: the page lets no other script run. */
export const SCRIPT_HASH = 'Hgsc/EXHQm05k7Xd77nyOj+nsaaixWSJ44BlkJONVyY=';
