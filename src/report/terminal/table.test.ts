import picocolors from 'picocolors';
import { expect, it } from 'vitest';
import {
  columnsOf,
  countCell,
  digitsCell,
  makeFactsTable,
  shareCell,
  type Table,
  tallyCell,
  tonedCell,
} from '../table.ts';
import { terminalTable, terminalTables } from './table.ts';
import { displayWidth, plainLook } from './text.ts';

const at = (width: number) => ({ ...plainLook, width });
const colored = { colors: picocolors.createColors(true), width: 80 };
const lines = (table: Table, width = 80) => terminalTable(table, at(width));

const errors: Table = {
  title: 'Errors',
  columns: [...columnsOf('text', 'kernel'), ...columnsOf('number', 'fail', 'of bound', 'bits')],
  rows: [
    ['行列', tallyCell(0, 'bad'), shareCell(0.0134), digitsCell(23.456)],
    ['strassen:register', tallyCell(2, 'bad'), shareCell(1.8412), digitsCell('NaN')],
  ],
};

it('aligns words left and numbers right, wide characters and colours aside', () => {
  expect(lines(errors)).toEqual([
    'Errors',
    'kernel             fail  of bound  bits',
    '行列                  0     1.3 %  23.5',
    'strassen:register     2   184.1 %   NaN',
  ]);
  const painted = terminalTable(errors, colored);
  expect(painted[3]).toContain('\x1b[31m2\x1b[39m');
  expect(painted.map(displayWidth)).toEqual(lines(errors).map(displayWidth));
});

it('breaks words into lines where it is too wide, the widest column first, and loses none', () => {
  const text = 'a reason of many words that goes on and on';
  const table: Table = {
    title: '',
    columns: [...columnsOf('text', 'name', 'why'), ...columnsOf('number', 'n')],
    rows: [[`kernel-${'x'.repeat(30)}`, text, countCell(7)]],
  };
  const narrow = lines(table, 50);
  for (const line of narrow) expect(displayWidth(line)).toBeLessThanOrEqual(50);
  expect(narrow.length).toBeGreaterThan(2);
  const column = (from: number, to: number) => narrow.map((line) => line.slice(from, to).trim()).join(' ');
  const why = narrow[0].indexOf('why');
  expect(column(why, narrow[0].lastIndexOf('n') - 2)).toContain(text);
  expect(column(0, why).replaceAll(' ', '')).toContain('x'.repeat(30));
});

it('puts codes below their rows where they do not fit, whole, to be copied', () => {
  const replay = `npx gemm-paranoia gate --case '${'m=1;'.repeat(40)}'`;
  const table: Table = {
    title: '',
    columns: [...columnsOf('number', 'cases'), ...columnsOf('text', 'why'), ...columnsOf('code', 'replay')],
    rows: [[countCell(2), 'too large', replay]],
  };
  expect(lines(table, 60)).toEqual(['cases  why', '    2  too large', `  replay: ${replay}`]);
  expect(lines(table, 300)).toEqual([
    expect.stringMatching(/^cases {2}why {8}replay$/),
    `    2  too large  ${replay}`,
  ]);
});

it('puts columns below one another where no width would do, each block with the first', () => {
  const many = columnsOf('number', ...Array.from({ length: 9 }, (_, i) => `column${i}`));
  const table: Table = {
    title: '',
    columns: [...columnsOf('text', 'kernel'), ...many, ...columnsOf('code', 'replay')],
    rows: ['naive', 'tiled'].map((name) => [name, ...many.map((_, i) => countCell(i)), `again ${name}`]),
  };
  expect(lines(table, 48)).toEqual([
    'kernel  column0  column1  column2  column3',
    'naive         0        1        2        3',
    'tiled         0        1        2        3',
    'kernel  column4  column5  column6  column7',
    'naive         4        5        6        7',
    'tiled         4        5        6        7',
    'kernel  column8',
    'naive         8',
    '  replay: again naive',
    'tiled         8',
    '  replay: again tiled',
  ]);
});

it('shows names and values without headings, what belongs to a value below it, and notes line by line', () => {
  const facts = makeFactsTable('', [
    ['driver', 'x'],
    ['absent', undefined],
    ['measured', { ...tonedCell('4.1e-8', 'bad'), under: 'printed 3.3e-8' }],
  ]);
  expect(lines({ ...facts, note: 'one\ntwo' })).toEqual([
    'driver    x',
    'measured  4.1e-8',
    '          printed 3.3e-8',
    'one',
    'two',
  ]);
  expect(terminalTables([facts, { ...facts, rows: [] }, facts], at(80)).split('\n\n')).toHaveLength(2);
});

it('lets no text steer the terminal, wherever it stands', () => {
  const hostile = '\x1b[2J\u202eevil\x07\r\nx';
  const table: Table = {
    title: hostile,
    columns: [...columnsOf('text', 'a', 'b'), ...columnsOf('code', 'c')],
    rows: [[hostile, { ...tonedCell(hostile, undefined), under: hostile }, hostile]],
    note: hostile,
  };
  for (const width of [300, 60, 20]) {
    const text = lines(table, width).join('\n');
    expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    expect(text).toContain('\\u202e');
  }
});
