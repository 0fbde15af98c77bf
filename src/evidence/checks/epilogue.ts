import { toJsonNumber } from '../../base/numbers.ts';
import { OURS } from '../../base/registry.ts';
import { type Check, notApplicable } from './check.ts';

export const epilogue: Check = {
  name: 'epilogue',
  what: 'Steps after the product: is every entry of D what they may make of it?',
  source: OURS,
  decisive: true,
  judges: 'entries',
  judgesEpilogues: true,
  judge({ epilogue: judged, outcomes: [{ c }] }) {
    if (judged === undefined) return notApplicable('Nothing follows the product.');
    if (c.data.length === 0) return notApplicable('D has no entries.');
    const { verdict: status, reason: message, used, looksLike } = judged;
    const numbers = { found: toJsonNumber(used), allowed: 1 };
    return { status, message, ...numbers, ...(looksLike === undefined ? {} : { looksLike }) };
  },
};
