import { writeWhole } from '../../base/node/write-file.ts';
import { openLargeCrew } from '../../evidence/node/large-crew.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { checkPage, checkText } from '../../pages/checked.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { checkedProduct } from './checked-product.ts';
import { claimsOf, readOperands } from './operands.ts';

import type { CheckRequest } from './options.ts';

/** Checks a product that was computed elsewhere. @returns the exit code */
export async function runCheck(request: CheckRequest): Promise<number> {
  const operands = readOperands(request);
  const pool = openExactPool();
  const crew = openLargeCrew();
  try {
    const terms = { ...request, claims: claimsOf(request) };
    const found = await checkedProduct(operands, terms, pool.product, crew.judge);
    if (request.html !== undefined) writeWhole(request.html, checkPage(found));
    if (request.json === true) console.log(JSON.stringify(found, undefined, 2));
    else console.log(checkText(found, lookFor(process.stdout)));
    return found.exitCode;
  } finally {
    await Promise.all([pool.close(), crew.close()]);
  }
}
