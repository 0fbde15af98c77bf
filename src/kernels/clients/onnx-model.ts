/** Types of tensors in ONNX (TensorProto.DataType). */
const elementTypes = { f32: 1, f16: 10, f64: 11 } as const;
export type ElementType = keyof typeof elementTypes;

/** Treatment of the inputs A, B and C by a model. */
export interface ModelInputs {
  readonly transposeA: boolean;
  readonly transposeB: boolean;
  readonly addsC: boolean;
}

type Bytes = readonly number[];

/** Encodes a whole number in groups of seven bits, the lowest first. */
function varint(value: number): Bytes {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

/** Field types of Protocol Buffers: a number, bytes of a known length (texts and messages too), or four bytes. */
const [VARINT, LENGTH, FIXED] = [0, 2, 5];
const number = (field: number, value: number): Bytes => [...varint(field * 8 + VARINT), ...varint(value)];
const float = (field: number, value: number): Bytes => {
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setFloat32(0, value, true);
  return [...varint(field * 8 + FIXED), ...new Uint8Array(bytes.buffer)];
};
const message = (field: number, ...parts: Bytes[]): Bytes => {
  const bytes = parts.flat();
  return [...varint(field * 8 + LENGTH), ...varint(bytes.length), ...bytes];
};
const text = (field: number, value: string): Bytes => message(field, [...new TextEncoder().encode(value)]);

/** Encodes a ValueInfoProto: a tensor of a type, with named sizes, so that each run sets them. */
function tensorInfo(field: number, name: string, type: number, rank: number): Bytes {
  const sizes = Array.from({ length: rank }, (_, at) => message(1, text(2, `${name}${at}`)));
  return message(field, text(1, name), message(2, message(1, number(1, type), message(2, ...sizes))));
}

/** Types of attributes (AttributeProto.AttributeType). */
const [FLOAT, INT, TEXT, INTS] = [1, 2, 3, 7];
const attribute = (name: string, value: Bytes, type: number): Bytes =>
  message(5, text(1, name), value, number(20, type));

function node(operator: string, inputs: readonly string[], output: string, ...attributes: Bytes[]): Bytes {
  return message(
    1,
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, operator),
    ...attributes,
  );
}

const IR_VERSION = 8;
const OPERATORS = 13;

/** The domain of the operators of ONNX Runtime that ONNX lacks, and its version. */
const MICROSOFT = { name: 'com.microsoft', version: 1 };

/**
 * Encodes an ONNX model of these nodes, which compute D from the inputs. Its fields are numbered as in onnx.proto3: ModelProto (IR version
 * 1, graph 7, operator sets 8), OperatorSetIdProto (domain 1, version 2), GraphProto (nodes 1, name 2, inputs 11, outputs 12), NodeProto
 * (inputs 1, outputs 2, operator 4, attributes 5, domain 7), AttributeProto (name 1, f 2, i 3, s 4, ints 8, type 20).
 */
function model(
  type: ElementType,
  nodes: readonly Bytes[],
  ranks: Readonly<Record<string, number>>,
): Uint8Array {
  const element = elementTypes[type];
  const inputs = Object.entries(ranks).map(([name, rank]) => tensorInfo(11, name, element, rank));
  const graph = message(7, ...nodes, text(2, 'product'), ...inputs, tensorInfo(12, 'D', element, ranks.A));
  const microsoft = message(8, text(1, MICROSOFT.name), number(2, MICROSOFT.version));
  return Uint8Array.from([
    ...number(1, IR_VERSION),
    ...graph,
    ...message(8, number(2, OPERATORS)),
    ...microsoft,
  ]);
}

/** Encodes D = Gemm(A, B, C) for matrices of any size; its attributes are binary32 whatever the type. */
export function gemmModel(
  type: ElementType,
  { transposeA, transposeB, addsC }: ModelInputs,
  { alpha, beta }: { readonly alpha: number; readonly beta: number },
): Uint8Array {
  const names = addsC ? ['A', 'B', 'C'] : ['A', 'B'];
  const gemm = node(
    ...(['Gemm', names, 'D'] as const),
    attribute('alpha', float(2, alpha), FLOAT),
    attribute('beta', float(2, beta), FLOAT),
    attribute('transA', number(3, Number(transposeA)), INT),
    attribute('transB', number(3, Number(transposeB)), INT),
  );
  return model(type, [gemm], Object.fromEntries(names.map((name) => [name, 2])));
}

/**
 * Encodes D = MatMul(A, B) for stacks of matrices of any size, with transposition, the scalar `alpha` and C times the scalar `beta` where
 * needed.
 */
export function matMulModel(
  type: ElementType,
  { transposeA, transposeB, addsC }: ModelInputs,
  { rank, scales }: { readonly rank: number; readonly scales: boolean },
): Uint8Array {
  const axes = Array.from({ length: rank }, (_, at) => at);
  const swapped = [...axes.slice(0, -2), rank - 1, rank - 2];
  const nodes: Bytes[] = [];
  const make = (operator: string, inputs: readonly string[], isLast: boolean, ...attributes: Bytes[]) => {
    const output = isLast ? 'D' : `${operator}${inputs[0]}`;
    nodes.push(node(operator, inputs, output, ...attributes));
    return output;
  };
  const perm = attribute(
    'perm',
    swapped.flatMap((axis) => number(8, axis)),
    INTS,
  );
  const a = transposeA ? make('Transpose', ['A'], false, perm) : 'A';
  const b = transposeB ? make('Transpose', ['B'], false, perm) : 'B';
  const product = make('MatMul', [a, b], !scales && !addsC);
  const scaled = scales ? make('Mul', [product, 'alpha'], !addsC) : product;
  if (addsC) make('Add', [scaled, make('Mul', ['C', 'beta'], false)], true);
  const ranks = {
    A: rank,
    B: rank,
    ...(scales ? { alpha: 0 } : {}),
    ...(addsC ? { C: rank, beta: 0 } : {}),
  };
  return model(type, nodes, ranks);
}

export interface SequenceNode {
  readonly operator: string;
  /** True for an operator of `com.microsoft`. @defaultValue false */
  readonly isMicrosoft?: boolean | undefined;
  /** The inputs behind the first one, which is A or the output of the node before. */
  readonly inputs?: readonly string[] | undefined;
  readonly attributes?: Readonly<Record<string, number | boolean | string>> | undefined;
}

/** Encodes D of a sequence of nodes in binary32. @param ranks those of all inputs, A first */
export function sequenceModel(
  nodes: readonly SequenceNode[],
  ranks: Readonly<Record<string, number>>,
): Uint8Array {
  const outputs = nodes.map((_, at) => (at === nodes.length - 1 ? 'D' : `D${at}`));
  const encoded = nodes.map(({ operator, isMicrosoft = false, inputs = [], attributes = {} }, at) =>
    node(
      ...([operator, [at === 0 ? 'A' : outputs[at - 1], ...inputs], outputs[at]] as const),
      ...Object.entries(attributes).map(anyAttribute),
      ...(isMicrosoft ? [text(7, MICROSOFT.name)] : []),
    ),
  );
  return model('f32', encoded, ranks);
}

function anyAttribute([name, value]: readonly [string, number | boolean | string]): Bytes {
  if (typeof value === 'string') return attribute(name, text(4, value), TEXT);
  return typeof value === 'number'
    ? attribute(name, float(2, value), FLOAT)
    : attribute(name, number(3, Number(value)), INT);
}
