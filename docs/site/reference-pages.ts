import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type ErrorMessage, EXIT } from '../../src/base/errors.ts';
import { commands } from '../../src/cli/commands.ts';
import { kinds } from '../../src/cli/list/list.ts';
import { runOptions, thresholdOptions } from '../../src/config/run-options.ts';
import { accuracies } from '../../src/epilogue/accuracies.ts';
import { epilogueSteps } from '../../src/epilogue/epilogues.ts';
import { editKinds } from '../../src/inputs/edits/edits.ts';
import { inputRegistry } from '../../src/inputs/inputs.ts';
import { type StatementRecord, sayings } from '../../src/kernels/claim-records.ts';
import { features } from '../../src/matrix/features.ts';
import { clauseOf } from '../../src/options/help.ts';
import { flagOf, type OptionTable } from '../../src/options/option.ts';
import { activationSchemes } from '../../src/precision/activations/schemes.ts';
import type { BlockScale, Coding } from '../../src/precision/coding/coding.ts';
import { codings } from '../../src/precision/coding/codings.ts';
import { scaleLayouts } from '../../src/precision/coding/scale-layouts.ts';
import { formats } from '../../src/precision/formats/formats.ts';
import type { Precision } from '../../src/precision/precision.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { allFields } from '../../src/problem/fields.ts';

/** Generates the reference pages from the records that the program reads: the Markdown of each file. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  return {
    'commands.md': commandsPage(),
    'config.md': configPage(),
    'claims.md': claimsPage(),
    'checks.md': await listPage('Checks', 'Each check asks one question about a result.', ['checks']),
    'inputs.md': inputsPage(),
    'epilogues.md': epiloguesPage(),
    'structures.md': await listPage(
      'Structures',
      'A structure names what is stored of the operands of a product, and which triangle of D is written. [A function of a BLAS](../how-to/blas.md) shows how they are judged.',
      ['structures'],
    ),
    'precisions.md': precisionsPage(),
    'formats.md': formatsPage(),
    'kernels.md': await listPage(
      'Kernels',
      'This page lists algorithms, kernels, reporters, studies and faults by name.',
      [...['algorithms', 'styles', 'kernels', 'clients', 'reporters', 'studies', 'faults']],
    ),
    'messages.md': await messagesPage(),
    'results.md': resultsPage(),
  };
}

/** The meaning of each exit code. */
export const meanings: Readonly<Record<keyof typeof EXIT, string>> = {
  pass: 'pass',
  fail: 'fail',
  usage: 'wrong usage or config, or an unusable file or folder',
  noAdapter: 'no suitable GPU adapter or runtime',
  inconclusive: 'inconclusive, or no case ran',
  crash: 'a kernel crashed during inspection',
  ended: 'a config, a kernel’s module or another of your files ended the program or never finished loading',
  noSandbox: 'no sandbox, although one is required',
  internal: 'a bug in gemm-paranoia',
  resources: 'out of files, processes or memory, or a system error',
  output: 'output or reports were lost, as on a full disk',
};

function commandsPage(): string {
  const parts = Object.entries(commands).map(([name, { what, args, options, example }]) => [
    `## ${name}`,
    `${what}.`,
    block('sh', [
      `npx gemm-paranoia ${name}${args === undefined ? '' : ` ${args}`}`,
      ...(example === undefined ? [] : [`npx gemm-paranoia ${name} ${example}`]),
    ]),
    ...(Object.keys(options).length === 0
      ? []
      : [
          table(
            ['option', 'effect'],
            Object.values(options).map((option) => [code(option.flag), clauseOf(option)]),
          ),
        ]),
  ]);
  const common = 'Every command accepts `--help` and `--verbose`, which prints all results and stack traces.';
  return page('Commands', common, ...parts.flat());
}

