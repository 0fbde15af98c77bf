import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BASELINES_SCHEMA, type Baselines, baselines, noBaselines } from '../gate/baselines.ts';
import { problem } from '../problems.ts';
import { fileReason } from '../report/node/file-reason.ts';
import { ensureWritable, writeWhole } from '../report/node/write-report.ts';
import { firstFault, plainWords } from '../report/plain-words.ts';

/** The file of an adapter's baselines in a folder. */
export function baselineFile(folder: string, adapter: string): string {
  return join(folder, `${adapter}.json`);
}

/**
 * The baselines of an adapter; none where the file does not exist.
 * @throws Problem `bad-baselines` when it cannot be read, is no JSON, or is of another schema or adapter.
 */
export async function readBaselines(folder: string, adapter: string): Promise<Baselines> {
  const file = baselineFile(folder, adapter);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return noBaselines(adapter);
    throw problem('bad-baselines', { file, why: `it cannot be read (${fileReason(error)})` }, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw problem('bad-baselines', { file, why: `it is no JSON (${(error as Error).message})` }, error);
  }
  const schema = (value as { schema?: unknown } | null)?.schema;
  if (
    typeof schema === 'string' &&
    schema.startsWith('gemm-paranoia/baselines/') &&
    schema !== BASELINES_SCHEMA
  ) {
    throw problem('bad-baselines', {
      file,
      why: `its schema is ${schema}, this version reads ${BASELINES_SCHEMA}`,
    });
  }
  const read = baselines.safeParse(value, { error: plainWords });
  if (!read.success) {
    const fault = firstFault(read.error, value);
    const why = fault.startsWith('must') ? `its content ${fault}` : fault;
    throw problem('bad-baselines', { file, why }, read.error);
  }
  if (read.data.adapter !== adapter) {
    const why = `they are of another adapter (${read.data.adapter}, this one is ${adapter})`;
    throw problem('bad-baselines', { file, why });
  }
  return read.data;
}

/** Writes an adapter's baselines, whole or not at all. @throws Problem `report-unwritable` */
export async function writeBaselines(folder: string, value: Baselines): Promise<void> {
  await ensureWritable(folder);
  await writeWhole(baselineFile(folder, value.adapter), `${JSON.stringify(value, undefined, 1)}\n`);
}
