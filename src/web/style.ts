/** Styles of the page that a report does not have, in the colors of reports. */
export const PAGE_STYLE = `
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