function configPage(): string {
  const rows = (options: OptionTable, prefix = '') =>
    Object.entries(options).map(([key, option]) => [
      code(prefix + key),
      `${option.isList ? 'list of: ' : ''}${option.held.need}`,
      code(flagOf(option)),
      option.what,
      option.usual ?? '',
    ]);
  return page(
    'Config',
    'A config sets the defaults of a project in `paranoia.config.ts`, `.js`, `.mjs` or `.mts`. The program reads the nearest one, in the folder or above it. Options of the command line take precedence.',
    block('ts', [
      "import { defineConfig } from 'gemm-paranoia';",
      '',
      "export default defineConfig({ kernels: ['strassen'], sizes: [64, [129, 65, 33]], thresholds: { sigmas: 5 } });",
    ]),
    table(
      ['key', 'value', 'option', 'meaning', 'default'],
      [...rows(runOptions), ...rows(thresholdOptions, 'thresholds.')],
    ),
    'A config may also contain [waivers](../how-to/waivers.md), and your own algorithms, checks and studies (`algorithms`, `checks`, `studies`). The lists `inputs`, `precisions` and `reporters` accept your own items, too. The `define…` functions of the [API](../api/README.md) make each of them.',
  );
}

function claimsPage(): string {
  const told = docblocks('src/kernels/claim-records.ts');
  const rows = (said: StatementRecord, path = ''): string[][] =>
    Object.entries(said.within ?? {}).flatMap(([key, part]) => [
      [code(path + key), ...meaningOf(key, told), part.need],
      ...rows(part, `${path}${key}.`),
    ]);
  return page(
    'Claims',
    'A kernel states its claims, and the products that it accepts. In TypeScript, give them to `defineKernel`; in Python, to `@paranoia.kernel`. In WGSL, write comments such as `// claims.order: pairwise`. A worker states them in its greeting. The rules are the same in all of them.',
    ...Object.entries(sayings).flatMap(([name, said]) => [
      `## ${name}`,
      table(['name', 'meaning', 'default', 'value'], rows(said)),
    ]),
    'Claims must not contradict each other or the precision: [Claim how your kernel computes](../how-to/claims.md)',
  );
}

/** Docblocks before the keys of records in a file, and their keys, in their order. */
const docblocks = (file: string) => [
  ...readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').matchAll(
    /^ +\/\*\*((?:(?!\*\/).)*)\*\/\s+(?!readonly)(\w+):/gms,
  ),
];

/** The meaning and the default of a record: a feature's own words, else the next docblock, which must be the key's. */
function meaningOf(key: string, told: RegExpMatchArray[]): [what: string, usual: string] {
  const feature = features.find((one) => one.key === key && told[0]?.[2] !== key);
  if (feature !== undefined) return [feature.what, 'false'];
  const [, text, of] = told.shift() ?? [];
  if (of !== key) throw new Error(`The record of ${key} has no docblock.`);
  const [what, usual = ''] = text
    .replace(/\n *\*/g, '')
    .trim()
    .split(/\s*@defaultValue\s*/);
  return [what, usual];
}

function epiloguesPage(): string {
  const rows = epilogueSteps.items.flatMap(({ name, parameters, main }) =>
    Object.entries(parameters).map(([key, { what, need, usual, isOptional }]) => [
      code(name),
      `${code(key)}${key === main ? ' (after the colon)' : ''}`,
      what,
      need,
      usual === undefined ? (isOptional === true ? 'none' : 'must be given') : String(usual),
    ]),
  );
  return page(
    'Epilogues',
    'An epilogue is what happens to sums before they are stored as D: up to four steps. [Check a product](../how-to/check.md#products-with-an-epilogue) shows how they are given.',
    '## Steps',
    table(
      ['step', 'meaning', 'source'],
      epilogueSteps.items.map(({ name, what, source }) => [code(name), what, source]),
    ),
    '## Parameters',
    table(['step', 'parameter', 'meaning', 'value', 'default'], rows),
    '## Accuracies',
    table(
      ['accuracy', 'errors', 'source'],
      accuracies.items.map(({ name, what, source }) => [code(name), what, source]),
    ),
  );
}

/** Algorithms that compute an input's sums exactly. */
const EXACT = { integers: 'all algorithms', classical: 'classical only', none: 'none' } as const;

