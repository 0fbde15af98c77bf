import type { GivenStep } from '../../epilogue/chain.ts';
import type { EntryNumbers } from '../../epilogue/entry-numbers.ts';
import { parseEpilogue } from '../../epilogue/parse-epilogue.ts';
import type { Claims } from '../../kernels/claims.ts';
import { type Matrix, matrix, transpose } from '../../matrix/dense.ts';
import { memberOf, stackRows } from '../../matrix/members.ts';
import { shapesDiffer } from '../../matrix/messages.ts';
import { missingOption } from '../../options/messages.ts';
import { readNumber } from '../../options/node/read.ts';
import { ranges } from '../../problem/ranges.ts';
import { type Dtype, dtypes } from '../../tensors/dtypes.ts';
import { tensorUnreadable } from '../../tensors/messages.ts';
import { readTensor, STDIN } from '../../tensors/node/read-tensor.ts';
import { countOf, type Tensor } from '../../tensors/tensor.ts';
import { claimsUnreadable } from '../messages.ts';
import type { CheckRequest } from './options.ts';

export interface CheckOperands {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly c: Matrix | undefined;
  readonly d: Matrix;
  readonly batch: number;
  /** The steps after the product. */
  readonly epilogue: readonly GivenStep[];
  readonly dtypes: { readonly a: Dtype; readonly b: Dtype; readonly d: Dtype };
}

/**
 * Reads the operands that a request names.
 * @throws ParanoiaError `missing-option`, `tensor-unreadable`, `dtype-unknown`, `shapes-differ`
 */
export function readOperands(request: CheckRequest): CheckOperands {
  const { a, b, d } = request;
  if (a === undefined || b === undefined || d === undefined) {
    const option = a === undefined ? '--a' : b === undefined ? '--b' : '--d';
    throw missingOption({ option, need: 'a file: check needs --a, --b and --d' });
  }
  const streams = [a, b, d, request.c].filter((place) => place === STDIN);
  if (streams.length > 1)
    throw tensorUnreadable({ file: 'standard input', why: 'only one operand can come from it' });
  const types = dtypesOf(request.dtype);
  const { shape, opA = 'n', opB = 'n' } = request;
  const raw = (rows?: number, cols?: number) =>
    rows === undefined || cols === undefined ? {} : { shape: [rows, cols] };
  const flip = (op: string, rows?: number, cols?: number) => (op === 't' ? raw(cols, rows) : raw(rows, cols));
  const left = readTensor(a, { ...flip(opA, shape?.m, shape?.k), dtype: types.a });
  const right = readTensor(b, { ...flip(opB, shape?.k, shape?.n), dtype: types.b });
  const found = readTensor(d, { ...raw(shape?.m, shape?.n), dtype: types.d });
  const added = (place: string | undefined, rows?: number) =>
    place === undefined
      ? undefined
      : readTensor(place, { ...raw(rows, shape?.n), dtype: types.d, isFallback: true });
  const tensors = {
    a: left,
    b: right,
    c: added(request.c, shape?.m),
    d: found,
    epilogue: stepsOf(request, (place) => numbersOf(added(place) as Tensor)),
  };
  return operandsOf(tensors, { a: opA, b: opB });
}

export interface CheckTensors {
  readonly a: Tensor;
  readonly b: Tensor;
  readonly c?: Tensor | undefined;
  readonly d: Tensor;
  /** @defaultValue none */
  readonly epilogue?: readonly GivenStep[] | undefined;
}

type Op = 'n' | 't';

/** Returns tensors as the operands of a check. @throws ParanoiaError `shapes-differ` */
export function operandsOf(
  { a, b, c, d, epilogue = [] }: CheckTensors,
  op: { readonly a: Op; readonly b: Op } = { a: 'n', b: 'n' },
): CheckOperands {
  if (d.data.length === 0) {
    const why = 'D has no entries to check';
    throw shapesDiffer({ a: `D is (${d.shape.join(', ')})`, b: 'a check needs entries', why });
  }
  const batch = batchOf([a, b, d]);
  const stackD = stackOf(d, 'D');
  return {
    ...{
      a: stackOf(a, 'A', op.a),
      b: stackOf(b, 'B', op.b),
      c: c && stackOf(c, 'C'),
      d: stackD,
      batch,
      epilogue,
    },
    dtypes: { a: a.dtype, b: b.dtype, d: d.dtype },
  };
}

