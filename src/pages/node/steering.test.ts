import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { plainLook } from '../../report/terminal/text.ts';
import type { Results } from '../../run/results.ts';
import { readResults } from '../read-results.ts';
import { screenReport } from '../screen.ts';
import { reporters, writesFile } from './reporters.ts';

const EVIL = '\u001b[31m\u202e<b>x</b>|`\r\n::error::evil\u0007\u009b2J';
const STEERS = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const example = JSON.parse(
  readFileSync(new URL('../../../share/schemas/results.example.json', import.meta.url), 'utf8'),
);

/** Applies `change` to each text of a value, by its key. */
function changed(value: unknown, change: (text: string, key: string) => string, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((one) => changed(one, change, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one, change, name)]));
}

/** Returns results in which every text of unknown origin tries to steer. */
function evil(): { results: Results; keys: string[] } {
  const all = new Set<string>();
  changed(example, (text, key) => {
    all.add(key);
    return text;
  });
  const isTaken = (keys: readonly string[]) => {
    try {
      return readResults(
        JSON.stringify(changed(example, (text, key) => (keys.includes(key) ? `${text}${EVIL}` : text))),
        'it',
      );
    } catch {
      return undefined;
    }
  };
  const keys = [...all].filter((key) => isTaken([key]) !== undefined);
  return { results: isTaken(keys) as Results, keys };
}

it('what results name steers no terminal, no page and no service', async () => {
  const { results, keys } = evil();
  expect(keys).toEqual(expect.arrayContaining(['reason', 'command', 'name', 'driver', 'message']));
  const texts = new Map<string, string>([['screen', screenReport(results, plainLook, undefined)]]);
  for (const reporter of reporters.items) {
    if (writesFile(reporter)) texts.set(reporter.name, await reporter.render(results, []));
    else texts.set(reporter.name, reporter.start().closing?.(results, () => undefined) ?? '');
  }
  for (const [name, text] of texts) {
    if (name === 'json') continue;
    expect(STEERS.exec(text)?.[0], name).toBeUndefined();
    if (['markdown', 'html', 'junit'].includes(name)) {
      expect(text.replace(/<!\[CDATA\[.*?\]\]>/gs, ''), name).not.toContain('<b>x');
    }
    // A token stops all workflow commands but its own.
    if (name === 'github') expect(text).not.toMatch(/^\s*::error::evil/m);
  }
});
