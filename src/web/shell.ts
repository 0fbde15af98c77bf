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

const TITLE = 'Test the accuracy of this GPU';

/** Renders the page before any run: a static file beside its scripts. */
export function indexHtml(): string {
  const options = examples.map(({ title }, at) => html`<option value="${at}">${title}</option>`);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${TITLE} – gemm-paranoia</title><style>${new Markup(STYLE + PAGE_STYLE)}</style></head>
<body><a class="skip" href="#results">Skip to the results</a>
<header class="intro"><p class="kind">gemm-paranoia ${VERSION} · accuracy of matrix products</p><h1>${TITLE}</h1>
<p class="lead">This page multiplies matrices on your GPU and compares each product with the exact one. It reports verdict, errors, speed and arithmetic. No data leaves this page.</p></header>
<main>
<noscript><p class="problem">This page needs JavaScript. Enable it, then reload.</p></noscript>
<form id="ask" class="ask"><button id="start" class="main" type="button">Judge this GPU</button><button id="stop" type="button" disabled>Stop</button><button id="resume" type="button" hidden>Resume</button><label class="file">Open results <input id="open" type="file" accept=".json,application/json"></label></form>
<details id="own" class="own"><summary>Judge your own WGSL kernel</summary>
<form id="kernel"><div class="row"><label for="example">Example</label><select id="example">${options}</select></div>
<label for="source">WGSL source. The kernel reads a (m×k) and b (k×n), writes c (m×n), and gets m, k and n from a uniform. If a workgroup computes a tile larger than its size, add a line with rows × columns: <code>// tile: 64x32</code></label>
<textarea id="source" spellcheck="false" autocapitalize="off" autocomplete="off" rows="18" aria-describedby="complaints">${examples[0].source}</textarea>
<div id="complaints" role="group" aria-label="Compiler errors"></div>
<button id="judge" class="main" type="submit">Judge this kernel</button></form></details>
<div class="state"><p id="doing"></p><p id="heard" class="heard" role="status"></p><progress id="done" aria-label="Progress" hidden></progress><p id="problem" class="problem" role="alert" hidden></p></div>
<div id="keep" class="keep" hidden><button id="download" type="button">Download results.json</button><button id="link" type="button">Copy a link to the results</button><output id="kept" for="download link"></output></div>
<div id="results" tabindex="-1"><div id="at-verdict"></div><div id="at-arithmetic"></div><div id="at-speeds"></div><div id="at-report"></div></div>
</main>
<script type="module" src="./page.js"></script></body></html>
`.text;
}
