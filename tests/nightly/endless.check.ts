import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { EXIT } from '../../src/base/errors.ts';

/** An endless loop in a user's file is ended, wherever it is. */

const folder = mkdtempSync(join(tmpdir(), 'endless-'));
afterAll(() => rmSync(folder, { recursive: true }));

const dist = new URL('../../dist/base/node/', import.meta.url).href;
const loader = join(folder, 'load.mjs');
writeFileSync(
  loader,
  `import { expectEnd, watchEnding } from '${dist}ending.js';
import { importFile } from '${dist}import-file.js';
watchEnding();
const kept = process.argv[3] === 'kept' ? setInterval(() => {}, 1000) : undefined;
try {
  await importFile(process.argv[2], (why) => new Error(why), 0.3);
} catch ({ message, exitCode }) {
  console.error(message);
  process.exitCode = exitCode;
}
expectEnd();
clearInterval(kept);
`,
);
writeFileSync(join(folder, 'loop.mjs'), 'for (;;);');

it.each([
  ['at once', 'for (;;);'],
  ['in what it imports', "import './loop.mjs'; export default 1;"],
  ['in a module of CommonJS', 'for (;;);', 'cjs'],
  ['of TypeScript', 'const x: number = 1; for (;;);', 'ts'],
  ['that catches all that is thrown', 'for (;;) try { for (;;); } catch {} finally { }'],
  ['after it has waited', 'await null; for (;;);'],
  ['after a timer', 'await new Promise((done) => setTimeout(done, 1)); for (;;);'],
  ['in a timer, while it waits for ever', 'setTimeout(() => { for (;;); }, 1); await new Promise(() => {});'],
  ['in an immediate', 'setImmediate(() => { for (;;); }); await new Promise(() => {});'],
  ['in a tick', 'process.nextTick(() => { for (;;); }); await new Promise(() => {});'],
  [
    'in a callback',
    "import { readFile } from 'node:fs'; readFile('/dev/null', () => { for (;;); }); await new Promise(() => {});",
  ],
  ['of promises', 'for (;;) await null;'],
])(
  'a file that loops %s is given up in a sentence, whether or not others wait too',
  (_, text, end = 'mjs') => {
    const path = join(folder, `file.${end}`);
    writeFileSync(path, text);
    for (const more of [[], ['kept']]) {
      const { status, stderr } = spawnSync(process.execPath, [loader, path, ...more], {
        ...{ encoding: 'utf8', timeout: 1_800_000 },
      });
      expect(stderr).toMatch(
        /^\S+file\.\w+ did not finish loading within 0\.3 s\. Its top level, or a module that it imports, loops .+\.\n$/,
      );
      expect(status).toBe(EXIT.ended);
    }
  },
);
