import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { itWhole } from '../../src/base/in-short.testing.ts';
import { runCommand } from '../../src/cli/in-process.testing.ts';
import { kinds } from '../../src/cli/list/list.ts';
import type { ListedItem } from '../../src/cli/list/listed-item.ts';
import { builtinNodeItems } from '../../src/config/node/node-items.ts';
import { runOptions } from '../../src/config/run-options.ts';
import { clientKernels, libraries } from '../../src/kernels/clients/node/clients.ts';
import { reporters, writesFile } from '../../src/pages/node/reporters.ts';
import { makeRunCatalog } from '../../src/run/run-catalog.ts';

/** The contract: every registered item has a description and a source (a paper, or ours), and the command line prints both. */

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const registered = { catalog: makeRunCatalog(clientKernels, builtinNodeItems) };

/** Returns the output of `list`. */
async function list(kind: string, ...flags: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const keep = (text: unknown) => printed.push(String(text)) > 0;
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(keep),
    vi.spyOn(process.stdout, 'write').mockImplementation(keep),
  ];
  await runCommand(['list', kind, ...flags]);
  for (const spy of spies) spy.mockRestore();
  return printed.join('');
}

describe.each(Object.keys(kinds))('%s', async (kind) => {
  const items = (await kinds[kind]())(registered);

  it('have names of their own, and say what they are and where they come from', () => {
    expect(items.length).toBeGreaterThan(0);
    expect(new Set(items.map(({ name }) => name)).size).toBe(items.length);
    const unsaid = items.filter(({ what, source }) => [what, source].some((text) => !/\w/.test(text ?? '')));
    expect(unsaid).toEqual([]);
    // The package's items come from a paper or standard, or are ours. None can come from a config here.
    expect(items.filter(({ source }) => source === 'the config')).toEqual([]);
  });

  it('are printed, for people and as JSON', async () => {
    expect(JSON.parse(await list(kind, '--json')) as ListedItem[]).toEqual(items);
    const text = await list(kind);
    for (const { name } of items) expect(text).toContain(name);
  });
});

itWhole('are named by their kind in the help', () => {
  const help = execFileSync(process.execPath, [MAIN, '--help'], { encoding: 'utf8' });
  for (const kind of Object.keys(kinds)) expect(help).toContain(kind);
});

it('reporters are named where they are chosen', () => {
  const names = reporters.items.map(({ name }) => name);
  const [files, others] = [true, false].map((is) =>
    reporters.items.filter((one) => writesFile(one) === is).map(({ name }) => name),
  );
  expect(runOptions.reporters.what).toBe(`Files: ${files.join(', ')}; on the console: ${others.join(', ')}`);
  expect(readFileSync(new URL('../../docs/how-to/reports.md', import.meta.url), 'utf8')).toContain(
    `\`--reporter ${names.join()}\``,
  );
});

it('are clients of libraries that are told of', () => {
  const named = new Set(clientKernels.map(({ name }) => name.split(':')[0]));
  expect([...named].sort()).toEqual(Object.keys(libraries).sort());
});
