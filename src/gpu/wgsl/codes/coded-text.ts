import type { Coding, Operand } from '../../../precision/coding/coding.ts';
import { type CodedFormat, type Format, f32 } from '../../../precision/format.ts';
import { makeDecodeFunction, makeLoadFunction } from '../../../precision/formats/wgsl.ts';
import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import { repeatLines } from '../each.ts';
import { HEADER, LEVEL, roomOf, times } from './coded-words.ts';

/** The name of an operand in shaders; the names of its functions begin with it. */
export type OperandName = 'x' | 'y';
export const sideOf = (name: OperandName): Operand => (name === 'x' ? 'a' : 'b');

/** Returns the operand of a product, as WGSL, from an expression of a decoded number. */
export const operandOfNumber = (number: string, { ofNumber, prepare }: Numeric): string =>
  ofNumber === undefined ? prepare(number, 1) : ofNumber(number);

/** The bindings of a coded operand's elements, and of the words of its factors. */
export interface CodedBindings {
  readonly codes: number;
  readonly factors: number;
}

/**
 * Returns the WGSL functions that read a coded operand. `xNumber(at, row, col, product) -> f32` is the number at a row and a column after
 * op, whose element lies at `at`. `xAt(at) -> f32` is the number of a single row-major matrix, and 0 in the padding of rows and columns.
 */
export function codedText(name: OperandName, coding: Coding, { codes, factors }: CodedBindings): string {
  const { element, scales, zero } = coding;
  const words = `${name}Factors`;
  const ofElements = [
    makeLoadFunction(`${name}Code`, element.code.bits, name),
    makeDecodeFunction(`${name}Element`, element),
  ];
  const levels = scales.flatMap(({ format }, level) => factorText(`${name}Factor${level}`, format, words));
  const zeros = zero === undefined ? [] : factorText(`${name}Zero`, zero, words);
  const [line, entry] = name === 'x' ? ['row', 'col'] : ['col', 'row'];
  const at = (level: number) =>
    `${name}Block(${HEADER.levels + LEVEL.words * level}u, ${line}, ${entry}, member)`;
  const start = (level: number) => `${words}[${HEADER.levels + LEVEL.words * level + LEVEL.start}u]`;
  const less = zero === undefined ? '' : ` - ${name}Zero(${words}[${HEADER.zeros}u], ${at(0)})`;
  // A zero times a negative factor is still +0.
  const isSigned = scales.some(({ signed }) => signed === true);
  return `@group(0) @binding(${codes}) var<storage, read_write> ${name}: array<u32>;
@group(0) @binding(${factors}) var<storage, read_write> ${words}: array<u32>;
${[...ofElements.map(({ declaration }) => declaration), ...levels, ...zeros].join('\n')}
fn ${name}Block(level: u32, line: u32, entry: u32, member: u32) -> u32 {
  let down = member * ${words}[level + ${LEVEL.rows}u] + line / ${words}[level + ${LEVEL.lines}u];
  return down * ${words}[level + ${LEVEL.cols}u] + entry / ${words}[level + ${LEVEL.entries}u];
}
fn ${name}Number(at: u32, row: u32, col: u32, product: u32) -> f32 {
  let member = min(product, ${words}[${HEADER.members}u] - 1u);
  var number = bitcast<u32>(${name}Element(${name}Code(at))${less});
${repeatLines(scales.length, (level) => `  number = ${times.name}(number, bitcast<u32>(${name}Factor${level}(${start(level)}, ${at(level)})));`)}
${isSigned ? '  if (number == 0x80000000u) { number = 0u; }\n' : ''}  return bitcast<f32>(number);
}
fn ${name}At(at: u32) -> f32 {
  let row = at / ${words}[${HEADER.ld}u];
  let col = at % ${words}[${HEADER.ld}u];
  if (row >= ${words}[${HEADER.rows}u] || col >= ${words}[${HEADER.cols}u]) { return 0.0; }
  return ${name}Number(at, row, col, 0u);
}`;
}

/** Returns `fn name(start: u32, at: u32) -> f32`: factor number `at` of those that begin at word `start`. */
function factorText(name: string, format: Format, words: string): string[] {
  const first = `start * ${32 / roomOf(format)}u + at`;
  if (format === f32)
    return [`fn ${name}(start: u32, at: u32) -> f32 { return bitcast<f32>(${words}[${first}]); }`];
  const code = makeLoadFunction(`${name}Code`, (format as CodedFormat).code.bits, words);
  const number = makeDecodeFunction(`${name}Number`, format as CodedFormat);
  return [
    code.declaration,
    number.declaration,
    `fn ${name}(start: u32, at: u32) -> f32 { return ${number.name}(${code.name}(${first})); }`,
  ];
}
