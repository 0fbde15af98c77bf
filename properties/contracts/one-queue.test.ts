import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');
const OWN = join('gpu', 'queue');

/** Code that submits work to a device, or makes the pipelines and encoders for it. */
const SUBMITS = /\.submit\(\[|\bcreate(Compute|Render)Pipeline|\bcreateCommandEncoder\b|\bbeginComputePass\b/;

function submitting(files: readonly (readonly [name: string, text: string])[]): string[] {
  return files.filter(([name, text]) => !name.startsWith(OWN) && SUBMITS.test(text)).map(([name]) => name);
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => [name, readFileSync(join(SRC, name), 'utf8')] as const);

test('work is encoded and submitted, and pipelines are made, by gpu/queue alone', () => {
  expect(submitting(files)).toEqual([]);
});

test('who submits for himself is found, and the queue is seen to do so', () => {
  const planted = ['device.queue.submit([encoder.finish()]);', 'device.createComputePipelineAsync({})'];
  for (const text of planted) expect(submitting([['gpu/probe/own.ts', text]])).toEqual(['gpu/probe/own.ts']);
  const queue = files.filter(([name]) => name.startsWith(OWN)).map(([, text]) => text);
  expect(queue.filter((text) => SUBMITS.test(text)).length).toBeGreaterThan(1);
});
