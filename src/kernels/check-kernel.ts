import { ParanoiaError } from '../base/errors.ts';
import { hintOf, nearest } from '../base/nearest.ts';
import { isFunction, isObject } from '../base/objects.ts';
import { type Chain, NO_EPILOGUE, readChains } from '../epilogue/chain-text.ts';
import type { Shape } from '../matrix/dense.ts';
import { everything, features, whyNotAccepted, withComplex } from '../matrix/features.ts';
import { complexEntries, type Gemm, plainGemm, requestedGemm } from '../matrix/gemm.ts';
import { GENERAL, readStructures, structures } from '../matrix/structure.ts';
import { scaleLayouts } from '../precision/coding/scale-layouts.ts';
import { badKernel } from '../precision/messages.ts';
import { isComplex } from '../precision/precisions.ts';
import { caseOf, parsePattern } from '../problem/case.ts';
import { builtinCaseItems, type CaseItems } from './case-items.ts';
import { type AcceptedProducts, sayings, whyInvalidStatement } from './claim-records.ts';
import { claimedAlgorithmFor, type KernelSpec } from './claims.ts';
import { unreadOption } from './kernel-options.ts';
import { type FunctionKernel, type UserKernel, ways } from './user-kernel.ts';

import { findWrongClaims } from './wrong-claims.ts';

