import { canonicalText } from '../base/canonical.ts';
import { catchParanoiaError, ParanoiaError } from '../base/errors.ts';
import { type KeyRenames, renameKeys } from '../base/objects.ts';
import { describeFirstIssue, describeIssue } from '../base/plain-words.ts';
import { toOneLine } from '../base/printable.ts';
import { parseCase } from '../problem/case.ts';
import { type AtlasEntry, ENTRY_SCHEMA, entry, LARGEST_ENTRY } from './entry.ts';
import { badEntry, newerEntry } from './messages.ts';

/** The most characters of a text that a message quotes. */
const LONGEST = 200;

/** An entry, and the text that its hash is of. */
export interface ParsedEntry {
  readonly entry: AtlasEntry;
  /** The canonical text of all other fields, as the file has them. */
  readonly hashed: string;
}

/**
 * Reads the text of an entry, without checking its hash. An entry of the schema before becomes one of this schema, with its old hash.
 * @throws ParanoiaError `bad-entry`, `newer-entry`
 */
export function readEntry(text: string, file: string): ParsedEntry {
  if (text.length > LARGEST_ENTRY)
    throw badEntry({
      file,
      why: `it has ${text.length} characters (limit ${LARGEST_ENTRY})`,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badEntry({ file, why: `it is not JSON (${(error as Error).message})` }, error);
  }
  const { schema } = (value ?? {}) as { schema?: unknown };
  const [, major] = /^gemm-paranoia\/atlas\/(\d+)$/.exec(String(schema)) ?? [];
  if (Number(major) > Number(ENTRY_SCHEMA.split('/')[2]))
    throw newerEntry({ file, schema: String(schema), reads: ENTRY_SCHEMA });
  const hashed = canonicalText({ ...(value as object), hash: undefined });
  if (schema === EARLIER_ENTRY_SCHEMA) upgradeEntry(value as object);
  const read = entry.safeParse(value, { error: describeIssue });
  if (!read.success) throw badEntry({ file, why: describeFirstIssue(read.error, value) }, read.error);
  // Unknown keys would be hashed when written, but not when read.
  if (canonicalText(read.data) !== canonicalText(value))
    throw badEntry({ file, why: `it has keys that ${schema} does not define` });
  const unread = unreadCase(read.data);
  if (unread !== undefined) throw badEntry({ file, why: `"${toOneLine(unread, LONGEST)}" is not a case` });
  return { entry: read.data, hashed };
}

/** The first text that is no case of a kernel: pages parse all of them. */
function unreadCase({ kernels }: AtlasEntry): string | undefined {
  const texts = kernels.flatMap(({ cases }) => cases.map((row) => row.case));
  return texts.find((text) => catchParanoiaError(() => parseCase(text)) instanceof ParanoiaError);
}

/** The id of the schema before {@link ENTRY_SCHEMA}. Its entries differ in the names of keys alone. */
export const EARLIER_ENTRY_SCHEMA = 'gemm-paranoia/atlas/1';

/** The new names of the keys of an earlier entry. */
const entryRenames: KeyRenames = {
  'kernels[].cases[]': { failing: 'failedChecks', mirror: 'equalsModel', checked: 'checkedShare' },
  'kernels[].counts': { mirrored: 'comparedWithModel', mirrorEqual: 'equalToModel' },
  'kernels[]': { shown: 'findings', disproved: 'contradictions' },
  arithmetic: { modelled: 'modeled' },
  run: { leftOut: 'skipped' },
  '': { said: 'description' },
};

/** Turns the parsed JSON of an earlier entry into that of {@link ENTRY_SCHEMA}, in place. Its hash stays that of the earlier text. */
function upgradeEntry(value: { schema?: unknown }): void {
  renameKeys(value, entryRenames);
  value.schema = ENTRY_SCHEMA;
}
