import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { builtinNodeItems } from '../../src/config/node/node-items.ts';
import { defineCheck } from '../../src/evidence/checks/define-check.ts';
import { builtinItems } from '../../src/evidence/items.ts';
import { makeRunCatalog } from '../../src/run/run-catalog.ts';
import { studies } from '../../src/study/studies.ts';

/**
 * The contract: nothing is registered globally. Registries never change. A module neither exports a function that registers items, nor
 * registers anything when it is loaded.
 */

const SRC = join(import.meta.dirname, '../../src');

/** An export that may hold a mutable registry. */
const CHANGES = /^export (let\b|const \w+(: [^=]+)? = new (Map|Set|WeakMap|WeakSet|Memo)\b)/m;
/** A statement of a module that registers something with another one. */
const REGISTERS = /^(await )?\w+(\.\w+)*\.(adopt|shelve|register\w*|with|push|set|add)\(/m;

const withoutTexts = (source: string) => source.replace(/`[^`]*`/g, '``');

const breaches = (files: readonly (readonly [name: string, text: string])[]): string[] =>
  files.flatMap(([name, text]) =>
    [CHANGES, REGISTERS].some((pattern) => pattern.test(withoutTexts(text))) ? [name] : [],
  );

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /(?<!\.(test|testing))\.ts$/.test(name))
  .map((name) => [name, readFileSync(join(SRC, name), 'utf8')] as const);

test('no module exports a registry that changes, or registers anything when it is loaded', () => {
  expect(files.length).toBeGreaterThan(900);
  expect(breaches(files)).toEqual([]);
});

it.each([
  'export const known = new Map<string, Check>();',
  'export const known: Map<string, Check> = new Map();',
  'export let known: readonly Check[] = [];',
  "import { checks } from './checks.ts';\nchecks.register(mine);",
  'registry.checks.adopt([mine]);',
  'algorithms.shelve((name) => read(name));',
])('a module is refused with %j', (text) => {
  expect(breaches([['evidence/own.ts', text]])).toEqual(['evidence/own.ts']);
});

it.each(Object.entries({ ...builtinNodeItems, studies }))('the registry of %s is frozen', (_, registry) => {
  expect([registry, registry.items, registry.names].every(Object.isFrozen)).toBe(true);
});

it('a catalog of more leaves the built-in one as it is', () => {
  const judge = () => ({ status: 'pass', message: 'Yes.' }) as const;
  const mine = defineCheck({ name: 'mine', what: 'Is it mine?', judge });
  const before = makeRunCatalog([], builtinItems);
  const more = makeRunCatalog([], { ...builtinItems, checks: builtinItems.checks.with([mine]) });
  expect([before.checks.get('mine'), more.checks.get('mine')]).toEqual([undefined, mine]);
  expect(makeRunCatalog([], builtinItems).checks).toBe(before.checks);
});
