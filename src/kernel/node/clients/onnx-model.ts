/** Types of tensors in ONNX (TensorProto.DataType). */
export const elementTypes = { f32: 1, f16: 10, f64: 11 } as const;
export type ElementType = keyof typeof elementTypes;

type Bytes = readonly number[];

/** A whole number in groups of seven bits, the lowest first. */
function varint(value: number): Bytes {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

/** Field types of Protocol Buffers: a number, or bytes of a known length (texts and messages too). */
const [VARINT, LENGTH] = [0, 2];
const number = (field: number, value: number): Bytes => [...varint(field * 8 + VARINT), ...varint(value)];
const message = (field: number, ...parts: Bytes[]): Bytes => {
  const bytes = parts.flat();
  return [...varint(field * 8 + LENGTH), ...varint(bytes.length), ...bytes];
};
const text = (field: number, value: string): Bytes => message(field, [...new TextEncoder().encode(value)]);

/** A ValueInfoProto: a matrix of a type, its sizes named, so that they are those of each run. */
function matrixInfo(field: number, name: string, type: number, rows: string, cols: string): Bytes {
  const dimension = (size: string) => message(1, text(2, size));
  const shape = message(2, dimension(rows), dimension(cols));
  return message(field, text(1, name), message(2, message(1, number(1, type), shape)));
}

const IR_VERSION = 8;
const OPERATORS = 13;

/**
 * An ONNX model, C = MatMul(A, B) for matrices of any size. Its fields are numbered as in onnx.proto3: ModelProto (IR
 * version 1, graph 7, operator sets 8), GraphProto (nodes 1, name 2, inputs 11, outputs 12), NodeProto (inputs 1, outputs
 * 2, operator 4).
 */
export function matMulModel(type: ElementType): Uint8Array {
  const element = elementTypes[type];
  const node = message(1, text(1, 'A'), text(1, 'B'), text(2, 'C'), text(4, 'MatMul'));
  const graph = message(
    7,
    node,
    text(2, 'product'),
    matrixInfo(11, 'A', element, 'm', 'k'),
    matrixInfo(11, 'B', element, 'k', 'n'),
    matrixInfo(12, 'C', element, 'm', 'n'),
  );
  return Uint8Array.from([...number(1, IR_VERSION), ...graph, ...message(8, number(2, OPERATORS))]);
}
