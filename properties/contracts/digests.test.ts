import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inShort } from '../../src/base/in-short.testing.ts';
import { type Device, devices, type Readings, readingsOf } from './case-readings.ts';
import { drawCases } from './drawn-cases.ts';

/**
 * The contract: the bits of D, of the running bound and of sigma do not change unnoticed: a commit that records new ones gives the reason.
 *
 * D is the model's, on two devices with recorded arithmetic, so that no result depends on the machine at hand. {@link RECORD} computes the
 * digests of the same cases again; without a file it draws cases first.
 */
const FILE = new URL('../../fixtures/digests.json', import.meta.url);
const RECORD = 'npm run digests';
const COUNT = 2000;
const SEED = 2011;
/** Most cases that a failure shows. */
const SHOWN = 8;

const parts = ['model', 'bound', 'sigma'] as const;
type Part = (typeof parts)[number];
const titles: Readonly<Record<Part, string>> = { model: 'D', bound: 'bound', sigma: 'sigma' };

/** For each device, the digests of each case, in the order of {@link parts}. */
type Recorded = Record<Device, Record<string, string>>;

/** A case with changed digests and their names, or the reason why it has none any more. */
interface Change {
  readonly device: Device;
  readonly text: string;
  readonly parts: readonly Part[];
  readonly why?: string;
}

/** The bit pattern that stands for all NaNs, since engines choose among many. */
const NAN = 0x7ff8000000000000n;

/** Returns twelve hexadecimal digits of the SHA-256 of the numbers as little-endian doubles, which hold the numbers of every format. */
function digest(numbers: ArrayLike<number> | undefined): string {
  if (numbers === undefined) return 'absent';
  const bytes = new DataView(new ArrayBuffer(8 * numbers.length));
  for (let e = 0; e < numbers.length; e++) {
    if (Number.isNaN(numbers[e])) bytes.setBigUint64(8 * e, NAN, true);
    else bytes.setFloat64(8 * e, numbers[e], true);
  }
  return createHash('sha256').update(bytes).digest('hex').slice(0, 12);
}

const digests = (readings: Readings): string[] => parts.map((part) => digest(readings[part]));

/** Returns the cases of the file, or drawn ones: three in four for the first device, the others for the second. */
function casesToRecord(): Record<Device, string[]> {
  if (existsSync(FILE)) {
    const { 'rounds-twice': twice, 'rounds-once': once } = recorded();
    return { 'rounds-twice': Object.keys(twice), 'rounds-once': Object.keys(once) };
  }
  const texts = drawCases(COUNT, SEED);
  return {
    'rounds-twice': texts.filter((_, at) => at % 4 !== 3),
    'rounds-once': texts.filter((_, at) => at % 4 === 3),
  };
}

const recorded = (): Recorded => JSON.parse(readFileSync(FILE, 'utf8'));

function record(): void {
  const cases = casesToRecord();
  const found = devices.map((device) => [
    device,
    Object.fromEntries(cases[device].map((text) => [text, digests(readingsOf(text, device)).join(' ')])),
  ]);
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(found), undefined, 1)}\n`);
}

function changeOf(device: Device, text: string, before: string): Change | undefined {
  try {
    const [now, then] = [digests(readingsOf(text, device)), before.split(' ')];
    const changed = parts.filter((_, at) => now[at] !== then[at]);
    return changed.length === 0 ? undefined : { device, text, parts: changed };
  } catch (error) {
    return { device, text, parts: [], why: error instanceof Error ? error.message : String(error) };
  }
}

function explain(changes: readonly Change[], cases: number): string {
  const counts = parts.map((part) => `${titles[part]} in ${count(changes, part)}`).join(', ');
  const lost = changes.filter(({ why }) => why !== undefined).length;
  const shown = changes.slice(0, SHOWN).map(({ device, text, parts, why }) => {
    return `  ${text}\n    on ${device}: ${why ?? parts.map((part) => titles[part]).join(', ')}`;
  });
  return [
    `Of ${cases} cases, ${changes.length} have other bits than recorded: ${counts}; ${lost} can no longer be read.`,
    ...shown,
    ...(changes.length > SHOWN ? [`  and ${changes.length - SHOWN} more`] : []),
    `Where that is meant, "${RECORD}" records them anew, and the commit that does so says why.`,
  ].join('\n');
}

const count = (changes: readonly Change[], part: Part): number =>
  changes.filter(({ parts }) => parts.includes(part)).length;

test(`the bits of D, bound and sigma of ${COUNT} cases are those recorded`, () => {
  if (process.env.DIGESTS === 'record') record();
  const before = recorded();
  const cases = devices.flatMap((device) =>
    Object.entries(before[device]).map((one) => [device, ...one] as const),
  );
  expect(cases).toHaveLength(COUNT);
  const changes = inShort(cases, 60).flatMap(([device, text, then]) => changeOf(device, text, then) ?? []);
  if (changes.length > 0) expect.fail(explain(changes, cases.length));
});
