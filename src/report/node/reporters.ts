import picocolors from 'picocolors';
import type { Results } from '../../gate/results.ts';
import { problem } from '../../problems.ts';
import { jsonReport } from '../json.ts';
import { markdownReport } from '../markdown.ts';
import { DEFAULT_WIDTH } from '../progress.ts';
import { tableReport } from '../table.ts';
import { junitReport } from './junit.ts';

/** A report that can be written to a file. */
export interface Reporter {
  readonly name: string;
  /** The file's name in the folder of reports. */
  readonly file: string;
  readonly render: (results: Results) => string;
}

const plain = { colors: picocolors.createColors(false), width: DEFAULT_WIDTH };

/** Every reporter, by the name that options use. */
export const reporters: readonly Reporter[] = [
  { name: 'table', file: 'results.txt', render: (results) => tableReport(results, plain) },
  { name: 'json', file: 'results.json', render: jsonReport },
  { name: 'junit', file: 'junit.xml', render: junitReport },
  { name: 'markdown', file: 'summary.md', render: markdownReport },
];

/** The reporter of a name. @throws Problem `unknown-name` when there is none. */
export function findReporter(name: string): Reporter {
  const found = reporters.find((reporter) => reporter.name === name);
  if (found !== undefined) return found;
  throw problem('unknown-name', { what: 'reporter', given: name, known: reporters.map((r) => r.name) });
}
