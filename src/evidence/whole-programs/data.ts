import { pickRandom, type Random } from '../../base/random.ts';
import { type DraftMatrix, drawPower, makeDraft } from '../../inputs/wild/table.ts';
import { angle, applyRelu, drawNormal, normalizeMagnitude } from './tables.ts';

type Making = (rows: number, cols: number, random: Random) => DraftMatrix;

const standard: Making = (rows, cols, random) => drawNormal(random, rows, cols, drawPower(random, -2, 2));
const measured: Making = (rows, cols, random) => {
  const levels = Array.from({ length: cols }, () => 3 * random.normal());
  return makeDraft(rows, cols, (_, j) => levels[j] + random.normal());
};
const bytes: Making = (rows, cols, random) => makeDraft(rows, cols, () => random.int(0, 255) / 255);
const activated: Making = (rows, cols, random) => applyRelu(drawNormal(random, rows, cols));
/** Makes a wave in each column, with a little noise. */
const waves: Making = (rows, cols, random) => {
  const made = makeDraft(rows, cols, () => 0.1 * random.normal());
  for (let j = 0; j < cols; j++) {
    const [cos, sin] = angle(drawPower(random, -6, 0));
    let [x, y] = [random.normal(), random.normal()];
    for (let i = 0; i < rows; i++) {
      [x, y] = [cos * x - sin * y, sin * x + cos * y];
      made.data[i * cols + j] += x;
    }
  }
  return made;
};

const makings: readonly Making[] = [standard, standard, measured, bytes, activated, waves];

/** One matrix in three is made from the last result. */
const AGAIN = 3;

/** Makes the initial data of programs: numbers of one kind, or the last result, scaled to the usual size and with a little noise. */
export function drawInitialData(
  rows: number,
  cols: number,
  random: Random,
  last: DraftMatrix | undefined,
): DraftMatrix {
  if (last === undefined || last.data.length === 0 || random.int(1, AGAIN) > 1)
    return pickRandom(random, makings)(rows, cols, random);
  const { rows: height, cols: width, data } = normalizeMagnitude(last);
  const entry = (i: number, j: number) => data[(i % height) * width + (j % width)];
  return makeDraft(rows, cols, (i, j) => entry(i, j) + 0.1 * random.normal());
}
