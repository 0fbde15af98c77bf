import { html, Markup } from './markup.ts';
import { SCRIPT, SCRIPT_HASH } from './script.ts';
import { STYLE } from './style.ts';

/** A whole page that needs no other file: style and script are in it, and it lets no other script run. */
export function frame(title: string, body: Markup): Markup {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${SCRIPT_HASH}'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title} – gemm-paranoia</title><style>${new Markup(STYLE)}</style></head><body>${body}<script>${new Markup(SCRIPT)}</script></body></html>
`;
}
