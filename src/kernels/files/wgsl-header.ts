import type { Shape } from '../../matrix/dense.ts';

/** What lines of comment in a source of WGSL say of how it is run: a name, a colon, a value. */
export interface WgslHeader {
  /** Rows and columns of C that a workgroup computes: `// tile: 64x32`. */
  readonly tile?: Tile;
  /** How many workgroups a product takes, along x, y and z: `// workgroups: n/64 m/32`. */
  readonly workgroups?: (shape: Shape) => readonly number[];
  /** What it computes in: `// precision: f16`. */
  readonly precision?: string;
  /** The function that is dispatched: `// entry: main`. */
  readonly entry?: string;
  /** Bindings of group 0: `// bindings: a=0 b=1 c=2 sizes=3`. */
  readonly bindings?: HeaderBindings;
  /** What is said and cannot be read, as a clause. */
  readonly wrong?: string;
}

export interface Tile {
  readonly rows: number;
  readonly cols: number;
}

export interface HeaderBindings {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly sizes?: number;
}

type HeaderKey = Exclude<keyof WgslHeader, 'wrong'>;

const LINE = /^[ \t]*\/\/[ \t]*(tile|workgroups|precision|entry|bindings):[ \t]*(\S[^\r\n]*)$/gm;

/** What each line is to look like, and what it is read as; undefined where it does not. */
const readers: Readonly<
  Record<HeaderKey, { readonly like: string; readonly read: (text: string) => unknown }>
> = {
  tile: { like: '64x32', read: tileIn },
  workgroups: { like: 'n/64 m/32', read: workgroupsIn },
  precision: { like: 'f32', read: (text) => /^[\w-]{1,20}$/.exec(text)?.[0] },
  entry: { like: 'main', read: (text) => /^\w{1,100}$/.exec(text)?.[0] },
  bindings: { like: 'a=0 b=1 c=2 sizes=3', read: bindingsIn },
};

/** Reads the header of a source: of each line the first. */
export function wgslHeader(source: string): WgslHeader {
  const found: Record<string, unknown> = {};
  for (const [, name, text] of source.matchAll(LINE)) {
    const key = name as HeaderKey;
    const { like, read } = readers[key];
    const value = read(text.trim());
    if (value === undefined)
      found.wrong ??= `says "${key}: ${text.trim().slice(0, 60)}", which is to be like "${key}: ${like}"`;
    else found[key] ??= value;
  }
  return found;
}

function tileIn(text: string): Tile | undefined {
  const found = /^(\d{1,5})\s*[x×]\s*(\d{1,5})$/.exec(text);
  return found === null ? undefined : { rows: Number(found[1]), cols: Number(found[2]) };
}

/** A number, a size, or sizes multiplied, divided by a number and rounded up: `4`, `n`, `m*n/256`. */
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
