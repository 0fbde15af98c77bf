import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Fingerprint } from '../../device.ts';
import { fnv1a } from '../../fingerprint.ts';
import { tuningUnused, tuningUnwritable } from '../../messages.ts';
import { readCached, requireWritableCache, writeCached } from '../../node/cache.ts';
import { leaves } from '../../wgsl/leaves/leaves.ts';
import type { SizedRates, Tuning } from '../tuning.ts';

const schema = z.object({
  schema: z.literal('gemm-paranoia/tuning/1'),
  /** The version of this package and its leaf kernels. */
  version: z.string(),
  /** The id of the measured adapter, and its name. */
  adapter: z.string(),
  name: z.string(),
  measured: z.iso.datetime(),
  rates: z
    .array(z.object({ size: z.number().positive(), teraflops: z.record(z.string(), z.number().positive()) }))
    .min(1),
});

/** The cached tuning of an adapter, or the reason why there is none. */
export interface CachedTuning {
  readonly tuning?: Tuning;
  /** The reason why an existing file is not used, as a sentence. */
  readonly note?: string;
}

/** Reads the tuning of an adapter from the user's cache, written by `gemm-paranoia tune`. */
export function readTuning(adapter: Pick<Fingerprint, 'id'>): CachedTuning {
  const file = fileOf(adapter);
  const unused = (why: string): CachedTuning => ({ note: tuningUnused({ file, why }).message });
  let text: string | undefined;
  try {
    text = readCached(file);
  } catch (error) {
    return unused(`it cannot be read (${(error as Error).message})`);
  }
  if (text === undefined) return {};
  const read = schema.safeParse(parsed(text));
  if (!read.success) return unused('it is damaged');
  const { version, name, measured, rates } = read.data;
  if (read.data.adapter !== adapter.id) return unused(`it was measured on another adapter (${name})`);
  if (version !== versionNow()) return unused('another version of gemm-paranoia measured it');
  return {
    tuning: { because: `measurements on this adapter of ${measured.slice(0, 10)}`, cached: true, rates },
  };
}

/** Checks, before a measurement of minutes, that a tuning can be written. @throws ParanoiaError `tuning-unwritable` */
export function requireWritableTuning(): void {
  orUnwritable(requireWritableCache);
}

/** Writes the measured rates of an adapter to the user's cache. @returns the path. @throws ParanoiaError `tuning-unwritable` */
export function writeTuning(
  { id, name }: Pick<Fingerprint, 'id' | 'name'>,
  rates: readonly SizedRates[],
): string {
  const contents = { schema: 'gemm-paranoia/tuning/1', version: versionNow(), adapter: id, name };
  const text = JSON.stringify({ ...contents, measured: new Date().toISOString(), rates }, undefined, 1);
  return orUnwritable(() => writeCached(fileOf({ id }), `${text}\n`));
}

function orUnwritable<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw tuningUnwritable({ why: (error as Error).message }, error);
  }
}

const fileOf = ({ id }: Pick<Fingerprint, 'id'>) => `tuning-${id}.json`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the package's version: the rates of changed kernels are worthless. */
function versionNow(): string {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return `${version}-${fnv1a(leaves.map(({ name, what }) => `${name}: ${what}`).join()).toString(16)}`;
}
