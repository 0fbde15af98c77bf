import { expect, test } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { changeCase, formatCase } from '../../problem/case.ts';
import { listStudyProducts } from '../run-study.ts';
import { cellKey } from '../study.ts';
import { errors2011 } from './strassen-2011-errors.ts';

const cells = errors2011.cells({ pairs: 10 });

test('every cell of the six tables has its product, and products serve all cells that need them', () => {
  expect(cells).toHaveLength(28 + 28 + 10 + 10 + 8 + 6 + 6);
  const products = listStudyProducts(cells);
  expect(
    products.filter(
      ({
        case: {
          problem: { precision },
        },
      }) => precision === 'f32',
    ),
  ).toHaveLength(4 + 14 + 4);
  expect(
    products.filter(
      ({
        case: {
          problem: { precision },
        },
      }) => precision === 'f64',
    ),
  ).toHaveLength(3 + 30 + 30);
  expect(new Set(cells.map(cellKey)).size).toBe(cells.length);
});

test.each([
  ['Figure 30', 'classical-cpu', 'n = 2048', 'classical:register', 0],
  ['Figure 30', 'strassen, τ₂ = 4096', 'n = 2048', 'classical:register', 0],
  ['Figure 30', 'strassen, τ₂ = 2048', 'n = 2048', 'strassen:register', 1],
  ['Figure 31', 'winograd, τ₂ = 2048', 'n = 16384', 'winograd:register', 4],
  ['Figure 31', 'winograd, τ₂ = 4096', 'n = 16384', 'winograd:register', 3],
  ['Figure 32', 'strassen', 'level 2', 'strassen:register', 2],
  ['Figure 43', 'average', 'dWinograd', 'winograd:register', 2],
  ['Figure 44', 'maximum', 'dgemm', 'classical:register', 0],
  ['Figure 44, elements in [0, 1]', 'average', 'dStrassen', 'strassen:register', 2],
])('%s, %s, %s is read from %s at level %i', (figure, row, column, kernel, levels) => {
  const plan = cells.find((cell) => cell.figure === figure && cell.row === row && cell.column === column);
  expect(plan?.products[0].case).toMatchObject({ kernel, method: { levels } });
});

test('products of the same operands are neighbours, small ones first, the classical before those against it', () => {
  const products = listStudyProducts(cells);
  const operands = products.map(
    ({
      case: {
        problem: { input, n, seed, init, precision },
      },
    }) => [input, n, seed, init, precision].join(),
  );
  const changes = operands.filter((key, at) => key !== operands[at - 1]);
  expect(changes).toHaveLength(new Set(operands).size);
  expect(
    products.slice(0, 3).map(
      ({
        case: {
          problem: { n },
        },
      }) => n,
    ),
  ).toEqual([2048, 2048, 2048]);
  for (const [at, { against, case: value }] of products.entries()) {
    if (against !== 'classical') continue;
    const before = products.slice(0, at).map((product) => formatCase(product.case));
    expect(before).toContain(
      formatCase(changeCase(value, { kernel: value.kernel.replace(/.*:/, 'classical:'), levels: 0 })),
    );
  }
});

itWhole('all counts follow from the plans, and each names a cell of Figures 14, 15 and 17 to 22', () => {
  const counts = errors2011.counts?.() ?? [];
  expect(counts).toHaveLength(9 + 3 * 6 + 4 * 18);
  expect(counts.filter(({ equal }) => !equal)).toEqual([]);
  expect(counts[3]).toMatchObject({ row: 'strassen', column: 'arithmetics', published: '7n³/4 + 11n²/4' });
});

test('a reason is written for no cell that there is not', () => {
  const known = new Set(cells.map(cellKey));
  expect(Object.keys(errors2011.reasons ?? {}).filter((key) => !known.has(key))).toEqual([]);
});
