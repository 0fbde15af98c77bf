import { writeFileSync } from 'node:fs';
import wabt from 'wabt';

/** Functions as WebAssembly text, and the modules assembled from them. */

/** Adds to a local. */
export const advance = (local: string, by: string): string =>
  `(local.set ${local} (i32.add (local.get ${local}) ${by}))`;

/** Repeats the body as often as the local counts, at least once. */
export const repeat = (label: string, count: string, body: readonly string[]): string[] => [
  `(loop ${label}`,
  ...body,
  `(br_if ${label} (local.tee ${count} (i32.sub (local.get ${count}) (i32.const 1)))))`,
];

/** Length of a line of hexadecimal digits. */
const LINE = 100;

/** Assembles a text to the bytes of a module, in hexadecimal digits. */
export async function assembleWat(text: string): Promise<string> {
  const { parseWat } = await wabt();
  return Buffer.from(parseWat('module.wat', text, { simd: true }).toBinary({}).buffer).toString('hex');
}

/** Writes a module as source, for `npm run wasm`. */
export function recordModule(file: URL, hex: string): void {
  const lines = (hex.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []).map((line) => `  '${line}'`);
  const about = '/** The module of the kernels; `npm run wasm` makes it of its text. */';
  writeFileSync(file, `${about}\nexport const hex =\n${lines.join(' +\n')};\n`);
}
