import { MOST_HUES } from '../../report/html/figures/palette.ts';
import { html, Markup } from '../../report/html/markup.ts';
import { SCRIPT, SCRIPT_HASH } from '../../report/html/script.ts';
import { MOST_COLUMNS } from '../../report/html/table.ts';

/** A whole page that needs no other file: style and script are in it, and it lets no other script run. */
export function frame(title: string, body: Markup): Markup {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${SCRIPT_HASH}'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title} – gemm-paranoia</title><style>${new Markup(STYLE)}</style></head><body>${body}<script>${new Markup(SCRIPT)}</script></body></html>
`;
}

// Text and algorithms' colours keep a contrast of 4.5 to 1 and more against their background.
const LIGHT = `--paper:#fff;--panel:#f6f7f8;--ink:#1a1d21;--soft:#555b63;--rule:#d8dbdf;--grid:#e6e8eb;--link:#0b57a4;
--good:#1b6e3c;--bad:#b3261e;--unsure:#8a5a00;--c0:#3d4248;--c1:#0067a8;--c2:#b84a00;--c3:#00735a;--c4:#9a3d80;--c5:#7a6200;`;
const DARK = `--paper:#15181c;--panel:#1d2126;--ink:#e8eaed;--soft:#a9b0b9;--rule:#3a4048;--grid:#2b3037;--link:#82b7f5;
--good:#6fcf97;--bad:#ff8a80;--unsure:#f2c14e;--c0:#c3c8ce;--c1:#56b4e9;--c2:#f2914a;--c3:#35c79c;--c4:#e59ccb;--c5:#dcc43c;`;

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const hueClasses = numbers(MOST_HUES).map((at) => `.a${at}{--c:var(--c${at})}`);
const hideable = [
  ...numbers(MOST_HUES).map((at) => `a${at}`),
  ...['dotted', 'dashed', 'dash-dotted', 'thin', 'cross', 'ring'],
];
const hidden = hideable.map((key) => `.no-${key} .panel .${key}`);
const numberColumns = numbers(MOST_COLUMNS).flatMap((at) =>
  ['th', 'td'].map((cell) => `.n${at + 1} ${cell}:nth-child(${at + 1})`),
);

/** The style of the page: one scale of type, two palettes, and print. */
const STYLE = `:root{color-scheme:light dark;${LIGHT}}
@media(prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1160px;padding:24px 16px 64px;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1,h2,h3,h4{line-height:1.25;margin:0}
h1{font-size:32px}h2{font-size:22px;margin:48px 0 8px;padding-top:16px;border-top:1px solid var(--rule)}
h3{font-size:16px;margin:24px 0 4px}h4{font-size:14px;margin:20px 0 4px}
p,ul,ol{max-width:72ch;margin:4px 0 12px}ul,ol{padding-left:20px}
a{color:var(--link)}code{font:.92em ui-monospace,monospace}
.kind,.note,small,nav{font-size:13px;color:var(--soft)}
.kind{margin:0 0 4px}.lead{margin-top:8px}nav{display:flex;flex-wrap:wrap;gap:2px 16px;margin-top:16px}
.good{color:var(--good)}.bad{color:var(--bad)}.unsure{color:var(--unsure)}.faint{color:var(--soft);font-weight:400}
dl{margin:12px 0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:6px 32px;font-size:14px}
dl div{display:grid;grid-template-columns:112px 1fr;gap:8px}dt{color:var(--soft)}dd{margin:0}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:13px;line-height:1.4;font-variant-numeric:tabular-nums;margin:8px 0 12px;overflow-wrap:normal}
th{font-weight:600;text-align:left;vertical-align:bottom;border-bottom:1px solid var(--ink)}
th,td{padding:3px 14px 3px 0}td{vertical-align:top;border-bottom:1px solid var(--grid)}
th small,td small{display:block;font-size:.94em;font-weight:400;white-space:nowrap}sup{line-height:0;font-size:.75em}td sup{color:var(--soft)}
${numberColumns.join(',')}{text-align:right;white-space:nowrap}
td{max-width:44ch}td:has(>code){white-space:nowrap;max-width:none}
#case-table{font-size:12px;width:100%}#case-table :is(th,td){padding-right:10px}#case-table td{white-space:nowrap}#case-table td:last-child{white-space:normal;min-width:24ch}
#case-table .more td{border-bottom-color:var(--rule)}.has-more td{border-bottom:0}.more div{position:sticky;left:0;max-width:min(100vw - 32px,120ch);text-align:left;white-space:normal;overflow-wrap:anywhere}
.more :is(p,ul){margin:0 0 4px;max-width:none}
.script #case-table tbody tr:hover{background:var(--panel)}
html:not(.script) .with-script{display:none}
#filters{display:flex;flex-wrap:wrap;gap:8px 20px;align-items:center;font-size:14px;margin:12px 0}#filters[hidden]{display:none}
select,input{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--rule);border-radius:4px;padding:3px 6px;max-width:100%}
.figure{margin:8px 0 24px}
.legend{display:flex;flex-wrap:wrap;gap:2px 6px;margin:6px 0}
.legend button{font:13px/1.4 system-ui,sans-serif;color:var(--ink);background:none;border:0;border-radius:4px;padding:4px 8px 4px 4px;display:flex;gap:6px;align-items:center}
.script .legend button{cursor:pointer}.script .legend button:hover{background:var(--panel)}
.legend button[aria-pressed=false]{color:var(--soft);text-decoration:line-through}.legend button[aria-pressed=false] svg{opacity:.3}
.legend svg{--c:var(--ink);overflow:visible}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,252px),1fr));gap:12px 20px;margin:8px 0 16px}
.panel{margin:0;max-width:330px;break-inside:avoid}.panel figcaption{font-size:13px;font-weight:600;line-height:1.35}
.panel svg{display:block;width:100%;height:auto}.defs{position:absolute}
svg text{font:10.5px system-ui,sans-serif;fill:var(--soft);font-variant-numeric:tabular-nums}
.y text,.lane-name,svg .end{text-anchor:end}.x text,.scale text{text-anchor:middle}svg .start{text-anchor:start!important}svg .end{text-anchor:end!important}
.x .label{fill:var(--ink)}.tag{fill:var(--ink)}
.grid{stroke:var(--grid);fill:none}.axis,.frame{stroke:var(--soft);fill:none}.lane{fill:var(--panel)}
${hueClasses.join('')}
.solid{stroke:var(--c);stroke-width:1.6;fill:none}.bar{stroke:var(--c);fill:none}
.panel use{fill:var(--c);stroke:var(--paper);stroke-width:.8}.legend use{fill:var(--c)}
.panel .cross,.legend .cross{stroke:var(--c);stroke-width:1.5;fill:none}
.dotted,.dashed,.dash-dotted{stroke:var(--c);fill:none;stroke-width:1.1}.dotted{stroke-dasharray:1 3;stroke-linecap:round;stroke-width:1.6}.dashed{stroke-dasharray:5 3}.dash-dotted{stroke-dasharray:9 3 2 3}
.thin{stroke:var(--ink);fill:none;stroke-width:1.3}.bins{stroke:var(--c1)}.rule{stroke:var(--soft);stroke-dasharray:2 3}
.panel image{image-rendering:pixelated}.cut{stroke:#fff;fill:none}.cut.under{stroke:#000}
#po circle{fill:none;stroke:#fff;stroke-width:3}#po circle+circle{stroke:#b3001b;stroke-width:1.6}
${hidden.join(',')}{display:none}
#tip{position:absolute;z-index:1;max-width:min(320px,90vw);padding:4px 8px;border-radius:4px;background:var(--ink);color:var(--paper);font-size:13px;line-height:1.35;pointer-events:none}#tip[hidden]{display:none}
@media print{:root{color-scheme:light;${LIGHT}}@page{margin:14mm 12mm}body{padding:0;max-width:none;font-size:10.5pt}
nav,#filters,#tip,.with-script{display:none!important}.scroll{overflow:visible}table{font-size:7.5pt}#case-table{font-size:6.4pt;line-height:1.25}section>p{break-after:avoid}th,td{padding:1.5px 8px 1.5px 0}
thead{display:table-header-group}tr,h2,h3,h4,.study{break-inside:avoid}h2,h3,h4{break-after:avoid}
.panels{grid-template-columns:repeat(4,1fr);gap:8px}.panel figcaption{font-size:8pt}.legend button[aria-pressed=false]{display:none}}`;
