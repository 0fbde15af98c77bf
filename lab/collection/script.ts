/**
 * The script of the catalogue's page: sorts the table by a clicked heading, and filters it by the form above. All content is
 * readable without it.
 */
export const COLLECTION_SCRIPT = `(() => {
document.documentElement.classList.add('script');
const table = document.getElementById('costs-table');
const form = document.getElementById('picks');
if (table === null || form === null) return;
form.hidden = false;
const body = table.tBodies[0];
const rows = [...body.rows];
const heads = [...table.tHead.rows[0].cells];
const said = form.querySelector('output');
const numberOf = (row, at) => Number.parseFloat(row.cells[at].firstChild.textContent.replace('\\u2212', '-'));
const compare = (at, down) => (one, other) => {
  const [x, y] = [numberOf(one, at), numberOf(other, at)];
  const [a, b] = [one, other].map((row) => row.cells[at].textContent);
  if (Number.isNaN(x) !== Number.isNaN(y) && at > 2) return Number.isNaN(x) ? 1 : -1;
  const order = Number.isNaN(x) || at < 3 ? a.localeCompare(b) : x - y;
  return down ? -order : order;
};
for (const [at, head] of heads.entries()) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = head.textContent;
  head.replaceChildren(button);
  button.addEventListener('click', () => {
    const down = head.getAttribute('aria-sort') === 'ascending';
    for (const other of heads) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    rows.sort(compare(at, down));
    body.append(...rows);
  });
}
const show = () => {
  const wanted = Object.fromEntries(new FormData(form));
  const words = wanted.text.toLowerCase().split(/\\s+/);
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !(
      (wanted.origin === '' || row.dataset.origin === wanted.origin) &&
      (wanted.form === '' || row.dataset.form === wanted.form) &&
      (wanted.front !== 'on' || row.dataset.front === 'yes') &&
      words.every((word) => text.includes(word))
    );
    if (!row.hidden) shown++;
  }
  said.textContent = shown + ' of ' + rows.length + ' shown';
};
form.addEventListener('input', show);
form.addEventListener('submit', (event) => event.preventDefault());
show();
})();`;

/** The SHA-256 of {@link COLLECTION_SCRIPT} in base64. */
export const COLLECTION_SCRIPT_HASH = '6Gt/i6s12/D61gFJYMIa/0LEfeem1khgkNgL5SA24jg=';
