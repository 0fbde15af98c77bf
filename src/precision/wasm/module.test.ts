import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import wabt from 'wabt';
import { hex } from './module.ts';
import { moduleText } from './wat.testing.ts';

const file = new URL('./module.ts', import.meta.url);
const LINE = 100;

it('is what the text assembles to', async () => {
  const { parseWat } = await wabt();
  const bytes = Buffer.from(parseWat('blocks.wat', moduleText(), { simd: true }).toBinary({}).buffer);
  if (process.env.WASM === 'record') {
    const lines = bytes.toString('hex').match(new RegExp(`.{1,${LINE}}`, 'g')) as string[];
    const text = lines.map((line) => `  '${line}'`).join(' +\n');
    writeFileSync(
      file,
      `/** The module of the kernels; \`npm run wasm\` makes it of its text. */\nexport const hex =\n${text};\n`,
    );
  } else expect(hex).toBe(bytes.toString('hex'));
});
