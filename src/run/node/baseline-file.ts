import { join } from 'node:path';
import { fileReason, readText } from '../../base/node/read-file.ts';
import { ensureWritable, writeWhole } from '../../base/node/write-file.ts';
import { describeFirstIssue, describeIssue } from '../../base/plain-words.ts';
import { BASELINES_SCHEMA, type Baselines, baselines, noBaselines } from '../baselines.ts';
import { badBaselines } from '../messages.ts';

/** Returns the path of an adapter's baseline file in a folder. */
export function baselineFile(folder: string, adapter: string): string {
  return join(folder, `${adapter}.json`);
}

/**
 * Reads the baselines of an adapter. They are empty where the file does not exist.
 * @throws ParanoiaError `bad-baselines` if it cannot be read, is not JSON, or has another schema or adapter.
 */
export async function readBaselines(folder: string, adapter: string): Promise<Baselines> {
  const file = baselineFile(folder, adapter);
  let text: string;
  try {
    text = readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return noBaselines(adapter);
    throw badBaselines({ file, why: `it cannot be read (${fileReason(error)})` }, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badBaselines({ file, why: `it is not JSON (${(error as Error).message})` }, error);
  }
  const schema = (value as { schema?: unknown } | null)?.schema;
  if (
    typeof schema === 'string' &&
    schema.startsWith('gemm-paranoia/baselines/') &&
    schema !== BASELINES_SCHEMA
  ) {
    throw badBaselines({
      file,
      why: `its schema is ${schema}, this version reads ${BASELINES_SCHEMA}`,
    });
  }
  const read = baselines.safeParse(value, { error: describeIssue });
  if (!read.success) {
    const fault = describeFirstIssue(read.error, value);
    const why = fault.startsWith('must') ? `its content ${fault}` : fault;
    throw badBaselines({ file, why }, read.error);
  }
  if (read.data.adapter !== adapter) {
    const why = `they were recorded on another adapter (${read.data.adapter}; this one is ${adapter})`;
    throw badBaselines({ file, why });
  }
  return read.data;
}

/** Writes an adapter's baselines atomically. @throws ParanoiaError `report-unwritable` */
export async function writeBaselines(folder: string, value: Baselines): Promise<void> {
  ensureWritable(folder);
  writeWhole(baselineFile(folder, value.adapter), `${JSON.stringify(value, undefined, 1)}\n`);
}
