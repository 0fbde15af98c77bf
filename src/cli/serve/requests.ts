import * as z from 'zod/mini';
import { bytesInMemory } from '../../base/stored-bytes.ts';
import type { GivenStep } from '../../epilogue/chain.ts';
import { stepOfValue } from '../../epilogue/parse-epilogue.ts';
import type { LargeCrew } from '../../evidence/given-product.ts';
import type { ExactMultiply } from '../../evidence/reference.ts';
import { builtinCaseItems } from '../../kernels/case-items.ts';
import type { Claims } from '../../kernels/claims.ts';
import { checkText } from '../../pages/checked.ts';
import { plainLook } from '../../report/terminal/text.ts';
import { type Dtype, dtypes } from '../../tensors/dtypes.ts';
import { dtypeUnknown, tensorUnreadable } from '../../tensors/messages.ts';
import { countOf, readStored, type Tensor } from '../../tensors/tensor.ts';
import { checkedProduct } from '../check/checked-product.ts';
import { numbersOf, operandsOf, stackOf } from '../check/operands.ts';
import { toleranceFor } from '../tolerance/tolerance.ts';

const size = z.int().check(z.gte(0));

const tensor = z.object({ dtype: z.string(), shape: z.array(size), bytes: size });

/** The names of tensors, in the order of their bytes. */
export const ORDER = ['a', 'b', 'c', 'bias', 'd'] as const;

const claims = z.record(z.string(), z.unknown());

/**
 * A step of an epilogue: a word, its name and the value of its main parameter, or its parameters. A value that is a tensor has its bytes
 * after those of {@link ORDER}, step by step.
 */
const step = z.union([z.string(), z.tuple([z.string(), z.unknown()]), z.looseObject({ step: z.string() })]);
const judged = {
  precision: z.optional(z.string()),
  claims: z.optional(claims),
  sigmas: z.optional(z.number().check(z.gt(0))),
  seed: z.optional(size),
};

/** A request: what to do, and with which tensors. Their bytes follow the line, in the order of {@link ORDER}, then of `epilogue`. */
export const request = z.object({
  id: size,
  do: z.enum(['check', 'tolerance', 'exact']),
  ...{ a: z.optional(tensor), b: z.optional(tensor), c: z.optional(tensor) },
  ...{ bias: z.optional(tensor), d: z.optional(tensor), epilogue: z.optional(z.array(step)) },
  ...{ alpha: z.optional(z.number()), beta: z.optional(z.number()), ...judged },
  k: z.optional(z.int().check(z.gte(1))),
  input: z.optional(z.string()),
});
export type Request = z.infer<typeof request>;

/** The bytes of the tensors of a request. */
export interface Bytes extends Readonly<Partial<Record<(typeof ORDER)[number], DataView>>> {
  /** Those of the tensors of steps. */
  readonly steps?: readonly DataView[];
}

export const tensorsOfSteps = ({ epilogue = [] }: Request): readonly z.infer<typeof tensor>[] =>
  epilogue.flatMap((one) =>
    Object.values(typeof one === 'string' ? {} : one).flatMap((value) => {
      const found = tensor.safeParse(value);
      return found.success ? [found.data] : [];
    }),
  );

/** An answer: a JSON object, and bytes after it. */
export interface Answer {
  readonly answer: object;
  readonly bytes?: ArrayBufferView;
}

/** The look of a verdict in an error of another program: without colors, in 80 columns. */
const LOOK = { ...plainLook, width: 80 };