/** Valid names. Cases separate their keys by semicolons, command lines their lists by commas. */
const NAME = /^[^\s\p{C},;'"`$\\*?=]+$/u;

const NO_NAME = 'spaces, control characters, quotes, commas, semicolons, = and *';

type Known = Pick<CaseItems, 'algorithms' | 'precisions'>;
type Rule = readonly [
  holds: (kernel: Loose, known: Known) => boolean,
  why: (kernel: Loose, known: Known) => string,
];
type Loose = Readonly<Record<string, unknown>>;

const optional = (value: unknown, holds: (value: unknown) => boolean) => value === undefined || holds(value);
const waysOf = (kernel: Loose) => ways.filter((way) => kernel[way] !== undefined);

const rules: readonly Rule[] = [
  [
    ({ name }) => typeof name === 'string' && NAME.test(name),
    ({ name }) =>
      typeof name === 'string'
        ? `its name must have no ${NO_NAME}`
        : `give it a name, a string without ${NO_NAME}`,
  ],
  [
    (kernel) => waysOf(kernel).length === 1,
    (kernel) => {
      const given = waysOf(kernel);
      const one = 'it needs one of multiply, wgsl, encode and program';
      return given.length === 0 ? one : `${one}, but it has ${given.join(' and ')}`;
    },
  ],
  [(kernel) => unreadOption(kernel) === undefined, (kernel) => unreadOption(kernel) as string],
  [
    ({ precision }, { precisions }) =>
      optional(precision, (given) => precisions.get(given as string) !== undefined),
    ({ precision }, { precisions }) => {
      const near = nearest(String(precision), precisions.names);
      return `its precision "${precision}" is unknown.${near === undefined ? '' : ` Did you mean "${near}"?`} \`gemm-paranoia list precisions\` prints all`;
    },
  ],
  [
    ({ accepts }) => whyInvalidStatement('accepts', accepts, sayings.accepts) === undefined,
    ({ accepts }) => whyInvalidStatement('accepts', accepts, sayings.accepts) as string,
  ],
  [
    ({ accepts, precision }) => ofComplexIn(accepts) === undefined || isComplex(String(precision)),
    ({ accepts, precision }) => {
      const feature = ofComplexIn(accepts);
      return `${feature?.what} (accepts.${feature?.key}) need complex entries, but its precision is ${precision ?? 'f32'}`;
    },
  ],
  [
    ({ multiply, entries, precision }) =>
      multiply === undefined ||
      optional(entries, (way) => isComplex(String(precision)) && complexEntries.includes(way as never)),
    ({ entries, precision }) =>
      isComplex(String(precision))
        ? `its entries are "${entries}", but must be ${complexEntries.map((way) => `"${way}"`).join(' or ')}`
        : `its entries (a layout of complex entries) need a complex precision, but its precision is ${precision ?? 'f32'}`,
  ],
  [
    (kernel, known) => whyNoStructures(kernel, known) === undefined,
    (kernel, known) => whyNoStructures(kernel, known) as string,
  ],
  [
    ({ timeLimit }) => optional(timeLimit, (x) => typeof x === 'number' && x > 0 && x <= 86_400),
    () => 'its timeLimit must be a number of seconds above 0, at most 86400',
  ],
  [
    ({ scales }) => optional(scales, (given) => scaleLayouts.items.some(({ name }) => name === given)),
    ({ scales }) =>
      `its scales must name a known layout, but are "${scales}"${hintOf(
        String(scales),
        scaleLayouts.items.map(({ name }) => name),
      )}`,
  ],
  [
    ({ scales, precision = 'f32' }, { precisions }) =>
      optional(scales, () => precisions.find(String(precision)).coded !== undefined),
    ({ precision = 'f32' }) => `its scales name a layout, but ${precision} has no scales`,
  ],
  [
    ({ multiply }) => optional(multiply, isFunction),
    () => 'its multiply must be a function (a, b, { m, k, n })',
  ],
  [
    ({ multiplyGroup }) => optional(multiplyGroup, isFunction),
    () => 'its multiplyGroup must be a function (products)',
  ],
  [
    ({ accepts, multiplyGroup, program }) =>
      !(isObject(accepts) && accepts.grouped === true) ||
      multiplyGroup !== undefined ||
      (isObject(program) && program.mode === 'worker'),
    () => 'groups of products (accepts.grouped) need a function with multiplyGroup, or a worker',
  ],
  [
    ({ accepts }) => !isObject(accepts) || accepts.addresses !== true || accepts.batch === true,
    () => 'lists of addresses (accepts.addresses) need batches (accepts.batch)',
  ],
  [
    ({ accepts, program, multiply }) =>
      !hasEpilogue(accepts) || multiply !== undefined || (isObject(program) && program.mode === 'worker'),
    () =>
      'epilogues (accepts.epilogue) need a function or a worker, since no other way of calling has their numbers',
  ],
  [
    ({ accepts, precision }) => !hasEpilogue(accepts) || !isComplex(String(precision)),
    ({ precision }) => `epilogues (accepts.epilogue) take real entries, but its precision is ${precision}`,
  ],
  [
    ({ accepts, claims }) => !hasEpilogue(accepts) || !isObject(claims) || claims.activations === undefined,
    () => 'epilogues (accepts.epilogue) exclude quantized activations (claims.activations)',
  ],
  [({ encode }) => optional(encode, isFunction), () => 'its encode must be a function (call)'],
  [
    ({ wgsl }) =>
      optional(
        wgsl,
        (way) =>
          isObject(way) &&
          isFunction(way.workgroups) &&
          (typeof way.source === 'string' || isFunction(way.source)),
      ),
    () => 'its wgsl needs a source and a function workgroups',
  ],
  [
    ({ program }) =>
      optional(
        program,
        (way) =>
          isObject(way) &&
          Array.isArray(way.command) &&
          way.command.length > 0 &&
          way.command.every((word) => typeof word === 'string') &&
          optional(way.mode, (mode) => mode === 'once' || mode === 'worker'),
      ),
    () => 'its program needs a command (a list of texts) and the mode "once" or "worker"',
  ],
];

/**
 * Refuses a value that cannot be a kernel, before any product runs.
 * @param known registries of the names it may use.
 * @defaultValue the built-in items
 * @throws ParanoiaError `bad-kernel`, with the kernel's name and its first fault.
 */
export function checkKernel(value: unknown, known: Known = builtinCaseItems): UserKernel {
  if (!isObject(value)) throw badKernel({ kernel: String(value), why: 'it is not an object' });
  const broken = rules.find(([holds]) => !holds(value, known));
  const kernel = typeof value.name === 'string' ? `"${value.name}"` : undefined;
  if (broken !== undefined) throw badKernel({ kernel, why: broken[1](value, known) });
  const spec = value as unknown as KernelSpec;
  const wrong = findWrongClaims(
    spec.claims,
    known.precisions.find(spec.precision ?? 'f32'),
    known.algorithms,
  );
  if (wrong !== undefined) throw badKernel({ kernel, why: wrong });
  try {
    claimedAlgorithmFor(spec.claims ?? {}, { m: 64, k: 64, n: 64 }, known.algorithms);
  } catch (error) {
    if (error instanceof ParanoiaError && error.code === badKernel.code) throw error;
    throw badKernel({ kernel, why: (error as Error).message.replace(/\.$/, '') }, error);
  }
  return value as unknown as UserKernel;
}

/** Finds a feature in `accepts` that only complex entries have. */
const ofComplexIn = (accepts: unknown) =>
  features.find(({ key, ofComplex }) => ofComplex === true && isObject(accepts) && accepts[key] === true);

const hasEpilogue = (accepts: unknown): boolean => isObject(accepts) && accepts.epilogue !== undefined;

/** Returns the epilogues that a kernel computes; `none` alone where it states none. */
export const epiloguesOf = (spec: Accepting): readonly Chain[] =>
  readChains(acceptsOf(spec).epilogue ?? NO_EPILOGUE);

/** Explains why a kernel cannot compute the structures that it accepts, as a clause; undefined where it can. */
function whyNoStructures({ accepts, claims, precision = 'f32', ...kernel }: Loose, { precisions }: Known) {
  const text = isObject(accepts) && typeof accepts.structure === 'string' ? accepts.structure : GENERAL;
  const own = (readStructures(text) ?? []).filter((name) => name !== GENERAL);
  if (own.length === 0) return undefined;
  const need = 'structures of products (accepts.structure) need';
  if (kernel.multiply === undefined && kernel.program === undefined)
    return `${need} a function, a program or a library`;
  const { coded, complex } = precisions.find(String(precision));
  if (isObject(claims) && claims.activations !== undefined)
    return `${need} operands that are not quantized (claims.activations)`;
  const { epilogue = NO_EPILOGUE } = accepts as Readonly<Record<string, unknown>>;
  if (!String(epilogue).split('|').includes(NO_EPILOGUE))
    return `${need} products without an epilogue, but accepts.epilogue is ${epilogue}`;
  if (coded !== undefined) return `${need} entries without block factors, but its precision is ${precision}`;
  const hermitian = own.find((name) => structures.find(name).isHermitian);
  if (hermitian === undefined || complex === true) return undefined;
  return `${hermitian} (accepts.structure) needs complex entries, but its precision is ${precision}`;
}

/** The properties that decide what a kernel accepts: its own statement, its precision, and a function for lists. */
type Accepting = Pick<KernelSpec, 'accepts' | 'precision'> & Pick<Partial<FunctionKernel>, 'multiplyGroup'>;

/** Returns the products that a kernel accepts, as a record. */
export function acceptsOf({ accepts, precision = 'f32', multiplyGroup }: Accepting): AcceptedProducts {
  const said =
    accepts === 'everything'
      ? withComplex(everything, isComplex(precision))
      : typeof accepts === 'object'
        ? accepts
        : { sizes: accepts };
  return multiplyGroup === undefined ? said : { ...said, grouped: true };
}

/**
 * Explains why a kernel does not compute a product, as a clause; undefined where it does. A shape alone is that of A·B of dense matrices, with
 * any epilogue.
 * @throws ParanoiaError `bad-kernel` when its sizes throw or answer anything but true or a reason.
 */
export function whyNotComputed(spec: KernelSpec & Accepting, asked: Shape | Gemm): string | undefined {
  const accepts = acceptsOf(spec);
  const isProduct = 'batch' in asked;
  const gemm = isProduct ? requestedGemm(asked) : plainGemm(asked);
  const unfit = whyNotAccepted(accepts, gemm);
  if (unfit !== undefined) return unfit;
  const { m, k, n, chain } = gemm;
  const { text } = chain ?? { text: NO_EPILOGUE };
  if (isProduct && !epiloguesOf(spec).some((one) => one.text === text)) {
    const what = text === NO_EPILOGUE ? 'products without an epilogue' : `the epilogue ${text}`;
    return `it does not accept ${what} (accepts.epilogue is ${accepts.epilogue ?? NO_EPILOGUE})`;
  }
  return refusedSize(spec.name, accepts.sizes, { m, k, n });
}

function refusedSize(name: string, sizes: AcceptedProducts['sizes'], { m, k, n }: Shape): string | undefined {
  if (sizes === undefined) return undefined;
  const wrong = (why: string, cause?: unknown) => badKernel({ kernel: `"${name}"`, why }, cause);
  if (typeof sizes === 'string') {
    const matches = parsePattern(sizes);
    return matches(caseOf({ kernel: 'any', m, k, n })) ? undefined : `it accepts only ${sizes}`;
  }
  let answer: unknown;
  try {
    answer = sizes({ m, k, n });
  } catch (error) {
    if (error instanceof ParanoiaError) throw error;
    throw wrong(`its accepts throws ${error instanceof Error ? error.message : String(error)}`, error);
  }
  if (answer === true) return undefined;
  if (typeof answer === 'string' && answer !== '') return answer;
  throw wrong(`its accepts must return true or a reason as a string, but returned ${String(answer)}`);
}
