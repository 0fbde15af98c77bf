import { npyLayout } from '../matrix/npy.ts';
import { type Dtype, dtypes } from './dtypes.ts';
import { dtypeUnknown, tensorUnreadable } from './messages.ts';
import { countOf, entriesOf, fromColumnMajor, type Tensor } from './tensor.ts';

/**
 * Reads a .npy file of any dtype that a tensor may have. NumPy saves the types of ml_dtypes as bytes without a name, and fp8 is often
 * viewed as uint8: `as` says what such bytes are.
 * @param isFallback true if `as` is only for bytes without a name.
 * @throws ParanoiaError `npy-malformed`, `dtype-unknown`, `tensor-unreadable`
 */
export function parseNpyTensor(
  bytes: Uint8Array,
  file: string,
  as?: Dtype | undefined,
  isFallback = false,
): Tensor {
  const { descr, columnMajor, shape, end } = npyLayout(bytes, file);
  const dtype = dtypeOf(descr, file, isFallback && !UNNAMED.test(descr) ? undefined : as);
  const [need, found] = [countOf(shape) * dtype.bytes, bytes.length - end];
  if (found !== need) {
    const why = `it has ${found} bytes of entries, expected ${need} (${shape.join('×')} of ${dtype.name})`;
    throw tensorUnreadable({ file, why, next: 'Save or copy it again' });
  }
  const data = entriesOf(bytes.subarray(end), dtype, !descr.startsWith('>'));
  const tensor = { dtype, shape, data };
  return columnMajor ? fromColumnMajor(tensor) : tensor;
}

/** Types without a name in NumPy, and unsigned whole numbers that may be views of other types. */
const UNNAMED = /^[|<>]?(?:[Vfu]1|[Vu]2)$/;

function dtypeOf(descr: string, file: string, as: Dtype | undefined): Dtype {
  const named = dtypes.items.find(({ npy }) => npy !== undefined && descr.replace(/^[<>|=]/, '') === npy);
  if (as !== undefined && (as === named || (UNNAMED.test(descr) && as.bytes === Number(descr.at(-1)))))
    return as;
  if (as !== undefined) {
    const why = `its entries are ${named?.name ?? descr}, not ${as.name} as --dtype says`;
    throw tensorUnreadable({ file, why });
  }
  if (named !== undefined && named.name !== 'uint8') return named;
  if (UNNAMED.test(descr)) {
    const known = dtypes.items.filter(({ bytes }) => bytes === Number(descr.at(-1))).map(({ name }) => name);
    throw dtypeUnknown({ file, dtype: named?.name ?? descr, known });
  }
  const known = dtypes.names.join(', ');
  const why = `its entries are ${descr.startsWith('[') ? 'records' : descr}`;
  throw tensorUnreadable({ file, why, next: `Convert it to one of ${known}` });
}
