import { isRecord, lookUp } from '../../base/objects.ts';
import type { Shape } from '../../matrix/dense.ts';
import type { AcceptedProducts } from '../claim-records.ts';
import type { Claims } from '../claims.ts';

/** The header of a WGSL source: comment lines of a name, a colon and a value that say how to run it. */
export interface WgslHeader {
  /** Rows and columns of C per workgroup: `// tile: 64x32`. */
  readonly tile?: WgslTile;
  /** Number of workgroups of a product, along x, y and z: `// workgroups: n/64 m/32`. */
  readonly workgroups?: (shape: Shape) => readonly number[];
  /** Its precision: `// precision: f16`. */
  readonly precision?: string;
  /** The entry point: `// entry: main`. */
  readonly entry?: string;
  /** Bindings of group 0: `// bindings: a=0 b=1 c=2 sizes=3`. */
  readonly bindings?: HeaderBindings;
  /** Its claims and accepted products, unchecked: `// claims.order: pairwise`, `// accepts.sizes: m=1..64`. */
  readonly said: { readonly claims?: Claims; readonly accepts?: AcceptedProducts };
  /** The first line that cannot be read, as a clause. */
  readonly wrong?: string;
}

export interface WgslTile {
  readonly rows: number;
  readonly cols: number;
}

export interface HeaderBindings {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly sizes?: number;
}

type HeaderKey = Exclude<keyof WgslHeader, 'said' | 'wrong'>;

const LINE =
  /^[ \t]*\/\/[ \t]*(tile|workgroups|precision|entry|bindings|(?:claims|accepts)(?:\.\w{1,40}){1,6}):[ \t]*(\S[^\r\n]*)$/gm;

/** An example of each line, and its parser, which returns undefined for a wrong line. */
const readers: Readonly<
  Record<HeaderKey, { readonly like: string; readonly read: (text: string) => unknown }>
> = {
  tile: { like: '64x32', read: tileIn },
  workgroups: { like: 'n/64 m/32', read: workgroupsIn },
  precision: { like: 'f32', read: (text) => /^[\w-]{1,20}$/.exec(text)?.[0] },
  entry: { like: 'main', read: (text) => /^\w{1,100}$/.exec(text)?.[0] },
  bindings: { like: 'a=0 b=1 c=2 sizes=3', read: bindingsIn },
};

/** Reads the header of a source; the first line of each name counts. */
export function wgslHeader(source: string): WgslHeader {
  const said: Loose = Object.create(null);
  const found: Record<string, unknown> & Pick<WgslHeader, 'said'> = { said };
  for (const [, name, text] of source.matchAll(LINE)) {
    if (name.includes('.')) {
      if (text.length > LONGEST) found.wrong ??= `has more than ${LONGEST} characters in the line "${name}"`;
      else say(said, name.split('.'), text.trim());
      continue;
    }
    const key = name as HeaderKey;
    const { like, read } = readers[key];
    const value = read(text.trim());
    if (value === undefined)
      found.wrong ??= `has the line "${key}: ${text.trim().slice(0, 60)}", expected one like "${key}: ${like}"`;
    else found[key] ??= value;
  }
  return found;
}

/** The most characters of a value, since the text may be untrusted. */
const LONGEST = 300;

type Loose = Readonly<Record<string, unknown>>;

/** Sets the value of a line, unless an earlier line has, in an object without a prototype. */
function say(at: Loose, [key, ...path]: readonly string[], text: string): void {
  const before = lookUp(at, key);
  if (path.length === 0) {
    if (before === undefined) Object.assign(at, { [key]: valueIn(text) });
    return;
  }
  const within = before ?? Object.create(null);
  if (!isRecord(within)) return;
  say(within, path, text);
  Object.assign(at, { [key]: within });
}

/** Reads a word, a number, true or false, or a list of words with commas. */
function valueIn(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return Number(text);
  return /^\w+(\s*,\s*\w+)+$/.test(text) ? text.split(/\s*,\s*/) : text;
}

function tileIn(text: string): WgslTile | undefined {
  const found = /^(\d{1,5})\s*[x×]\s*(\d{1,5})$/.exec(text);
  return found === null ? undefined : { rows: Number(found[1]), cols: Number(found[2]) };
}

/** A count: a number, a size, or sizes multiplied, divided by a number and rounded up: `4`, `n`, `m*n/256`. */
const COUNT = /^(?:(?<number>\d{1,5})|(?<sizes>[mkn](?:\*[mkn]){0,2})(?:\/(?<by>[1-9]\d{0,8}))?)$/;

function workgroupsIn(text: string): WgslHeader['workgroups'] | undefined {
  const parts = text.split(/[\s,]+/).map((part) => COUNT.exec(part)?.groups);
  if (parts.length > 3 || !parts.every((part) => part !== undefined)) return undefined;
  return (shape) =>
    parts.map(({ number, sizes, by = '1' }) => {
      if (number !== undefined) return Number(number);
      const product = sizes.split('*').reduce((all, key) => all * shape[key as keyof Shape], 1);
      return Math.ceil(product / Number(by));
    });
}

function bindingsIn(text: string): HeaderBindings | undefined {
  const parts = text.split(/[\s,]+/).map((part) => /^(a|b|c|sizes)=(\d{1,3})$/.exec(part));
  if (!parts.every((part) => part !== null)) return undefined;
  const said = Object.fromEntries(parts.map(([, name, at]) => [name, Number(at)]));
  const isWhole =
    (['a', 'b', 'c'] as const).every((name) => name in said) &&
    new Set(Object.values(said)).size === parts.length;
  return isWhole
    ? { a: said.a, b: said.b, c: said.c, ...('sizes' in said ? { sizes: said.sizes } : {}) }
    : undefined;
}
