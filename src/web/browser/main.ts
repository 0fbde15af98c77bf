import { examples } from '../examples.ts';
import { isLink } from '../link.ts';
import type { Asked, Complaint, Kept, Told } from '../protocol.ts';

/** The page's end: it asks the worker, and puts what the worker tells where it belongs. */

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const [start, stop, resume] = ['start', 'stop', 'resume'].map((id) => find<HTMLButtonElement>(id));
const [judge, download, link] = ['judge', 'download', 'link'].map((id) => find<HTMLButtonElement>(id));
const source = find<HTMLTextAreaElement>('source');
const example = find<HTMLSelectElement>('example');
const open = find<HTMLInputElement>('open');
const bar = find<HTMLProgressElement>('done');
const [doing, problem, keep, complaints, told] = ['doing', 'problem', 'keep', 'complaints', 'kept'].map(
  (id) => find(id),
);

let kept: Kept | undefined;
let isBusy = false;

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const ask = (asked: Asked) => worker.postMessage(asked);

/** Browsers that have WebGPU, for visitors whose browser has none. */
const WITHOUT =
  'This browser offers no WebGPU here. Chrome and Edge from 113 on have it, on Android from 121; Safari from 26; Firefox from 141 on Windows and from 145 on Macs with Apple silicon; over https or from localhost. Results of others can still be shown: open a file, or follow a link.';

function say(text: string): void {
  if (doing.textContent !== text) doing.textContent = text;
}

function complain(text: string): void {
  problem.textContent = text;
  problem.hidden = text === '';
}

/** Whether something is being done: nothing else can be asked then, but to stop. */
function setBusy(busy: boolean): void {
  isBusy = busy;
  for (const button of [start, judge]) button.disabled = busy || !('gpu' in navigator);
  [stop.disabled, open.disabled, example.disabled] = [!busy, busy, busy];
  if (busy) for (const element of [resume, keep]) element.hidden = true;
  if (!busy) bar.hidden = true;
}

/** Asks for something new: what is shown of the last is taken away. */
function begin(asked: Asked): void {
  complain('');
  complaints.replaceChildren();
  if (asked.kind !== 'resume')
    for (const place of ['verdict', 'arithmetic', 'speeds', 'report']) find(`at-${place}`).replaceChildren();
  told.textContent = '';
  setBusy(true);
  ask(asked);
}

/** Makes legends, marks and lists of what was drawn last answer, as in every report. */
function enliven(): void {
  document.querySelector('script[data-report]')?.remove();
  const script = document.createElement('script');
  script.src = new URL('./report.js', import.meta.url).href;
  script.dataset.report = '';
  document.body.append(script);
}

/** What does not compile, each with its line, which a click leads to. */
function list(found: readonly Complaint[]): void {
  const lines = source.value.split('\n');
  const items = found.map(({ line, column, message }) => {
    const item = document.createElement('li');
    const to = document.createElement('button');
    to.type = 'button';
    to.textContent = `Line ${line}, column ${column}`;
    to.addEventListener('click', () => select(line));
    const text = document.createElement('pre');
    text.textContent = `${lines[line - 1] ?? ''}\n${' '.repeat(Math.max(0, column - 1))}^`;
    item.append(to, `: ${message}`, text);
    return item;
  });
  const all = document.createElement('ol');
  all.append(...items);
  complaints.replaceChildren(all);
  if (found.length > 0) select(found[0].line);
}

function select(line: number): void {
  const lines = source.value.split('\n');
  const begin = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  source.focus();
  source.setSelectionRange(begin, begin + (lines[line - 1] ?? '').length);
}

worker.addEventListener('message', ({ data }: MessageEvent<Told>) => {
  if (data.kind === 'doing') {
    say(`${data.says}…`);
    bar.hidden = false;
    if (data.of === undefined) bar.removeAttribute('value');
    else [bar.max, bar.value] = [data.of, data.done ?? 0];
  }
  if (data.kind === 'draw') {
    for (const [place, markup] of Object.entries(data.parts)) find(`at-${place}`).innerHTML = markup;
    if (data.final) enliven();
  }
  if (data.kind === 'problem') {
    complain(data.says);
    list(data.complaints ?? []);
  }
  if (data.kind === 'ended') {
    kept = data.kept ?? kept;
    say(data.says);
    setBusy(false);
    resume.hidden = !data.canResume;
    keep.hidden = data.kept === undefined;
    link.disabled = kept?.fragment === undefined;
  }
});
worker.addEventListener('error', (event) => {
  complain(
    `The page's worker could not be started or broke (${event.message ?? 'no reason was given'}): load the page again.`,
  );
  setBusy(false);
});

start.addEventListener('click', () => begin({ kind: 'device' }));
resume.addEventListener('click', () => begin({ kind: 'resume' }));
stop.addEventListener('click', () => {
  say('Stopping after the case that is being judged…');
  ask({ kind: 'stop' });
});
find<HTMLFormElement>('kernel').addEventListener('submit', (event) => {
  event.preventDefault();
  if (!judge.disabled) begin({ kind: 'kernel', source: source.value });
});
find<HTMLFormElement>('ask').addEventListener('submit', (event) => event.preventDefault());
example.addEventListener('change', () => {
  source.value = examples[Number(example.value)].source;
});
open.addEventListener('change', async () => {
  const [file] = open.files ?? [];
  if (file === undefined) return;
  setBusy(true);
  begin({ kind: 'file', name: file.name, text: await file.text() });
  open.value = '';
});

download.addEventListener('click', () => {
  const url = URL.createObjectURL(new Blob([kept?.file ?? ''], { type: 'application/json' }));
  const anchor = document.createElement('a');
  [anchor.href, anchor.download] = [url, 'results.json'];
  anchor.click();
  URL.revokeObjectURL(url);
});
link.addEventListener('click', async () => {
  const address = new URL(kept?.fragment ?? '', location.href).href;
  try {
    await navigator.clipboard.writeText(address);
    told.textContent = `Copied: ${address.length} characters, and no server is sent them.`;
  } catch {
    told.textContent = address;
  }
});

// Whoever comes back to a tab that slept is told where things stand.
document.addEventListener('visibilitychange', () => {
  if (isBusy && document.visibilityState === 'hidden') say('Going on slowly while the tab is hidden…');
});

const shown = () => {
  if (isLink(location.hash) && !isBusy) begin({ kind: 'link', fragment: location.hash });
};
addEventListener('hashchange', shown);

setBusy(false);
if (!('gpu' in navigator)) complain(WITHOUT);
shown();
