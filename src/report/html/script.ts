/** Script that adds a copy button to every command. */
export const COPYING = `for (const command of all('.command')) {
  const button = document.createElement('button');
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () =>
    navigator.clipboard.writeText(command.firstChild.textContent).then(
      () => (button.textContent = 'Copied'),
      () => getSelection().selectAllChildren(command.firstChild),
    ),
  );
  command.append(button);
}`;

/** Opens the folded part of the page that a link leads to. */
export const unfolding = (listening = '{}') => `const unfold = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id === '' ? null : document.getElementById(id);
  const folded = target?.matches('section') ? target.querySelector(':scope>details') : null;
  if (folded) folded.open = true;
  const around = target?.parentElement?.closest('details:not([open])');
  if (!around) return;
  for (let at = around; at; at = at.parentElement.closest('details')) at.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', unfold, ${listening});
unfold();`;

/**
 * The script of a report. Legends show and hide series, and marks show their values. Commands are copied, a cell of the grid and a row of
 * the table open a case, and the table filters. Everything is readable without it.
 */
export const SCRIPT = `(() => {
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
document.documentElement.classList.add('script');
// A page that draws other results runs it again: what it did to those before ends.
document.dispatchEvent(new Event('redrawn'));
const ended = new AbortController();
const { signal } = ended;
const added = [];
document.addEventListener('redrawn', () => {
  ended.abort();
  for (const element of added) element.remove();
}, { once: true });

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
added.push(tip);
const saying = '.panel use,.bins path,.shapes td>*';
const point = (event) => {
  const mark = event.target.closest?.(saying) ?? null;
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
  const above = box.top - tip.offsetHeight - 6;
  tip.style.top = (above < 0 ? box.bottom + 6 : above) + scrollY + 'px';
};
document.addEventListener('pointerover', point, { signal });
document.addEventListener('focusin', point, { signal });

${COPYING}

// Of a table of links one is reached by tab, the others by arrows.
for (const grid of all('.shapes')) {
  const cells = [...grid.tBodies[0].rows].map((row) => [...row.cells].slice(1).map((cell) => cell.querySelector('a')));
  for (const row of grid.tBodies[0].rows)
    for (const [at, cell] of [...row.cells].slice(1).entries()) {
      const said = cell.firstElementChild;
      const input = grid.tHead.rows[0].cells[at + 1].textContent;
      said?.setAttribute('aria-label', row.cells[0].textContent + ', ' + input + ': ' + said.getAttribute('aria-label'));
    }
  const links = cells.flat().filter((link) => link !== null);
  for (const link of links.slice(1)) link.tabIndex = -1;
  grid.addEventListener('keydown', (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    let row = cells.findIndex((links) => links.includes(event.target));
    if (step === undefined || row < 0) return;
    event.preventDefault();
    let column = cells[row].indexOf(event.target);
    do {
      row += step[0];
      column += step[1];
    } while (cells[row] !== undefined && cells[row][column] === null);
    const next = cells[row]?.[column];
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

${unfolding('{ signal }')}

const table = document.getElementById('case-table');
const form = document.getElementById('filters');
if (table === null || form === null) return;
const headings = all('thead th', table).map((cell) => cell.textContent);
const { order, fields, command } = table.dataset;
const moreOf = (row) => (row.className === 'has-more' ? row.nextElementSibling : null);
const rows = all('tr[id]', table).map((row) => {
  const more = moreOf(row);
  const { v: verdict, k: kernel } = row.parentNode.dataset;
  const text = [verdict, kernel, row.textContent, more?.textContent ?? ''].join(' ').toLowerCase();
  return { row, more, verdict, kernel, input: row.cells[0].textContent, text };
});
const said = form.querySelector('output');
const filter = () => {
  const wanted = Object.fromEntries(new FormData(form));
  const words = wanted.text.toLowerCase().split(/\\s+/);
  const is = (one, key) => wanted[key] === '' || wanted[key] === one[key];
  let shown = 0;
  const used = new Set();
  for (const one of rows) {
    const { row, more, text } = one;
    row.hidden = !(is(one, 'verdict') && is(one, 'kernel') && is(one, 'input') && words.every((word) => text.includes(word)));
    if (more !== null) more.hidden = row.hidden;
    if (row.hidden) continue;
    shown++;
    used.add(row.parentNode);
  }
  for (const body of table.tBodies) body.hidden = !used.has(body);
  said.textContent = shown + ' of ' + rows.length + ' shown';
};
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());

const textOf = ({ row, kernel, input }) => {
  if (row.dataset.text !== undefined) return row.dataset.text;
  const [m, k, n] = row.cells[1].textContent.split('×');
  const keyOf = (part) => part.split('=', 1)[0];
  const partsOf = (text) => text.split(';').filter((part) => part !== '');
  const own = partsOf(row.cells[2].textContent);
  const usual = partsOf(fields).filter((part) => !own.some((other) => keyOf(other) === keyOf(part)));
  const parts = ['kernel=' + kernel, 'input=' + input, 'm=' + m, 'k=' + k, 'n=' + n, ...usual, ...own];
  return order.split(' ').flatMap((key) => parts.filter((part) => part.startsWith(key + '='))).join(';');
};

const make = (tag, text, ...children) => {
  const made = document.createElement(tag);
  made.textContent = text;
  made.append(...children);
  return made;
};
const dialog = make('dialog', '');
dialog.id = 'case';
document.body.append(dialog);
added.push(dialog);
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();
});
const button = (text, act) => {
  const made = make('button', text);
  made.type = 'button';
  made.addEventListener('click', act);
  return made;
};
const show = (places, at) => {
  const one = rows.find(({ row }) => row.id === 'c' + places[at]);
  if (one === undefined) return;
  const { row, more, kernel, verdict } = one;
  const text = textOf(one);
  const title = make('h2', verdict + ': ' + kernel);
  title.id = 'case-title';
  const close = button('Close', () => dialog.close());
  close.className = 'close';
  const facts = make('dl', '');
  const values = [...row.cells].map((cell, place) => [headings[place], cell.textContent]);
  for (const [name, value] of values)
    if (value !== '') facts.append(make('div', '', make('dt', name), make('dd', value)));
  const why = more === null ? [] : [...more.querySelector('div').cloneNode(true).children];
  const met = document.querySelector('.met:has(a[href="#c' + places[at] + '"])');
  const pictures = met === null ? [] : all('.heats', met).map((shown) => shown.cloneNode(true));
  const run = make('p', 'To repeat it: ', make('code', (row.dataset.command ?? command).replace('{case}', () => text)));
  const nav = make('nav', '');
  if (places.length > 1) {
    const [before, after] = [button('← previous', () => show(places, at - 1)), button('next →', () => show(places, at + 1))];
    before.disabled = at === 0;
    after.disabled = at === places.length - 1;
    nav.append(before, after, at + 1 + ' of ' + places.length + ' cases there');
  }
  dialog.setAttribute('aria-labelledby', title.id);
  dialog.replaceChildren(title, close, facts, ...pictures, ...why, run, nav);
  if (!dialog.open) dialog.showModal();
};
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#c"]');
  const id = link?.getAttribute('href').slice(2);
  if (link && /^\\d+$/.test(id)) {
    event.preventDefault();
    show([id, ...(link.dataset.more ?? '').split(' ').filter((place) => place !== '')], 0);
    return;
  }
  const row = event.target.closest('#case-table tr[id]');
  if (row !== null && String(getSelection()) === '') show([row.id.slice(1)], 0);
}, { signal });
form.hidden = false;
filter();
})();`;

/** The SHA-256 of {@link SCRIPT} in base64: the page lets no other script run. */
export const SCRIPT_HASH = 'TYC/c1gCCD6PMf9gUPt/stPdA2BrmBWAqQtLkz0s38U=';
