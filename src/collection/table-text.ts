import { parseBlockName } from '../algorithms/algorithm.ts';
import { rational } from '../base/rational.ts';
import {
  type CollectionTable,
  type ExactTableProduct,
  type ExactTerm,
  makeSurd,
  multiplySurds,
  type Origin,
  origins,
  parseSurd,
} from './collected.ts';
import { tableUnreadable } from './messages.ts';

const HEAD = ['title', 'origin', 'source', 'licence', 'base'] as const;
type Head = Readonly<Record<(typeof HEAD)[number], string>>;

/** Most products of a table: no person or search has written a longer one. */
const MOST_PRODUCTS = 2048;
const MOST_SIZE = 16;

/**
 * Reads a table: lines `title: …`, `origin: …`, `source: …`, `licence: …` and `base: m k n`, then a line a product,
 *
 *     (A11 + 2*A12) * (B22 - 1/2*B21) -> C11 - C12
 *
 * with blocks as listings name them and factors as `3`, `1/2`, `√3` or `2√3/3`. It is not checked whether the table multiplies matrices.
 * @param name its name: that of its file without the extension.
 * @throws ParanoiaError `table-unreadable`, which names the line.
 */
export function parseTable(name: string, text: string): CollectionTable {
  const lines = text.split('\n').map((line) => line.trim());
  const refuse = (why: string): never => {
    throw tableUnreadable({ file: `${name}.txt`, why });
  };
  const head = headOf(lines.slice(0, HEAD.length), refuse);
  if (!Object.hasOwn(origins, head.origin))
    refuse(`its origin is "${head.origin}", expected one of ${Object.keys(origins).join(', ')}`);
  const [m, k, n, ...more] = head.base.split(' ').map(Number);
  if (more.length > 0 || ![m, k, n].every((size) => Number.isInteger(size) && size >= 1))
    refuse(`its base "${head.base}" is not three whole numbers from 1`);
  if (Math.max(m, k, n) > MOST_SIZE)
    refuse(`its base ⟨${m},${k},${n}⟩ is too large: the limit of a dimension is ${MOST_SIZE}`);
  const body = lines.slice(HEAD.length).filter((line) => line !== '');
  if (body.length === 0) refuse('it has no products');
  if (body.length > MOST_PRODUCTS) refuse(`it has ${body.length} products (limit ${MOST_PRODUCTS})`);
  const base = { m, k, n };
  const products = body.map((line) => {
    const read = productOf(line, base);
    return typeof read === 'string' ? refuse(`${read} in its product "${line}"`) : read;
  });
  const { title, source, licence } = head;
  return { name, title, origin: head.origin as Origin, source, licence, base, products };
}

function headOf(lines: readonly string[], refuse: (why: string) => never): Head {
  const entries = HEAD.map((key, at) => {
    const line = lines[at] ?? '';
    const value = line.startsWith(`${key}: `) ? line.slice(key.length + 2).trim() : '';
    return value === '' ? refuse(`line ${at + 1} must be "${key}: …"`) : [key, value];
  });
  return Object.fromEntries(entries);
}

/** @returns the product of a line, or its error. */
function productOf(line: string, { m, k, n }: CollectionTable['base']): ExactTableProduct | string {
  const [, left, right, target] = /^(.+?) \* (\(.*\)|[^()]*) -> (.+)$/.exec(line) ?? [];
  if (target === undefined) return 'expected "sum * sum -> sum"';
  const parts = { u: termsOf(left, 'A', m, k), v: termsOf(right, 'B', k, n), w: termsOf(target, 'C', m, n) };
  const wrong = Object.values(parts).find((part) => typeof part === 'string');
  return wrong === undefined ? (parts as ExactTableProduct) : (wrong as string);
}

const MINUS = makeSurd(rational(-1));

/** Returns the terms of `(A11 - 1/2*A12)`, or its error. */
function termsOf(text: string, matrix: string, rows: number, cols: number): ExactTerm[] | string {
  const pieces = text
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^(?![+-])/, '+')
    .split(/\s*([+-])\s*/);
  const terms: ExactTerm[] = [];
  for (let at = 1; at < pieces.length; at += 2) {
    const [, factor = '1', named] = /^(?:(\S+)\*)?([A-Z][\d,]+)$/.exec(pieces[at + 1]) ?? [];
    const size = parseSurd(factor);
    const block = named === undefined ? undefined : parseBlockName(named);
    if (size === undefined) return `unknown factor "${factor}"`;
    if (block?.matrix !== matrix || block.row >= rows || block.col >= cols || block.row < 0 || block.col < 0)
      return `${matrix} of ${rows}×${cols} blocks has no block "${pieces[at + 1]}"`;
    const place = block.row * cols + block.col;
    if (terms.some((term) => term.at === place)) return `${named} occurs twice in a sum`;
    terms.push({ factor: pieces[at] === '-' ? multiplySurds(MINUS, size) : size, at: place });
  }
  return terms.length === 0 ? `no block of ${matrix}` : terms;
}