/** Answers a request. @throws ParanoiaError as the commands `check` and `tolerance` */
export async function answerTo(
  asked: Request,
  bytes: Bytes,
  exact: ExactMultiply,
  crew?: LargeCrew,
): Promise<Answer> {
  const terms = { ...asked, claims: asked.claims as Claims | undefined };
  const of = (name: (typeof ORDER)[number]) => tensorOf(asked, bytes, name);
  const needed = (name: (typeof ORDER)[number]) => {
    const found = of(name);
    if (found === undefined) throw tensorUnreadable({ file: name, why: 'the request has no such tensor' });
    return found;
  };
  if (asked.do === 'check') {
    const bias = of('bias');
    const first = bias === undefined ? [] : [{ step: 'bias', values: numbersOf(bias) }];
    const epilogue = [...first, ...stepsOf(asked, bytes)];
    const operands = operandsOf({ a: needed('a'), b: needed('b'), c: of('c'), d: needed('d'), epilogue });
    const found = await checkedProduct(operands, terms, exact, crew);
    if (found.verdict === 'pass') return { answer: found };
    const { a, b, d } = operands.dtypes;
    return { answer: { ...found, text: checkText(found, LOOK), dtypes: [a.name, b.name, d.name] } };
  }
  const pair = () => ({ a: stackOf(needed('a'), 'A'), b: stackOf(needed('b'), 'B') });
  if (asked.do === 'tolerance')
    return { answer: await toleranceFor({ ...terms, own: asked.a && pair() }, exact) };
  const { a, b } = pair();
  const { product } = await exact(a, b);
  const { rows, cols, data } = product;
  return { answer: { dtype: 'f64', shape: [rows, cols], bytes: data.byteLength }, bytes: data };
}

/** Returns the steps of a request, with the numbers of their tensors. @throws ParanoiaError `unknown-name`, `tensor-unreadable` */
function stepsOf({ epilogue = [] }: Request, { steps = [] }: Bytes): GivenStep[] {
  const own = steps.values();
  return epilogue.map((given) => {
    if (typeof given === 'string') return given;
    const one = Array.isArray(given) ? stepOfValue(...given) : given;
    const read = (value: unknown) => {
      const about = tensor.safeParse(value);
      if (!about.success) return value;
      const { dtype, shape } = about.data;
      return numbersOf(
        tensorFrom(`a tensor of ${one.step}`, dtypes.find(dtype), shape, own.next().value as DataView),
      );
    };
    return {
      ...Object.fromEntries(Object.entries(one).map(([key, value]) => [key, read(value)])),
      step: one.step,
    };
  });
}

/** Returns a tensor of a request. @throws ParanoiaError `unknown-name`, `dtype-unknown`, `tensor-unreadable` */
function tensorOf(asked: Request, bytes: Bytes, name: (typeof ORDER)[number]): Tensor | undefined {
  const [about, own] = [asked[name], bytes[name]];
  if (about === undefined || own === undefined) return undefined;
  return tensorFrom(name, dtypeOf(dtypes.find(about.dtype), asked.precision, name), about.shape, own);
}

/** Reads the bytes of a tensor. @throws ParanoiaError `tensor-unreadable` */
function tensorFrom(name: string, dtype: Dtype, shape: readonly number[], own: DataView): Tensor {
  const need = countOf(shape) * dtype.bytes;
  if (own.byteLength !== need) {
    const why = `it has ${own.byteLength} bytes, and ${shape.join('×')} of ${dtype.name} takes ${need}`;
    throw tensorUnreadable({ file: name, why });
  }
  return readStored({ file: name, bytes: bytesInMemory(own), dtype, shape, from: 0 });
}

/** Returns the type of entries: that of unsigned bytes, which may be a view of another type, is the one in the precision. @throws ParanoiaError */
function dtypeOf(stored: Dtype, precision: string | undefined, name: (typeof ORDER)[number]): Dtype {
  if (stored.name !== 'uint8' || (name !== 'a' && name !== 'b')) return stored;
  const known = dtypes.items.filter(({ bytes }) => bytes === 1).map((one) => one.name);
  if (precision === undefined) throw dtypeUnknown({ file: name.toUpperCase(), dtype: 'uint8', known });
  const { name: format } = builtinCaseItems.precisions.find(precision)[name];
  return dtypes.items.find((one) => one.name === format && one.bytes === 1) ?? stored;
}
