import { EXIT } from '../../src/base/errors.ts';
import { printTables } from '../../src/cli/print-tables.ts';
import { createStopper } from '../../src/cli/stopper.ts';
import { columnsOf, countCell, type Table } from '../../src/report/table.ts';
import { type PowerFault, powerGroups } from './faults.ts';
import { measurePower, type PowerCell } from './measure.ts';

/** Prints the smallest faults that are detected. @returns the exit code */
export async function runPower({ json }: { readonly json?: true | undefined }): Promise<number> {
  const stop = createStopper(undefined);
  try {
    const cells = await measurePower({ stop: stop.asked });
    if (json === true) console.log(JSON.stringify({ cells }, undefined, 2));
    else {
      console.log(HEAD);
      printTables(...powerTables(cells));
    }
    return stop.asked() ? EXIT.inconclusive : EXIT.pass;
  } finally {
    stop.release();
  }
}

const HEAD = `Smallest faults that the checks of the gate detect in one product of m×k×n, by k and m·n: on uniform entries alone, and on any
input of the default gate. A fault is detected if it fails with each of three seeds (above 2^18 multiplications: one seed).
`;

/** A table for each fault: k in rows, entries of C in columns, for uniform entries and over the gate's families. */
export function powerTables(cells: readonly PowerCell[]): Table[] {
  return powerGroups
    .flatMap(({ faults }) => faults)
    .filter(({ name }) => cells.some(({ fault }) => fault === name))
    .map((fault) => tableOf(fault, cells));
}

function tableOf({ name, what }: PowerFault, all: readonly PowerCell[]): Table {
  const cells = all.filter(({ fault }) => fault === name);
  const unique = (of: 'k' | 'entries') => [...new Set(cells.map((cell) => cell[of]))];
  const columns = (['uniform', 'gate'] as const).flatMap((inputs) =>
    unique('entries').map((entries) => ({ inputs, entries })),
  );
  return {
    title: `${name}: ${what}`,
    columns: [
      ...columnsOf('number', 'k'),
      ...columns.flatMap(({ inputs, entries }) => columnsOf('number', `${inputs} ${entries}`)),
    ],
    rows: unique('k').map((k) => [
      countCell(k),
      ...columns.map(
        (column) =>
          cells.find(
            (cell) => cell.k === k && cell.entries === column.entries && cell.inputs === column.inputs,
          )?.said ?? '-',
      ),
    ]),
  };
}
