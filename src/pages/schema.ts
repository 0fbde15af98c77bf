import { z } from 'zod';
import { results } from '../run/results.ts';

/** Identifies the JSON Schema of the results file; its last part is the major version. */
export const RESULTS_SCHEMA_ID = 'urn:gemm-paranoia:results:1';

/**
 * The JSON Schema of the results file, which ships as `schemas/results.schema.json`. Keys it does not know are
 * allowed: a later version may add some without a new major version.
 */
export function resultsJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(results, { io: 'input' });
  const about = 'What a run of gemm-paranoia computed, on what device, and what came of it.';
  return { $schema, $id: RESULTS_SCHEMA_ID, title: 'gemm-paranoia results', description: about, ...rest };
}
