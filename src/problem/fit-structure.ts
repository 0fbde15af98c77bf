import { NO_EPILOGUE } from '../epilogue/chain-text.ts';
import { formatFactor, imaginaryPart, makeFactor, realPart, type ScaleFactor } from '../matrix/factor.ts';
import { type OpRule, type Structure, structureOf } from '../matrix/structure.ts';
import { isComplex } from '../precision/precisions.ts';
import { formatStorage, type GemmProblem, type Op, plainStorage, type Storage } from './problem.ts';

const fitOp = (rule: OpRule, op: Op): Op => (op === 'n' || rule === 'any' ? op : rule);

const factorRules: Readonly<Record<Structure['alpha'] | Structure['beta'], (x: ScaleFactor) => ScaleFactor>> =
  {
    any: (x) => x,
    real: realPart,
    // An imaginary factor of Hermitian products is one in which both are exact.
    axis: (x) => (realPart(x) !== 0 ? realPart(x) : makeFactor(0, imaginaryPart(x))),
    none: () => 0,
  };

/**
 * Returns the nearest problem that its structure allows: one product, all matrices in one order, equal sizes, and the ops and factors that
 * BLAS has. A general problem is returned as it is.
 */
export function fitStructure<T extends GemmProblem>(problem: T): T {
  const structure = structureOf(problem);
  if (structure === undefined) return problem;
  const { equal, ops, second } = structure;
  const { order } = problem.a;
  const laid = (storage: Storage, op: Op): Storage => ({ ...storage, op, order, gap: 0 });
  const ofA = fitOp(ops.a, problem.a.op);
  const ofB = ops.b === 'as-a' ? ofA : fitOp(ops.b, problem.b.op);
  return {
    ...problem,
    ...{ [equal[1]]: problem[equal[0]], batch: 1, group: 1, program: 0, sweep: 0 },
    epilogue: NO_EPILOGUE,
    alpha: factorRules[structure.alpha](problem.alpha),
    beta: factorRules[structure.beta](problem.beta),
    a: laid(problem.a, ofA),
    b: second === 'itself' ? plainStorage : laid(problem.b, ofB),
    c: laid(problem.c, 'n'),
    ...(problem.d === undefined ? {} : { d: laid(problem.d, 'n') }),
  };
}

/** Explains why a structure does not allow a problem, as a clause; undefined where it does. */
export function whyUnfit(problem: GemmProblem): string | undefined {
  const structure = structureOf(problem);
  if (structure === undefined) return undefined;
  const { isHermitian, name } = structure;
  if (isHermitian && !isComplex(problem.precision))
    return `entries are real: ${name} takes a precision of complex ones, such as c32`;
  const fitted = fitStructure(problem);
  const key = KEYS.find((one) => JSON.stringify(problem[one]) !== JSON.stringify(fitted[one]));
  return key && `${name} takes ${key}=${textOf(fitted[key])} in place of ${key}=${textOf(problem[key])}`;
}

const KEYS = [
  'm',
  'k',
  'n',
  'batch',
  'group',
  'program',
  'sweep',
  'epilogue',
  'alpha',
  'beta',
  'a',
  'b',
  'c',
  'd',
] as const;

const textOf = (value: GemmProblem[(typeof KEYS)[number]]): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && 'op' in value
      ? formatStorage(value)
      : value === undefined
        ? 'none'
        : formatFactor(value);
