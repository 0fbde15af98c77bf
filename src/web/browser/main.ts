import { examples } from '../examples.ts';
import { isLink } from '../link.ts';
import type { CompilerMessage, KeptForms, WorkerMessage, WorkerRequest } from '../protocol.ts';

/** The document's side of the page: it sends requests to the worker, and shows the answers. */

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const [start, stop, resume] = ['start', 'stop', 'resume'].map((id) => find<HTMLButtonElement>(id));
const [judge, download, link] = ['judge', 'download', 'link'].map((id) => find<HTMLButtonElement>(id));
const source = find<HTMLTextAreaElement>('source');
const example = find<HTMLSelectElement>('example');
const open = find<HTMLInputElement>('open');
const bar = find<HTMLProgressElement>('done');
const [doing, heard, problem] = ['doing', 'heard', 'problem'].map((id) => find(id));
const [keep, complaints, told] = ['keep', 'complaints', 'kept'].map((id) => find(id));

let kept: KeptForms | undefined;
let isBusy = false;
/** True if the worker cannot run. */
let isBroken = false;
/** The task in progress, and the time in milliseconds of the last news about it. */
let [saying, since] = ['', 0];
/** The visitor's source, while an example is shown in its place. */
let written: string | undefined;

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const ask = (asked: WorkerRequest) => worker.postMessage(asked);

/** Browsers that have WebGPU, for visitors whose browser has none. */
const WITHOUT =
  'This browser has no WebGPU here. Use Chrome or Edge 113 or later (121 on Android), Safari 26 or later, or Firefox 141 or later on Windows (145 on Macs with Apple silicon). Open the page over https or from localhost. You can still open results from a file or a link.';

/** @param announced the text for screen readers: announcing every case would be too much */
function say(text: string, announced?: string): void {
  if (doing.textContent !== text) doing.textContent = text;
  if (announced !== undefined && heard.textContent !== announced) heard.textContent = announced;
}

/** The text for screen readers about a long task: one for each quarter of it. */
function announcementOf({ says, done, of }: Extract<WorkerMessage, { kind: 'doing' }>): string {
  if (done === undefined || of === undefined) return says;
  const [what] = says.split(' ');
  return `${what}: ${25 * Math.floor((4 * done) / of)} %`;
}

function complain(text: string): void {
  problem.textContent = text;
  problem.hidden = text === '';
}

/** Sets whether a task is in progress; the visitor can then only stop it. */
function setBusy(busy: boolean): void {
  isBusy = busy;
  for (const button of [start, judge]) button.disabled = busy || isBroken || !('gpu' in navigator);
  [stop.disabled, open.disabled, example.disabled] = [!busy, busy || isBroken, busy];
  if (busy) for (const element of [resume, keep]) element.hidden = true;
  if (!busy) bar.hidden = true;
}

/** The visible verdict as a sentence for screen readers. */
function verdict(): string {
  const parts = ['.top h1', '.top .lead'].map((place) => document.querySelector(place)?.textContent ?? '');
  return parts.join(': ').replace(/^: $/, '');
}

/** Starts a new task, and clears the results of the last one. */
function begin(asked: WorkerRequest): void {
  complain('');
  complaints.replaceChildren();
  if (asked.kind !== 'resume') kept = undefined;
  // The Back button must not lead to a link's results in place of those judged since.
  if (asked.kind !== 'link' && isLink(location.hash)) history.replaceState(null, '', location.pathname);
  if (asked.kind !== 'resume')
    for (const place of ['verdict', 'arithmetic', 'speeds', 'report']) find(`at-${place}`).replaceChildren();
  told.textContent = '';
  setBusy(true);
  ask(asked);
}

/** Makes the legends, marks and lists of the latest drawing interactive, as in every report. */
function enliven(): void {
  document.querySelector('script[data-report]')?.remove();
  const script = document.createElement('script');
  script.src = new URL('./report.js', import.meta.url).href;
  script.dataset.report = '';
  document.body.append(script);
}

/** Lists compiler errors, each with its line, which a click selects. */
function list(found: readonly CompilerMessage[]): void {
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

worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
  since = performance.now();
  if (data.kind === 'doing') {
    saying = `${data.says}…`;
    say(saying, announcementOf(data));
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
    say(data.says, `${data.says} ${verdict()}`);
    setBusy(false);
    resume.hidden = !data.canResume;
    keep.hidden = kept === undefined;
    link.disabled = kept?.fragment === undefined;
  }
});
worker.addEventListener('error', (event) => {
  complain(`The worker of this page failed (${event.message ?? 'no reason given'}). Reload the page.`);
  isBroken = true;
  setBusy(false);
});

start.addEventListener('click', () => begin({ kind: 'device' }));
resume.addEventListener('click', () => begin({ kind: 'resume' }));
stop.addEventListener('click', () => {
  saying = 'Stopping after the current case…';
  since = performance.now();
  say(saying, saying);
  ask({ kind: 'stop' });
});
find<HTMLFormElement>('kernel').addEventListener('submit', (event) => {
  event.preventDefault();
  if (!judge.disabled) begin({ kind: 'kernel', source: source.value });
});
find<HTMLFormElement>('ask').addEventListener('submit', (event) => event.preventDefault());
example.addEventListener('change', () => {
  if (!examples.some((one) => one.source === source.value)) written = source.value;
  if (written !== undefined && example.namedItem('written') === null) {
    const option = new Option('Your kernel', 'written');
    option.id = 'written';
    example.append(option);
  }
  source.value = examples[Number(example.value)]?.source ?? written ?? source.value;
});
open.addEventListener('change', async () => {
  const [file] = open.files ?? [];
  if (file === undefined) return;
  setBusy(true);
  try {
    begin({ kind: 'file', name: file.name, text: await file.text() });
  } catch (error) {
    setBusy(false);
    complain(`Cannot read ${file.name} (${(error as Error).message}). Choose it again.`);
  }
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
    told.textContent = `Link copied (${address.length} characters). No server receives its data.`;
  } catch {
    told.textContent = address;
  }
});

// A visitor who returns to a sleeping tab gets the current state announced.
document.addEventListener('visibilitychange', () => {
  if (isBusy && document.visibilityState === 'hidden') say('Continuing slowly while the tab is hidden…');
});

/** Seconds without news after which the page says so. */
const LONG = 10;
setInterval(() => {
  const seconds = Math.round((performance.now() - since) / 1000);
  if (isBusy && seconds >= LONG) say(`${saying} No answer for ${seconds} s.`);
}, 1000);

addEventListener('beforeunload', (event) => {
  if (isBusy) event.preventDefault();
});

const shown = () => {
  if (!isLink(location.hash)) return;
  if (isBusy) complain('A run is in progress. Stop it or wait, then follow the link again.');
  else begin({ kind: 'link', fragment: location.hash });
};
addEventListener('hashchange', shown);

setBusy(false);
if (!('gpu' in navigator)) complain(WITHOUT);
shown();
