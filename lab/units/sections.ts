import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FormatName } from './formats.ts';
import type { DrawKind } from './hash.ts';

interface Answered {
  readonly format: FormatName;
  readonly kind: DrawKind;
  /** The origin of the results: a kernel of units.cu, or a library call in collect.py. */
  readonly source: string;
}

/** Results of a kernel of units.cu, tile by tile. */
export interface UnitSection extends Answered {
  readonly part: 'units';
  readonly steps: number;
}

/** The first 64×64 entries of a library's product of rows×k by k×rows. */
export interface LibrarySection extends Answered {
  readonly part: 'library';
  readonly rows: number;
  readonly k: number;
  /** The type of its results. */
  readonly type: string;
}

export type ResultSection = UnitSection | LibrarySection;

/** A section as in index.json: the place of its words in the file of its format. */
export type IndexedSection = ResultSection & { readonly offset: number; readonly count: number };

/** The output of collect.py. */
export interface CollectedOutput {
  readonly info: { readonly device: string; readonly torch: string; readonly cuda: string };
  readonly sections: readonly IndexedSection[];
}

export const readIndex = (folder: string): CollectedOutput =>
  JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));

/** Reads all words of a format's file. */
export function readWords(folder: string, format: FormatName): Uint32Array {
  const bytes = gunzipSync(readFileSync(join(folder, `${format}.gz`)));
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
