import { z } from 'zod';
import { fileReason } from '../../base/node/file-reason.ts';
import { readText } from '../../base/node/read-file.ts';
import { describeFirstIssue, describeIssue } from '../../base/plain-words.ts';
import { renameKeys } from '../../base/rename-keys.ts';
import { type Inspection, inspection } from '../../inspect/inspection.ts';
import { badResults } from '../../pages/messages.ts';
import { inspectionRenames } from '../../run/earlier-results.ts';
import type { Results } from '../../run/results.ts';

/** The schema of the output of `inspect --json`. */
const printed = z.object({ adapter: z.object({ id: z.string() }), inspections: z.array(inspection) });

/**
 * Reads the inspections in a file that `inspect --json` wrote for the adapter of a run, this version's or an earlier one's.
 * @throws ParanoiaError `bad-results` for another kind of file, or another adapter
 */
export function readInspections(file: string, { adapter }: Results): Inspection[] {
  const refuse = (why: string, cause?: unknown) =>
    badResults({ where: file, why: `as inspections, ${why}` }, cause);
  let value: unknown;
  try {
    value = JSON.parse(readText(file));
  } catch (error) {
    throw refuse(error instanceof SyntaxError ? 'it is not JSON' : fileReason(error), error);
  }
  renameKeys(value, { 'inspections[]': inspectionRenames });
  const read = printed.safeParse(value, { error: describeIssue });
  if (!read.success) throw refuse(describeFirstIssue(read.error, value), read.error);
  if (read.data.adapter.id !== adapter.id)
    throw refuse(`its adapter is ${read.data.adapter.id}, but that of the results is ${adapter.id}`);
  return read.data.inspections;
}
