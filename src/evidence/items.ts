import type { Registry } from '../base/registry.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import type { Check } from './checks/check.ts';
import { checks } from './checks/checks.ts';

/** Registries of the items that cases name, and of the checks that judge them. */
export interface JudgingItems extends CaseItems {
  readonly checks: Registry<Check>;
}

export const builtinItems: JudgingItems = { ...builtinCaseItems, checks };
