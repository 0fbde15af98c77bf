import { expect, it } from 'vitest';
import { runtimeName } from './invocation.ts';

const NODE = { node: '22.11.0', v8: '12.4' };

it.each([
  ['node 22.11.0', { versions: NODE }],
  ['bun 1.1.38', { versions: { ...NODE, bun: '1.1.38' } }],
  ['deno 2.1.4', { versions: { ...NODE, deno: '2.1.4' } }],
  ['deno 2.1.4', { versions: NODE, Deno: { version: { deno: '2.1.4' } } }],
  ['node 22.11.0', { versions: NODE, Deno: {} }],
])('%s', (name, signs) => expect(runtimeName(signs)).toBe(name));

it('is Node here', () => expect(runtimeName()).toBe(`node ${process.versions.node}`));
