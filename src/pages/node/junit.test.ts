import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Results } from '../../run/results.ts';
import { readResults } from '../read-results.ts';
import { junitReport } from './junit.ts';

const example = readResults(
  readFileSync(new URL('../../../share/schemas/results.example.json', import.meta.url), 'utf8'),
  'the example',
);
const failure = example.cases.find(({ verdict }) => verdict === 'fail') as CaseResult;
const unsettled = example.cases.find(({ verdict }) => verdict === 'inconclusive') as CaseResult;

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

// A strict tokenizer of XML 1.0 without document types: unmatched text is an error.
const TOKEN =
  /<\?xml[^?]*\?>|<!\[CDATA\[(?<data>[\s\S]*?)\]\]>|<\/(?<close>[\w.-]+)>|<(?<open>[\w.-]+)(?<attributes>(?:\s+[\w.-]+="[^"<]*")*)\s*(?<empty>\/?)>|(?<text>[^<]+)/y;
const NOT_ALLOWED = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9A-Fa-f]+)|(\w+))?(;?)/g, (whole, hex, name, end) => {
    const value = hex === undefined ? NAMED[name] : String.fromCodePoint(Number.parseInt(hex, 16));
    if (end !== ';' || value === undefined || NOT_ALLOWED.test(value)) throw new Error(`bad entity ${whole}`);
    return value;
  });
}

function parseXml(xml: string): Element {
  if (NOT_ALLOWED.test(xml)) throw new Error('a character that XML does not allow');
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(xml)?.groups;
    if (groups === undefined) throw new Error(`not well-formed: ${xml.slice(at, at + 60)}`);
    const top = open[open.length - 1];
    if (groups.data !== undefined) top.text += groups.data;
    if (groups.text?.includes(']]>')) throw new Error('"]]>" in text');
    if (groups.text !== undefined) top.text += decode(groups.text);
    if (groups.close !== undefined && open.pop()?.name !== groups.close)
      throw new Error(`</${groups.close}>`);
    if (groups.open !== undefined) {
      const pairs = [...(groups.attributes ?? '').matchAll(/([\w.-]+)="([^"]*)"/g)];
      const attributes = Object.fromEntries(pairs.map(([, key, value]) => [key, decode(value)]));
      const element = { name: groups.open, attributes, children: [], text: '' };
      top.children.push(element);
      if (groups.empty === '') open.push(element);
    }
  }
  if (open.length !== 1 || root.children.length !== 1 || root.text.trim() !== '')
    throw new Error('no one root');
  return root.children[0];
}

function find({ children }: Element, name: string): Element[] {
  return children.flatMap((child) => [...(child.name === name ? [child] : []), ...find(child, name)]);
}

it('has a suite for each kernel and a test for each case, and one for the run', () => {
  const root = parseXml(junitReport(example));
  expect(root.attributes).toMatchObject({ tests: '21', failures: '3', errors: '0', skipped: '2' });
  expect(root.children.map(({ attributes }) => attributes.name)).toEqual([
    'gemm-paranoia',
    'classical:naive',
    'classical:register',
    'strassen:register',
    'winograd:tiled',
  ]);
  const names = find(root, 'testcase').map(({ attributes }) => attributes.name);
  expect(names).toEqual(['verdict', ...example.cases.map((result) => result.case)]);
});

it('tells of failures with their replay, and of the device', () => {
  const root = parseXml(junitReport(example));
  const test = find(root, 'testcase').find(({ attributes }) => attributes.name === failure.case) as Element;
  expect(test.children[0]).toMatchObject({ name: 'failure', attributes: { message: failure.reason } });
  expect(test.children[0].text).toContain('running-bound: fail, found 1.84, allowed 1: ');
  expect(test.children[0].text).toContain(`replay: ${failure.replay}`);
  const properties = find(root, 'property').map(({ attributes }) => [attributes.name, attributes.value]);
  expect(Object.fromEntries(properties)).toMatchObject({ 'adapter.id': example.adapter.id, seed: '1' });
});

it('skips inconclusive cases, with the reason', () => {
  const root = parseXml(junitReport(example));
  const test = find(root, 'testcase').find(({ attributes }) => attributes.name === unsettled.case) as Element;
  expect(test.children[0]).toMatchObject({ name: 'skipped', attributes: { message: unsettled.reason } });
  expect(test.children[1].text).toContain(`replay: ${unsettled.replay}`);
});

it('never shows a run of nothing as passed', () => {
  const empty: Results = { ...example, cases: [], verdict: 'inconclusive', reason: 'Nothing ran.' };
  const root = parseXml(junitReport(empty));
  expect(root.attributes).toMatchObject({ tests: '1', failures: '0', skipped: '1' });
});

it('is well-formed whatever the texts hold', () => {
  const hostile = `]]>a]]>b<c d="e">&f;'\u0000\u0008\u001b\u0085\ufffe\uffff\ud800 \u{1f600}\r\n]]>`;
  const spoil = (result: CaseResult) => ({
    ...result,
    case: hostile,
    kernel: hostile,
    reason: hostile,
    replay: hostile,
    checks: result.checks.map((check) => ({ ...check, name: hostile, message: hostile })),
  });
  const text = junitReport({
    ...example,
    createdAt: hostile,
    command: hostile,
    reason: hostile,
    adapter: { ...example.adapter, id: hostile, name: hostile, features: [hostile] },
    cases: example.cases.map(spoil),
  });
  const root = parseXml(text);
  expect(root.attributes).toMatchObject({ tests: '21', failures: '3', skipped: '2' });
  expect(find(root, 'failure')[1].attributes.message).toMatch(/^]]>a]]>b<c d="e">&f;'\\u0000/);
});

it('is parsed by a reader that notices faults', () => {
  for (const bad of [
    '<a>',
    '<a></b>',
    '<a b="<"/>',
    '<a>&x;</a>',
    '<a>]]></a>',
    '<a/><b/>',
    '<a>\u0000</a>',
    '<a b="&#x0;"/>',
  ]) {
    expect(() => parseXml(bad), bad).toThrow();
  }
});