/** Reads the types of --dtype: one for A, B and D each, or one of all. */
function dtypesOf(list: string | undefined): { a?: Dtype; b?: Dtype; d?: Dtype } {
  if (list === undefined) return {};
  const names = list.split(',').map((name) => name.trim());
  if (names.length !== 1 && names.length !== 3)
    throw missingOption({ option: '--dtype', need: 'one type, or three: those of A, B and D' });
  const [a, b = a, d = a] = names.map((name) => dtypes.find(name));
  return { a, b, d };
}

/** Returns the leading dimensions of a batch, without those of 1 before them. */
function leadingOf({ shape }: Tensor): readonly number[] {
  const leading = shape.slice(0, -2);
  const first = leading.findIndex((size) => size !== 1);
  return first < 0 ? [] : leading.slice(first);
}

/** Returns the number of products of a batch. @throws ParanoiaError `shapes-differ` */
function batchOf([a, b, d]: readonly Tensor[]): number {
  const text = ({ shape }: Tensor) => `(${shape.join(', ')})`;
  const all = leadingOf(d);
  const fits = (tensor: Tensor) => {
    const own = leadingOf(tensor);
    return own.length === 0 || (own.length === all.length && own.every((size, at) => size === all[at]));
  };
  if (fits(a) && fits(b)) return countOf(all);
  const why = 'A and B must have the leading dimensions of D, or none';
  throw shapesDiffer({ a: `A is ${text(a)}, B is ${text(b)}`, b: `D is ${text(d)}`, why });
}

/** Returns the matrices of a tensor, one below the other. @throws ParanoiaError `shapes-differ` */
export function stackOf({ shape, data }: Tensor, name: string, op: Op = 'n'): Matrix {
  if (shape.length < 2) {
    const why = 'an operand has at least two dimensions: reshape a vector to 1×n or n×1';
    throw shapesDiffer({ a: `${name} is (${shape.join(', ')})`, b: 'a matrix is needed', why });
  }
  const [rows, cols] = shape.slice(-2);
  const count = countOf(shape.slice(0, -2));
  const stack = matrix(count * rows, cols, data);
  if (op === 'n') return stack;
  const parts = Array.from({ length: count }, (_, p) => transpose(memberOf(stack, rows, p)));
  return stackRows(parts, { m: cols, n: rows });
}

/** Returns the steps that a request names; --bias is the first. @throws ParanoiaError `bad-epilogue` */
function stepsOf(
  { bias, epilogue }: CheckRequest,
  tensor: (place: string) => EntryNumbers,
): readonly GivenStep[] {
  const first = bias === undefined ? [] : [{ step: 'bias', values: tensor(bias) }];
  return [...first, ...(epilogue === undefined ? [] : parseEpilogue(epilogue, tensor))];
}

/** Returns a tensor as the numbers of a step: one number, a row, or a matrix. */
export const numbersOf = (tensor: Tensor): EntryNumbers => {
  const { shape, data } = tensor;
  if (data.length === 1) return data[0];
  return shape.length === 1 ? matrix(1, data.length, data) : stackOf(tensor, 'a tensor of the epilogue');
};

/** Reads one matrix of real entries. @throws ParanoiaError `tensor-unreadable`, `shapes-differ` */
export const readMatrix = (place: string, name: string): Matrix => stackOf(readTensor(place), name);

/** Reads the claims that options describe. @throws ParanoiaError `claims-unreadable`, `bad-number` */
export function claimsOf({ claims, algorithm }: Pick<CheckRequest, 'claims' | 'algorithm'>): Claims {
  if (algorithm !== undefined) {
    const [name, levels] = algorithm.split(':');
    return {
      algorithm: name,
      ...(levels === undefined ? {} : { levels: readNumber('--algorithm', levels, ranges.levels) }),
    };
  }
  if (claims === undefined) return {};
  try {
    const value: unknown = JSON.parse(claims);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Claims;
  } catch {
    throw claimsUnreadable({ given: claims });
  }
  throw claimsUnreadable({ given: claims });
}