function inputsPage(): string {
  return page(
    'Inputs',
    'Every case names a family of test matrices. Edits change its matrices, and other fields complete the case.',
    '## Families',
    table(
      ['name', 'entries', 'finds', 'errors', 'exact sums', 'source'],
      inputRegistry.items.map(({ name, what, catches, statistics, exactness, source }) => [
        code(name),
        ...[what, catches, statistics, EXACT[exactness], source ?? ''],
      ]),
    ),
    '## Edits',
    'The field `edit` of a case lists its edits: `edit=spread:12,powers`. They apply in this order.',
    table(
      ['name', 'change', 'argument'],
      editKinds.map(({ name, what, takes }) => [code(name), what, takes ?? 'none']),
    ),
    '## Fields of a case',
    table(
      ['field', 'meaning', 'value'],
      allFields.map(({ key, what, kind }) => [code(key), what, kind.names?.join(', ') ?? kind.need]),
    ),
  );
}

function precisionsPage(): string {
  return page(
    'Precisions',
    'A precision sets the formats of operands, sums and results. See also [Low precision](../how-to/low-precision.md) and [Scaled operands](../how-to/scaled.md).',
    table(
      ['name', 'description', 'stored', 'multiplied', 'summed', 'source'],
      precisions.items.map(({ name, what, multiplied, accumulated, source, ...precision }) => [
        ...[code(name), what, storedIn(precision)],
        ...[multiplied, accumulated].map(bitsOf),
        source ?? '',
      ]),
    ),
  );
}

const bitsOf = ({ name, precision }: { readonly name: string; readonly precision: number }): string =>
  `${name}: ${precision} bits`;

/** The layout in memory, of A and B each where they differ. */
function storedIn({ a, b, coded }: Pick<Precision, 'a' | 'b' | 'coded'>): string {
  const [left, right] = [coded?.a?.element ?? a, coded?.b?.element ?? b].map(bitsOf);
  return left === right ? left : `A ${left}, B ${right}`;
}

function formatsPage(): string {
  return page(
    'Formats',
    'Low-bit formats store the elements of coded matrices. The elements of a block share a factor.',
    '## Formats',
    table(
      ['name', 'description', 'bits', 'largest', 'smallest above 0', 'special values', 'source'],
      formats.items.map(({ name, what, code: { bits }, maxFinite, minSubnormal, holds, source }) => [
        ...[code(name), what, String(bits), String(maxFinite), String(minSubnormal)],
        [...(holds.infinity ? ['infinities'] : []), ...(holds.nan ? ['NaN'] : [])].join(', ') || 'none',
        source,
      ]),
    ),
    '## Codings',
    'The value of an element is (element − zero point) · (product of the factors of its blocks), less the product of the factors of its minimum. A block of 1×32 covers 1 row of A, or 1 column of B, and 32 entries along k.',
    table(
      ['name', 'description', 'A', 'B', 'source'],
      codings.items.map(({ name, what, coded: { a, b }, source }) => [
        ...[code(name), what, codingText(a), codingText(b), source],
      ]),
    ),
    '## Layouts of factors',
    table(
      ['name', 'description', 'source'],
      scaleLayouts.items.map(({ name, what, source }) => [code(name), what, source]),
    ),
    '## Schemes of quantized activations',
    table(
      ['name', 'description', 'roundings', 'divisions', 'source'],
      activationSchemes.items.map(({ name, what, roundings, divisions, source }) => [
        ...[code(name), what, roundings.map(code).join(', '), divisions.map(code).join(', '), source],
      ]),
    ),
  );
}

function codingText(coding: Coding | undefined): string {
  if (coding === undefined) return 'not coded';
  const { element, scales, zero } = coding;
  const size = (count: number) => (count === Number.POSITIVE_INFINITY ? 'all' : String(count));
  const scale = ({ lines, entries, format, subtracted }: BlockScale) =>
    `${format.name}${subtracted === true ? ' (minimum)' : ''} per ${size(lines)}×${size(entries)}`;
  const points = zero === undefined ? [] : [`zero points in ${zero.name}`];
  return [element.name, ...scales.map(scale), ...points].join(', ');
}

async function listPage(title: string, what: string, names: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const name of names) {
    const items = (await kinds[name]())();
    parts.push(
      ...(names.length === 1 ? [] : [`## ${name[0].toUpperCase()}${name.slice(1)}`]),
      table(
        ['name', 'description', 'source'],
        items.map((item) => [code(item.name), item.what, item.source]),
      ),
    );
  }
  return page(
    title,
    `${what} The same lists, on the command line:`,
    block(
      'sh',
      names.map((name) => `npx gemm-paranoia list ${name}`),
    ),
    ...parts,
  );
}

