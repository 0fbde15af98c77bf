import { MOST_HUES } from '../../report/html/figures/palette.ts';
import { html, Markup } from '../../report/html/markup.ts';
import { SCRIPT, SCRIPT_HASH } from '../../report/html/script.ts';
import { MOST_COLUMNS } from '../../report/html/table.ts';

/** The script and style of pages that are no reports. */
export interface PageAssets {
  readonly script: string;
  /** The SHA-256 of the script in base64. */
  readonly hash: string;
  /** Style rules beside those of every page. */
  readonly style: string;
}

const OF_REPORTS: PageAssets = { script: SCRIPT, hash: SCRIPT_HASH, style: '' };

/** Renders a whole, self-contained page. Style and script are in it, and it lets no other script run. */
export function renderPage(
  title: string,
  body: Markup,
  { script, hash, style }: PageAssets = OF_REPORTS,
): Markup {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${hash}'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title} – gemm-paranoia</title><style>${new Markup(STYLE + style)}</style></head><body><a class="skip" href="#main">To the results</a>${body}<script>${new Markup(script)}</script></body></html>
`;
}

// Text and the colors of series keep a contrast of at least 4.5 to 1 with their background.
const LIGHT = `--paper:#fff;--panel:#f5f6f8;--ink:#1a1d21;--soft:#555b63;--rule:#d5d9de;--grid:#e6e8eb;--link:#0b57a4;
--good:#1b6e3c;--bad:#b3261e;--unsure:#8a5a00;--f:#c62828;--u:#e0a100;--p:#8fc3a1;--none:#e3e6ea;--tint-bad:#fdf1f0;--tint-good:#f1f8f3;--tint-unsure:#fdf7e8;
--c0:#3d4248;--c1:#0067a8;--c2:#b84a00;--c3:#00735a;--c4:#9a3d80;--c5:#7a6200;--c6:#6a4fb3;--c7:#a8324a;`;
const DARK = `--paper:#15181c;--panel:#1d2126;--ink:#e8eaed;--soft:#a9b0b9;--rule:#3a4048;--grid:#2b3037;--link:#82b7f5;
--good:#6fcf97;--bad:#ff8a80;--unsure:#f2c14e;--f:#ff6b61;--u:#f2c14e;--p:#3f7a56;--none:#2b3037;--tint-bad:#2a1c1d;--tint-good:#18231d;--tint-unsure:#272115;
--c0:#c3c8ce;--c1:#56b4e9;--c2:#f2914a;--c3:#35c79c;--c4:#e59ccb;--c5:#dcc43c;--c6:#b3a1f0;--c7:#ff8fa3;`;

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const hueClasses = numbers(MOST_HUES).map((at) => `.a${at}{--c:var(--c${at})}`);
const hideable = [
  ...numbers(MOST_HUES).map((at) => `a${at}`),
  ...['dotted', 'dashed', 'thin', 'cross', 'ring'],
];
const hidden = hideable.map((key) => `.no-${key} .panel .${key}`);
const numberColumns = numbers(MOST_COLUMNS).flatMap((at) =>
  ['th', 'td'].map((cell) => `.n${at + 1} ${cell}:nth-child(${at + 1})`),
);

/** The style of the page's frame and text. */
const TEXT = `*{box-sizing:border-box}
body{margin:0 auto;max-width:1160px;padding:20px 16px 64px;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1,h2,h3{line-height:1.25;margin:0}h1{font-size:34px;letter-spacing:-.01em}h2{font-size:21px}h3{font-size:16px;margin:24px 0 4px}
section{margin-top:36px;padding-top:20px;border-top:1px solid var(--rule);scroll-margin-top:8px}section>h2{margin-bottom:8px}
p,ul,ol{max-width:72ch;margin:4px 0 12px}ul,ol{padding-left:20px}
a{color:var(--link)}code{font:.92em ui-monospace,monospace}
.kind,.note,small,nav{font-size:13px;color:var(--soft)}
.good{color:var(--good)}.bad{color:var(--bad)}.unsure{color:var(--unsure)}.faint{color:var(--soft);font-weight:400}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:2px}
.skip,.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.skip:focus{width:auto;height:auto;clip-path:none;padding:8px;background:var(--paper);z-index:2}
summary{cursor:pointer;width:fit-content;max-width:100%;color:var(--link)}summary:hover{text-decoration:underline}summary h2{display:inline;color:var(--ink)}
details.part:not([open]){margin-bottom:-8px}details.part>summary{margin-bottom:8px}.numbers{font-size:13px;margin:4px 0}
section:has(>details.part){margin-top:20px}section:has(>details.part)+section:has(>details.part){margin-top:0;padding-top:14px}`;

/** The style of the first screen and the failures. */
const TOP = `.top{border:1px solid var(--rule);border-left:6px solid var(--good);border-radius:6px;padding:16px 20px;background:var(--tint-good)}
.top.fail{border-left-color:var(--bad);background:var(--tint-bad)}.top.inconclusive{border-left-color:var(--unsure);background:var(--tint-unsure)}
.kind{margin:0 0 2px}.lead{font-size:18px;margin:4px 0;max-width:none}.top .note{max-width:none;margin:0 0 10px}
nav{display:flex;flex-wrap:wrap;gap:2px 16px;margin:14px 0 -14px}
.tally{display:flex;height:8px;gap:1px;border-radius:4px;overflow:hidden;background:var(--none)}.tally i{min-width:3px;background:var(--p)}.tally .fail{background:var(--f)}.tally :is(.inconclusive,.waived){background:var(--u)}.slim{height:3px;margin:3px 0}
.kernels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,232px),1fr));gap:12px 20px;list-style:none;padding:0;margin:14px 0 0;max-width:none}
.kernels li{min-width:0}.name{display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden;line-height:1.35}.stands{font-size:14px}.kernels small{display:block}
.failure{border:1px solid var(--rule);border-radius:6px;padding:14px 18px 6px;margin:0 0 14px}.failure h3{margin:0 0 8px}.failure p{max-width:100ch;font-size:15px;margin:4px 0 8px}
.entries{overflow-x:auto;margin:6px 0 8px;font-size:13px;line-height:1.35}.heats{display:flex;flex-wrap:wrap;gap:10px 14px;align-items:center;margin:6px 0 8px}.operand{display:flex;gap:8px;align-items:center;min-width:0}.sign{font-size:20px;color:var(--soft)}
.heat{margin:0;display:flex;flex-direction:column;gap:3px;max-width:100%}.heat figcaption{font-size:13px;font-weight:600}.heat img{image-rendering:pixelated;border:1px solid var(--soft);max-width:29vw;height:auto;background:#fff}.heat small{font-size:12px}
.reasons{max-width:100ch}.reasons li{margin-bottom:6px}
.heat-key{display:flex;flex-wrap:wrap;gap:2px 18px;max-width:none}.heat-key :is(img,svg){vertical-align:-1px;border:1px solid var(--soft);image-rendering:pixelated}
.command code{background:var(--panel);border-radius:4px;padding:1px 5px;-webkit-box-decoration-break:clone;box-decoration-break:clone}
button.copy{font:12px system-ui,sans-serif;color:var(--link);background:none;border:1px solid var(--rule);border-radius:4px;padding:1px 8px;margin-left:6px;cursor:pointer}`;

/** The style of the grid of cases. A pass is a dot and a failure a square, so that they differ without colors. */
const GRID = `.grids{display:flex;flex-wrap:wrap;gap:8px 48px}.grids .scroll{padding-bottom:4px}
.shapes{line-height:1.2;margin:0}.shapes caption{font-weight:600;font-size:14px;color:var(--ink);margin-bottom:4px}.shapes :is(th,td){border:0;padding:0 2px 2px 0;vertical-align:middle}
.shapes thead th{vertical-align:bottom}.shapes thead th span{writing-mode:vertical-rl;transform:rotate(180deg);font-weight:400;white-space:nowrap;max-height:170px;overflow:hidden}
.shapes tbody th{font-weight:400;white-space:nowrap;padding-right:8px}
:is(.cell,.shapes td>*){display:grid;grid-template-columns:repeat(var(--across),6px);gap:1px;padding:2px;width:fit-content;min-height:17px;align-content:center;border-radius:2px;background:var(--panel)}
:is(.cell,.shapes td>*)>*{width:6px;height:6px}.shapes td>*>:is(i,s)::after,.cell>:is(i,s)::after{content:'';display:block;width:4px;height:4px;margin:1px;border-radius:50%;background:var(--p)}.shapes td>*>s::after,.cell>s::after{width:2px;height:2px;margin:2px;background:var(--none)}
:is(.cell,.shapes td>*)>b{background:var(--f)}:is(.cell,.shapes td>*)>u{background:var(--u)}.cell>em{background:var(--ink)}
.shapes .fail{background:var(--tint-bad);box-shadow:inset 0 0 0 1px var(--f)}.shapes :is(.inconclusive,.waived){background:var(--tint-unsure);box-shadow:inset 0 0 0 1px var(--u)}
.shapes a:hover{outline:2px solid var(--link)}.cell.one{min-height:10px;grid-template-columns:6px;display:inline-grid}
.grid-key{display:flex;flex-wrap:wrap;gap:3px 16px;list-style:none;padding:0;margin:0 0 6px;max-width:none}.grid-key li{display:flex;gap:6px;align-items:center}`;

const TABLES = `.studies{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,500px),1fr));gap:0 32px}.study{min-width:0}.study :is(th,td){padding-right:8px}.study small{font-size:11.5px}
dl{margin:12px 0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:6px 32px;font-size:14px}
dl div{display:grid;grid-template-columns:112px 1fr;gap:8px}dt{color:var(--soft)}dd{margin:0}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:13px;line-height:1.4;font-variant-numeric:tabular-nums;margin:8px 0 12px;overflow-wrap:normal}caption{text-align:left;color:var(--soft);overflow-wrap:anywhere}
th{font-weight:600;text-align:left;vertical-align:bottom;border-bottom:1px solid var(--ink)}
th,td{padding:3px 14px 3px 0}td{vertical-align:top;border-bottom:1px solid var(--grid)}
th small,td small{display:block;font-size:.94em;font-weight:400;white-space:normal}small span{white-space:nowrap}sup{line-height:0;font-size:.75em}td sup{color:var(--soft)}
${numberColumns.join(',')}{text-align:right;white-space:nowrap}
td{max-width:44ch}td:has(>code){white-space:nowrap;max-width:none}
#case-table{font-size:12px;min-width:min(100%,720px)}#case-table caption{font-size:13px;position:sticky;left:0;max-width:min(100vw - 32px,1120px);overflow-wrap:anywhere}#case-table :is(th,td){padding-right:10px}#case-table td:nth-child(3){font-family:ui-monospace,monospace}#case-table td:last-child{min-width:16ch;overflow-wrap:anywhere}
#case-table .of th{text-align:left;white-space:normal;padding-top:14px;font-size:13px;border-bottom-color:var(--rule)}.of small{display:inline!important}
#case-table .more td{border-bottom-color:var(--rule)}.has-more td{border-bottom:0}.more div{position:sticky;left:0;max-width:min(100vw - 32px,120ch);text-align:left;white-space:normal;overflow-wrap:anywhere}
.more :is(p,ul){margin:0 0 4px;max-width:none}tr:target td{background:var(--panel)}
.script #case-table tr[id]{cursor:pointer}.script #case-table tr[id]:hover{background:var(--panel)}
html:not(.script) .with-script{display:none}
#filters{display:flex;flex-wrap:wrap;gap:8px 20px;align-items:center;font-size:14px;margin:12px 0}#filters[hidden]{display:none}
select,input{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:4px;padding:3px 6px;max-width:100%}
#case{border:1px solid var(--rule);border-radius:8px;padding:16px 20px;width:min(760px,calc(100vw - 24px));max-height:85vh;overflow:auto;background:var(--paper);color:var(--ink)}#case::backdrop{background:#0008}#case h2{font-size:18px;margin:0 60px 4px 0}
#case nav{margin:12px 0 0;align-items:center;gap:8px}#case button{font:13px system-ui,sans-serif;color:var(--link);background:var(--paper);border:1px solid var(--soft);border-radius:4px;padding:4px 12px;cursor:pointer}#case .close{position:absolute;top:14px;right:16px}#case button:disabled{opacity:.45;cursor:default}`;

const FIGURES = `.figure{margin:8px 0 20px}
.legend{display:flex;flex-wrap:wrap;gap:2px 6px;margin:6px 0}
.legend button{font:13px/1.4 system-ui,sans-serif;color:var(--ink);background:none;border:0;border-radius:4px;padding:4px 8px 4px 4px;display:flex;gap:6px;align-items:center;text-align:left;min-width:0;max-width:100%}.legend svg{flex:none}
.script .legend button{cursor:pointer}.script .legend button:hover{background:var(--panel)}
.legend button[aria-pressed=false]{color:var(--soft);text-decoration:line-through}.legend button[aria-pressed=false] svg{opacity:.3}
.legend svg{--c:var(--ink);overflow:visible}.panel svg{--c:var(--ink)}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,252px),1fr));gap:12px 20px;margin:8px 0 12px}.panels.wide{grid-template-columns:repeat(auto-fill,minmax(min(100%,400px),1fr))}
.panel{margin:0;max-width:330px;break-inside:avoid}.wide .panel{max-width:552px}.panel figcaption{font-size:13px;font-weight:600;line-height:1.35}
.panel svg{display:block;width:100%;height:auto}.defs{position:absolute}
svg text{font:10.5px system-ui,sans-serif;fill:var(--soft);font-variant-numeric:tabular-nums}
.y text,.lane-name,svg .end{text-anchor:end}.x text,.scale text{text-anchor:middle}svg .start{text-anchor:start!important}svg .end{text-anchor:end!important}
.y+.x .label,.label{fill:var(--ink);text-anchor:middle}.tag{fill:var(--ink)}
.grid{stroke:var(--grid);fill:none}.axis,.frame{stroke:var(--soft);fill:none}.lane{fill:var(--panel)}
${hueClasses.join('')}
.solid{stroke:var(--c);stroke-width:1.6;fill:none}.bar{stroke:var(--c);fill:none}
.panel use{fill:var(--c);stroke:var(--paper);stroke-width:.8}.legend use{fill:var(--c)}
.panel .cross,.legend .cross{stroke:var(--c);stroke-width:1.5;fill:none}
.dotted,.dashed{stroke:var(--c);fill:none;stroke-width:1.1}.dotted{stroke-dasharray:1 3;stroke-linecap:round;stroke-width:1.6}.dashed{stroke-dasharray:5 3}
.thin{stroke:var(--ink);fill:none;stroke-width:1.3}.bins{stroke:var(--c1)}.rule{stroke:var(--soft);stroke-dasharray:2 3}
.panel image{image-rendering:pixelated}.cut{stroke:#fff;fill:none}.cut.under{stroke:#000}
#po circle{fill:none;stroke:#fff;stroke-width:3}#po circle+circle{stroke:#b3001b;stroke-width:1.6}
${hidden.join(',')}{display:none}
@media(max-width:600px){.panels.narrow:has(:nth-child(3)){display:flex;overflow-x:auto;scroll-snap-type:x proximity}.panels.narrow>.panel{flex:0 0 248px;scroll-snap-align:start}.wide svg text{font-size:13px}}
#tip{position:absolute;z-index:3;max-width:min(320px,90vw);padding:4px 8px;border-radius:4px;background:var(--ink);color:var(--paper);font-size:13px;line-height:1.35;pointer-events:none}#tip[hidden]{display:none}`;

/** The style of print. Folded parts stay folded, except for those that read as a page of their own. */
const PRINT = `@media print{:root{color-scheme:light;${LIGHT}}@page{margin:14mm 12mm}body{padding:0;max-width:none;font-size:10.5pt}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
nav,#filters,#tip,.with-script,button.copy,.skip,.failure a{display:none!important}.scroll{overflow:visible}table{font-size:7.5pt}#case-table{font-size:6.4pt;line-height:1.25}section>p{break-after:avoid}th,td{padding:1.5px 8px 1.5px 0}
thead{display:table-header-group}tr,h2,h3,.study,.failure,.grids>div{break-inside:avoid}h2,h3{break-after:avoid}
.panels{grid-template-columns:repeat(4,1fr);gap:8px}.panels.wide{grid-template-columns:repeat(2,1fr)}.panel figcaption{font-size:8pt}.legend button[aria-pressed=false]{display:none}}`;

/** The style of the page: one scale of type, two palettes, and print. */
export const STYLE = `:root{color-scheme:light dark;${LIGHT}}
@media(prefers-color-scheme:dark){:root{${DARK}}}
${[TEXT, TOP, GRID, TABLES, FIGURES, PRINT].join('\n')}`;
