import { z } from 'zod';
import { results } from '../run/results.ts';
import { judgment } from './judgment.ts';

/** The id of the JSON Schema of the results file; its last part is the major version. */
export const RESULTS_SCHEMA_ID = 'urn:gemm-paranoia:results:3';

/**
 * Returns the JSON Schema of the results file, which ships as `share/schemas/results.schema.json`. Unknown keys are allowed: a later
 * version may add some without a new major version.
 */
export function resultsJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(results, { io: 'input' });
  const about = 'The cases of a run of gemm-paranoia, its device and its verdict.';
  return { $schema, $id: RESULTS_SCHEMA_ID, title: 'gemm-paranoia results', description: about, ...rest };
}

/** The id of the JSON Schema of the output of `judge`; its last part is the major version. */
export const JUDGMENT_SCHEMA_ID = 'urn:gemm-paranoia:judgment:1';

/** Returns the JSON Schema of the output of `judge`, which ships as `share/schemas/judgment.schema.json`. */
export function judgmentJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(judgment, { io: 'input' });
  const about = 'The verdict of gemm-paranoia on one untrusted kernel.';
  return { $schema, $id: JUDGMENT_SCHEMA_ID, title: 'gemm-paranoia judgment', description: about, ...rest };
}
