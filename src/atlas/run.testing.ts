import { readFileSync } from 'node:fs';
import { readResults } from '../pages/read-results.ts';
import type { Results } from '../run/results.ts';
import type { AtlasEntry } from './entry.ts';
import { makeStatement } from './make-entry.ts';
import { addHash } from './node/store.ts';

/** Returns a copy of a published run of the gate: TensorFlow.js on WebGPU, which fails 6 of 181 cases. */
export const publishedRun = (): Results => structuredClone(RUN);

/** Its path from the root of the repository. */
export const PUBLISHED = 'reports/clients/tfjs-webgpu/results.json';
const RUN = readResults(readFileSync(new URL(`../../${PUBLISHED}`, import.meta.url), 'utf8'), PUBLISHED);

const entryOfRun = (results: Results): AtlasEntry =>
  addHash(makeStatement(results, { raw: { bytes: 1, sha256: 'of nothing' } }));
const ENTRY = entryOfRun(publishedRun());

/** Makes the entry of a run, or a copy of the entry of the published run. */
export const makeTestEntry = (results?: Results): AtlasEntry =>
  results === undefined ? structuredClone(ENTRY) : entryOfRun(results);
