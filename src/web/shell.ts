import { VERSION } from '../base/version.ts';
import { STYLE } from '../pages/html/frame.ts';
import { html, Markup } from '../report/html/markup.ts';
import { examples } from './examples.ts';

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

/** Styles of the page that a report does not have, in the colors of reports. */
const PAGE_STYLE = `
.intro{margin-bottom:16px}.intro .lead{max-width:72ch}
.ask{display:flex;flex-wrap:wrap;gap:10px 12px;align-items:center;margin:12px 0}
:is(.ask,.keep,.own) :is(button,.file,select){font:15px/1.3 system-ui,sans-serif;color:var(--link);background:var(--paper);border:1px solid var(--soft);border-radius:6px;padding:9px 16px;cursor:pointer;min-height:44px;max-width:100%}
:is(.ask,.own) button.main{background:var(--link);border-color:var(--link);color:var(--paper);font-weight:600}
:is(.ask,.keep,.own) button:disabled{opacity:.55;cursor:default}
.file{display:inline-flex;flex-wrap:wrap;gap:4px 10px;align-items:center}.file input{font:inherit;font-size:13px;color:var(--ink);max-width:100%;border:0;padding:0}.file:focus-within{outline:2px solid var(--link);outline-offset:2px}
.own{border:1px solid var(--rule);border-radius:6px;padding:10px 16px;margin:12px 0}.own label{display:block;max-width:90ch;margin:8px 0 4px;font-size:14px}.own .row{display:flex;flex-wrap:wrap;gap:4px 10px;align-items:center;margin-top:8px}.own .row label{margin:0}.own select{cursor:pointer;padding:9px 10px}
textarea{width:100%;font:13px/1.45 ui-monospace,monospace;color:var(--ink);background:var(--panel);border:1px solid var(--soft);border-radius:6px;padding:10px;tab-size:2;white-space:pre;overflow:auto;resize:vertical;margin-bottom:10px}
#complaints:not(:empty){margin:0 0 10px;border-left:4px solid var(--bad);padding:4px 12px;background:var(--tint-bad);overflow-x:auto}
#complaints ol{list-style:none;padding:0;margin:4px 0;max-width:none}#complaints pre{margin:2px 0 8px;font:13px/1.4 ui-monospace,monospace;white-space:pre}#complaints button{font:inherit;color:var(--link);background:none;border:0;padding:0;min-height:0;text-decoration:underline;cursor:pointer}
.state{min-height:34px}.state p{margin:4px 0;max-width:none}progress{width:100%;height:10px;accent-color:var(--link)}
.problem{border-left:4px solid var(--bad);background:var(--tint-bad);padding:8px 12px}
.keep{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin:4px 0 16px}.keep output{font-size:14px;overflow-wrap:anywhere}
.heard{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[hidden]{display:none!important}
#results:focus{outline:none}
@media print{.ask,.own,.keep,.state{display:none!important}}`;
