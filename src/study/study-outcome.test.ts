import { expect, test } from 'vitest';
import { formatCase } from '../problem/case.ts';
import { reportedFields } from '../problem/schema.ts';
import { judgeCellPlan } from './judged-cells.ts';
import { measuredProduct } from './measured-product.ts';
import { strassen2011 } from './papers/strassen-2011.ts';
import { errors2011 } from './papers/strassen-2011-errors.ts';
import { listStudyProducts } from './run-study.ts';
import type { CellPlan, ErrorStudy, StudyProduct } from './study.ts';
import { decideStudyOutcome } from './study-outcome.ts';

const allCells = errors2011.cells({ pairs: 2 });
const cellsOf = (...figures: string[]) => allCells.filter(({ figure }) => figures.includes(figure));
const is = (figure: string, row: string, column: string) => (cell: CellPlan) =>
  cell.figure === figure && cell.row === row && cell.column === column;

/** Makes a measurement of every product that equals the published maximum and mean of one of its cells. */
function asPrinted(cells: readonly CellPlan[]) {
  const reading = (product: StudyProduct, which: 'max' | 'mean') => {
    const served = cells.find(
      ({ reading, products }) =>
        reading === which && products.some((one) => formatCase(one.case) === formatCase(product.case)),
    );
    return served?.misprint?.meant ?? served?.published ?? 1;
  };
  return cells.flatMap((cell) =>
    cell.products.map((product) => {
      const about = reportedFields(product.case);
      const facts = {
        ...{ ...about, series: false, levelsUsed: about.levels },
        ...{ algorithm: 'strassen', leaf: 'register' },
      };
      const readings = { max: reading(product, 'max'), mean: reading(product, 'mean') };
      return measuredProduct.parse({ facts, readings, unwritten: 0 });
    }),
  );
}

interface Change {
  readonly errors?: Partial<ErrorStudy>;
  readonly only?: (key: string) => boolean;
  readonly shrink?: number;
  readonly change?: (made: ReturnType<typeof asPrinted>[number]) => void;
}

function outcome(cells: readonly CellPlan[], { errors = {}, only, shrink = 1, change }: Change = {}) {
  const record = { ...errors2011, pairs: 2, counts: () => [], ...errors };
  const made = asPrinted(cells).filter(({ facts }) => only?.(facts.case) ?? true);
  for (const one of made) change?.(one);
  const finished = new Map(made.map((one) => [one.facts.case, one]));
  return decideStudyOutcome({
    study: strassen2011,
    errors: record,
    cells: cells.map((cell) => judgeCellPlan(cell, record, { finished, whyNot: () => 'Too large.', shrink })),
    products: listStudyProducts(cells),
    finished,
    stopped: undefined,
    seconds: 1,
    replay: () => 'measure',
  });
}

const strassenAt8192 = cellsOf('Figure 30').filter(is('Figure 30', 'strassen, τ₂ = 4096', 'n = 8192'));

test('cells that come out as printed pass, with their products', () => {
  const { verdict, summary, study, cases } = outcome(cellsOf('Figure 32', 'Figure 34', 'Figure 43'));
  expect({ verdict, ...summary }).toMatchObject({ verdict: 'pass', planned: 12, pass: 12, run: 12 });
  expect(cases[0].checks.map(({ name }) => name)).toEqual(['complete', 'published']);
  const misprinted = study.cells.find(is('Figure 34', 'strassen', 'level 0') as never);
  expect(misprinted).toMatchObject({ published: 6.6e-8, measured: 3.3e-8, status: 'close', ratio: 0.5 });
  expect(misprinted?.note).toContain('Figure 34 has 6.6e-8');
});

test('a departing cell fails, and with a written reason is inconclusive; either way it says how far', () => {
  const change: Change['change'] = ({ readings }) => {
    readings.max = 2 * 1.5e-3;
  };
  const failed = outcome(strassenAt8192, { change });
  expect(failed.verdict).toBe('fail');
  expect(failed.reason).toContain('Figure 30, strassen, τ₂ = 4096, n = 8192');
  expect(failed.cases[0].verdict).toBe('fail');
  expect(failed.study.cells[0]).toMatchObject({ status: 'departs', ratio: 2 });
  expect(failed.study.cells[0].note).toContain('2.00 times');
  const reasons = { 'Figure 30/strassen, τ₂ = 4096/n = 8192': 'Moonlight.' };
  const explained = outcome(strassenAt8192, { change, errors: { reasons } });
  expect(explained.verdict).toBe('inconclusive');
  expect(explained.cases[0].verdict).toBe('inconclusive');
  expect(explained.study.cells[0].note).toMatch(/2.00 times.*Moonlight\.$/);
});

test('what was not measured is no pass', () => {
  const { verdict, reason, study, cases } = outcome(cellsOf('Figure 32'), {
    only: (key) => !key.includes('winograd'),
  });
  expect(verdict).toBe('inconclusive');
  expect(reason).toContain('4 of 10 published cells were not measured');
  expect(study.cells.at(-1)).toMatchObject({ status: 'not-measured', note: 'Too large.' });
  expect(cases).toHaveLength(5);
});

test('a table over random pairs takes the largest maximum and the mean of means, and waits for all pairs', () => {
  const cells = cellsOf('Figure 44').filter(({ column }) => column === 'dStrassen');
  const change: Change['change'] = ({ facts, readings }) => {
    if (facts.seed === 2) Object.assign(readings, { max: 3.4e-14, mean: 3.2e-15 });
  };
  const [max, mean] = outcome(cells, { change }).study.cells;
  expect(max.measured).toBe(3.5e-14);
  expect(mean.measured).toBeCloseTo(3.1e-15, 20);
  const half = outcome(cells, { only: (key) => key.includes('seed=1') });
  expect(half.study.cells[0]).toMatchObject({ status: 'not-measured' });
  expect(half.cases[0].verdict).toBe('inconclusive');
});

test('shrunk products are shown and compared with nothing', () => {
  const { verdict, study } = outcome(strassenAt8192, { shrink: 64 });
  expect(verdict).toBe('inconclusive');
  expect(study.cells[0]).toMatchObject({ status: 'not-measured', measured: 0.0015 });
  expect(study.cells[0].note).toContain('which has no published value');
});

test('a product that was not written whole, one beyond its bound, and a count that differs fail', () => {
  const unwritten = outcome(strassenAt8192, { change: (one) => Object.assign(one, { unwritten: 3 }) });
  expect(unwritten).toMatchObject({ verdict: 'fail', reason: expect.stringContaining('3 entries of C') });
  const runningBound = { largest: 1, used: 1.5, vacuous: false };
  const beyond = outcome(strassenAt8192, { change: ({ facts }) => Object.assign(facts, { runningBound }) });
  expect(beyond).toMatchObject({ verdict: 'fail', reason: expect.stringContaining('proves a defect') });
  const count = { figure: 'Figure 14', title: '', row: '', column: '', published: '1', computed: '2' };
  const counts = () => [{ ...count, equal: false }];
  expect(outcome(strassenAt8192, { errors: { counts } }).verdict).toBe('fail');
});
