import { badItem } from '../base/messages.ts';
import { isFunction, isText } from '../base/objects.ts';
import { toOneLine } from '../base/printable.ts';
import { registryOf } from '../base/registry.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Format } from '../precision/format.ts';
import {
  type Acceptance,
  type GenerationContext,
  type InputFamily,
  type InputSpec,
  inputFamily,
} from './input.ts';
import { inputBroken } from './messages.ts';

/** The fields of a user's own input. */
export type OwnInputSpec = Omit<InputSpec, 'randomUpTo' | 'reachOf'>;

/** Requirements on a family, defined or specified, with the reason of a violation. */
const traits: readonly (readonly [holds: (spec: OwnInputSpec | InputFamily) => boolean, why: string])[] = [
  [({ what }) => isText(what), 'it needs a string `what` that describes the matrices in a sentence'],
  [
    ({ catches }) => isText(catches),
    'it needs a string `catches` that names the faults it finds in a sentence',
  ],
  [
    ({ statistics }) => statistics === 'random' || statistics === 'structured',
    'its `statistics` must be random or structured',
  ],
  [
    ({ exactness }) => ['integers', 'classical', 'none'].includes(exactness),
    'its `exactness` must be integers, classical or none',
  ],
];

const functions: readonly (readonly [holds: (spec: OwnInputSpec) => boolean, why: string])[] = [
  [({ make }) => isFunction(make), 'its `make` must be a function of a request'],
  [
    ({ accepts }) => accepts === undefined || isFunction(accepts),
    'its `accepts` must be a function of a shape',
  ],
];

/**
 * Defines a family of test matrices of your own, for the `inputs` of a config.
 *
 * ```ts
 * const checkerboard = defineInput({
 *   name: 'checkerboard',
 *   what: 'Ones and minus ones in turn.',
 *   catches: 'Rows and columns that are swapped.',
 *   statistics: 'structured',
 *   exactness: 'none',
 *   make: ({ m, k, n, fill }) => ({
 *     a: fill(m, k, (i, p) => (-1) ** (i + p)),
 *     b: fill(k, n, (p, j) => (-1) ** (p + j)),
 *   }),
 * });
 * ```
 * Where its `make` throws or gives no pair, the case is inconclusive; where its `accepts` throws, the shape is refused.
 * @throws ParanoiaError `bad-item` for a family that violates a requirement
 */
export function defineInput(spec: OwnInputSpec): InputFamily {
  const { name, make, accepts } = spec;
  const broken = [...traits, ...functions].find(([holds]) => !holds(spec as OwnInputSpec & InputFamily));
  if (broken !== undefined) throw badItem({ kind: 'input', name, why: broken[1] });
  const family = inputFamily({
    ...spec,
    ...(accepts && { accepts: (shape) => answered(() => accepts(shape)) }),
    make: (request) => made(name, request, () => make(request)),
  });
  return registryOf('input', [family]).items[0];
}

/** Checks an input. @throws ParanoiaError `bad-item` if `defineInput` did not make it */
export function requireInput(given: InputFamily): InputFamily {
  const made = isFunction(given.generate) && isFunction(given.accepts) && isFunction(given.randomUpTo);
  if (made && traits.every(([holds]) => holds(given))) return given;
  throw badItem({ kind: 'input', name: given.name, why: 'it must be made with defineInput' });
}

function answered(ask: () => Acceptance): Acceptance {
  try {
    const answer = ask();
    if (typeof answer?.ok === 'boolean') return answer;
    return { ok: false, reason: 'its accepts must return { ok: true } or { ok: false, reason }' };
  } catch (error) {
    return { ok: false, reason: `its accepts throws ${thrown(error)}` };
  }
}

const LONGEST = 200;
const thrown = (error: unknown): string =>
  toOneLine(error instanceof Error ? error.message : String(error), LONGEST).replace(/\.$/, '');

type Pair = ReturnType<InputSpec['make']>;

/** Makes a pair. @throws ParanoiaError `input-broken` if `make` throws, or returns no pair of the requested shape and format */
function made(input: string, { m, k, n, precision }: GenerationContext, make: () => Pair): Pair {
  const shape = `${m}×${k}×${n}`;
  const asked = <T>(ask: () => T): T => {
    try {
      return ask();
    } catch (error) {
      throw inputBroken({ input, shape, why: `it throws ${thrown(error)}` }, error);
    }
  };
  const pair = asked(make);
  if (!isMatrix(pair?.a, m, k, precision.a) || !isMatrix(pair.b, k, n, precision.b)) {
    const why = `its make must return { a, b }, matrices of ${m}×${k} and ${k}×${n} numbers of ${precision.name}, as fill returns`;
    throw inputBroken({ input, shape, why });
  }
  const { ideal } = pair;
  return ideal === undefined ? pair : { ...pair, ideal: (i, j) => asked(() => ideal(i, j)) };
}

function isMatrix(given: Matrix | undefined, rows: number, cols: number, stored: Format): boolean {
  const { data } = given ?? {};
  return (
    given?.rows === rows &&
    given.cols === cols &&
    (stored.bytes > 4 ? data instanceof Float64Array : data instanceof Float32Array) &&
    data?.length === rows * cols &&
    data.every((x) => Object.is(stored.round(x), x))
  );
}
