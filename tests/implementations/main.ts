import { readFileSync } from 'node:fs';
import { writeWhole } from '../../src/base/node/write-file.ts';
import { readResults } from '../../src/pages/read-results.ts';
import { comparison } from './comparison.ts';

/** Compares results of the same gate in several runtimes with the first, and writes the table to the report. */
const REPORT = 'reports/implementations/README.md';
const PLACE = /(?<=<!-- table -->\n)[\s\S]*(?=<!-- end of table -->)/;

const files = process.argv.slice(2);
const runs = files.map((file) => readResults(readFileSync(file, 'utf8'), file));
const text = readFileSync(REPORT, 'utf8');
writeWhole(
  REPORT,
  text.replace(PLACE, () => `\n${comparison(runs)}\n`),
);
