import { lookFor } from '../pages/node/colors.ts';
import type { Table } from '../report/table.ts';
import { terminalTables } from '../report/terminal/table.ts';

/** Prints tables, one below the other. */
export function printTables(...tables: readonly Table[]): void {
  console.log(terminalTables(tables, lookFor(process.stdout)).trimEnd());
}