async function messagesPage(): Promise<string> {
  const rooms = new URL('../../src/', import.meta.url);
  const found: string[][] = [];
  for (const room of readdirSync(rooms)) {
    const file = new URL(`${room}/messages.ts`, rooms);
    if (!existsSync(file)) continue;
    const messages = Object.values((await import(file.href)) as Record<string, ErrorMessage<unknown>>);
    for (const message of messages)
      found.push([code(message.code), String(message.exitCode), sentence(message)]);
  }
  const codes = Object.entries(EXIT).map(([name, number]) => [
    String(number),
    meanings[name as keyof typeof EXIT],
  ]);
  return page(
    'Messages',
    'A command that fails prints one of these messages on standard error, and ends with its exit code. In code, the message is that of a `ParanoiaError` with this `code`. Names in ‹ › stand for details.',
    '## Exit codes',
    table(['code', 'meaning'], codes),
    '## Codes',
    table(
      ['code', 'exit code', 'message'],
      found.sort(([x], [y]) => (x < y ? -1 : 1)),
    ),
  );
}

/** The sentence of a message, its details by their names. */
function sentence(message: ErrorMessage<unknown>): string {
  try {
    return message(named('…')).message;
  } catch {
    // Some messages calculate with their details, and have no text without them.
    return '';
  }
}

/** A placeholder for a detail of a message: a text, list or object. */
function named(name: string): unknown {
  const text = () => `‹${name}›`;
  return new Proxy(() => undefined, {
    get: (_, key) => {
      if (key === Symbol.toPrimitive || key === 'toString' || key === 'join') return text;
      if (key === 'length') return 2;
      if (key === Symbol.iterator) return [named(name)][Symbol.iterator].bind([named(name)]);
      if (typeof key === 'symbol') return undefined;
      return named(name === '…' ? key : name);
    },
    apply: () => named(name),
  });
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | false;
}

function resultsPage(): string {
  const [results, judgment, entry] = ['results', 'judgment', 'atlas'].map(schemaTable);
  const more = ['## Output of judge', ...judgment, '## Atlas entry', ...entry];
  return page('Results', ...results, ...more);
}

/** The subject of a schema, and its keys. */
function schemaTable(name: string): string[] {
  const file = new URL(`../../share/schemas/${name}.schema.json`, import.meta.url);
  const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
  const rows: string[][] = [];
  collect(schema, '', rows);
  return [
    `${schema.description} The schema ships in the package: \`gemm-paranoia/schemas/${name}.schema.json\`.`,
    table(['key', 'type', 'required'], rows),
  ];
}

/** The keys of a schema as rows; entries of lists end with `[]`, of records with `.*`. */
function collect({ properties = {}, required = [] }: Schema, path: string, rows: string[][]): void {
  for (const [key, value] of Object.entries(properties)) {
    const at = path === '' ? key : `${path}.${key}`;
    rows.push([code(at), typeOf(value), required.includes(key) ? 'yes' : '']);
    descend(value, at, rows);
  }
}

function descend(schema: Schema, at: string, rows: string[][]): void {
  collect(schema, at, rows);
  if (schema.items !== undefined) descend(schema.items, `${at}[]`, rows);
  if (typeof schema.additionalProperties === 'object') descend(schema.additionalProperties, `${at}.*`, rows);
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(value)).join(', ');
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  return [schema.type ?? 'anything'].flat().join(' or ');
}

const page = (title: string, ...parts: readonly string[]): string =>
  `${[`# ${title}`, ...parts].join('\n\n')}\n`;

const block = (language: string, lines: readonly string[]): string =>
  [`\`\`\`${language}`, ...lines, '```'].join('\n');

const code = (text: string): string => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** A text as a cell: outside of code, nothing in it is Markdown or HTML. */
const cell = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith('`') ? part : part.replace(/[<>*_{}[\]]/g, (mark) => `&#${mark.charCodeAt(0)};`),
    )
    .join('')
    .replace(/\|/g, '\\|')
    .replace(/\n/g, ' ');
