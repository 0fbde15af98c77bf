import { VERSION } from '../base/version.ts';
import { STYLE } from '../pages/html/frame.ts';
import { html, Markup } from '../report/html/markup.ts';
import { examples } from './examples.ts';
import { PAGE_STYLE } from './style.ts';

/** The content security policy of the page: its own scripts, and nothing from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const TITLE = 'Can this GPU be trusted?';

/** Renders the page before any run: a static file beside its scripts. */
export function indexHtml(): string {
  const options = examples.map(({ title }, at) => html`<option value="${at}">${title}</option>`);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${TITLE} – gemm-paranoia</title><style>${new Markup(STYLE + PAGE_STYLE)}</style></head>
<body><a class="skip" href="#results">To the results</a>
<header class="intro"><p class="kind">gemm-paranoia ${VERSION} · accuracy of matrix products</p><h1>${TITLE}</h1>
<p class="lead">Matrix products on your own GPU, each against the exact one: verdict, errors, speed, and how the GPU computes. Nothing leaves this page.</p></header>
<main>
<noscript><p class="problem">This page runs its products itself: let it run scripts.</p></noscript>
<form id="ask" class="ask"><button id="start" class="main" type="button">Judge this GPU</button><button id="stop" type="button" disabled>Stop</button><button id="resume" type="button" hidden>Go on</button><label class="file">Open results <input id="open" type="file" accept=".json,application/json"></label></form>
<details id="own" class="own"><summary>Judge a WGSL kernel of your own</summary>
<form id="kernel"><div class="row"><label for="example">Begin with</label><select id="example">${options}</select></div>
<label for="source">The kernel: it reads a (m×k) and b (k×n), writes c, and finds m, k and n in a uniform. Where a workgroup computes more than its size says, a line says so: <code>// tile: 64x32</code>, rows first.</label>
<textarea id="source" spellcheck="false" autocapitalize="off" autocomplete="off" rows="18" aria-describedby="complaints">${examples[0].source}</textarea>
<div id="complaints" role="group" aria-label="What does not compile"></div>
<button id="judge" class="main" type="submit">Judge this kernel</button></form></details>
<div class="state"><p id="doing"></p><p id="heard" class="heard" role="status"></p><progress id="done" aria-label="How much is done" hidden></progress><p id="problem" class="problem" role="alert" hidden></p></div>
<div id="keep" class="keep" hidden><button id="download" type="button">Download results.json</button><button id="link" type="button">Copy a link to this</button><output id="kept" for="download link"></output></div>
<div id="results" tabindex="-1"><div id="at-verdict"></div><div id="at-arithmetic"></div><div id="at-speeds"></div><div id="at-report"></div></div>
</main>
<script type="module" src="./page.js"></script></body></html>
`.text;
}
