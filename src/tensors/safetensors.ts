import * as z from 'zod/mini';
import { lookUp } from '../base/objects.ts';
import { arrayOf, type StoredBytes } from '../base/stored-bytes.ts';
import { dtypes } from './dtypes.ts';
import { tensorUnreadable } from './messages.ts';
import { countOf, type StoredTensor } from './tensor.ts';

/**
 * The .safetensors format: the length of the header in 8 bytes, little-endian; the header, a JSON object of dtype, shape and offsets a
 * tensor; the entries, little-endian and row-major (Hugging Face, safetensors, "Format").
 */

/** The longest header that the format allows, in bytes. */
const LONGEST_HEADER = 100_000_000;

const size = z.int().check(z.gte(0));
const entry = z.object({ dtype: z.string(), shape: z.array(size), data_offsets: z.tuple([size, size]) });

/** True if bytes begin as a .safetensors file does. */
export function isSafetensors(bytes: StoredBytes): boolean {
  const length = headerLength(bytes);
  return length !== undefined && length <= bytes.size - 8 && arrayOf(bytes, 8, 1)[0] === '{'.charCodeAt(0);
}

function headerLength(bytes: StoredBytes): number | undefined {
  if (bytes.size < 9) return undefined;
  const { buffer, byteOffset } = arrayOf(bytes, 0, 8);
  const length = Number(new DataView(buffer, byteOffset, 8).getBigUint64(0, true));
  return length <= LONGEST_HEADER ? length : undefined;
}

/** Finds a tensor by name. @throws ParanoiaError `tensor-unreadable` */
export function findInSafetensors(
  bytes: StoredBytes,
  file: string,
  member: string | undefined,
): StoredTensor {
  const unreadable = (why: string, next?: string) => tensorUnreadable({ file, why, next });
  const end = 8 + (headerLength(bytes) ?? 0);
  const header = jsonOf(arrayOf(bytes, 8, end - 8));
  if (header === undefined)
    throw unreadable('its header is no JSON object', 'Save it again with safetensors');
  const names = Object.keys(header).filter((name) => name !== '__metadata__');
  const name = memberOf(names, member, file);
  const found = entry.safeParse(lookUp(header, name));
  if (!found.success) throw unreadable(`the header of its tensor ${name} is not valid`);
  const { dtype: typeName, shape, data_offsets } = found.data;
  const dtype = dtypes.items.find(({ safetensors }) => safetensors === typeName);
  if (dtype === undefined) {
    const known = dtypes.items.map(({ safetensors }) => safetensors).join(', ');
    throw unreadable(`its tensor ${name} has dtype ${typeName}`, `Convert it to one of ${known}`);
  }
  const [from, to] = data_offsets.map((offset) => end + offset);
  if (to > bytes.size) throw unreadable('it is cut short', 'Copy it again');
  if (to - from !== countOf(shape) * dtype.bytes)
    throw unreadable(`its tensor ${name} has ${to - from} bytes, not those of shape ${shape.join('×')}`);
  return { file, bytes, dtype, shape, from };
}

function jsonOf(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Most names that a message lists. */
const LISTED = 8;

/** Returns the name of a member: the one given, or the only one. @throws ParanoiaError `tensor-unreadable` */
export function memberOf(names: readonly string[], member: string | undefined, file: string): string {
  if (member === undefined && names.length === 1) return names[0];
  if (member !== undefined && names.includes(member)) return member;
  const listed = names.slice(0, LISTED).join(', ') + (names.length > LISTED ? ', …' : '');
  const why =
    names.length === 0
      ? 'it holds no tensor'
      : member === undefined
        ? `it holds ${names.length} tensors: ${listed}`
        : `it has no tensor ${member}, but ${listed}`;
  throw tensorUnreadable({ file, why, next: names.length === 0 ? undefined : 'Name one as file#tensor' });
}
