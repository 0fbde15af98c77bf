import { EXIT } from '../../base/errors.ts';
import { toJsonNumber } from '../../base/numbers.ts';
import { describeEpilogue } from '../../epilogue/chain.ts';
import { judgeEpilogue } from '../../evidence/epilogue/judge-epilogue.ts';
import type { GivenWithEpilogue } from '../../evidence/epilogue/product-with-epilogue.ts';
import { weighEpilogue } from '../../evidence/epilogue/weigh-epilogue.ts';
import type { ExactMultiply } from '../../evidence/reference.ts';
import { excerptAround, maps } from '../../evidence/shown.ts';
import { CHECK_SCHEMA, type CheckReport } from '../../pages/checked.ts';
import type { Format } from '../../precision/format.ts';

/**
 * Checks a product with an epilogue.
 * @param stored the format of D, if its type decides it.
 * @throws ParanoiaError as {@link weighEpilogue}
 */
export async function checkedEpilogue(
  given: GivenWithEpilogue & { readonly precision: string },
  exact: ExactMultiply,
  most: number,
  stored: Format | undefined,
): Promise<CheckReport> {
  const weighed = await weighEpilogue(given, exact, { stored });
  const { evidence, epilogue, target } = weighed;
  const { verdict, reason, used, special, looksLike, worst } = judgeEpilogue(weighed);
  const { checked } = evidence.reference;
  const { m, k, batch } = evidence.gemm;
  return {
    ...{ schema: CHECK_SCHEMA, verdict, exitCode: EXIT[verdict], reason, precision: given.precision },
    ...{ m, k, n: epilogue.sizes.n, batch, algorithm: evidence.claims.algorithm },
    epilogue: describeEpilogue(epilogue),
    checks: [
      {
        name: 'epilogue',
        status: verdict,
        message: reason,
        ...(looksLike === undefined ? {} : { looksLike }),
      },
    ],
    worst: worst(most),
    // Codes are right or wrong: no share of a bound measures them.
    ...(target.steps === undefined ? { boundUsed: toJsonNumber(used) } : {}),
    ...(checked === 1 ? {} : { checkedShare: checked }),
    ...(special === 0 ? {} : { special }),
    ...(verdict === 'fail' ? { ...excerptAround.ask(evidence), maps: maps.ask(evidence) } : {}),
  };
}
