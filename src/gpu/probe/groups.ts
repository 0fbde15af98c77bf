import type { QuestionGroup } from './question.ts';
import { compensationQuestions } from './questions/compensation.ts';
import { contractionQuestions } from './questions/contraction.ts';
import { conversionQuestions } from './questions/conversions.ts';
import { exceptionQuestions } from './questions/exceptions.ts';
import { halfQuestions } from './questions/half.ts';
import { halfConversionQuestions } from './questions/half-conversions.ts';
import { integerQuestions } from './questions/integers.ts';
import { repeatQuestions } from './questions/repeat.ts';
import { roundingQuestions } from './questions/rounding.ts';
import { subnormalQuestions } from './questions/subnormals.ts';
import { zeroQuestions } from './questions/zeros.ts';

/** All groups of questions, in the order of the report. */
export const groups: readonly QuestionGroup[] = [
  roundingQuestions,
  contractionQuestions,
  compensationQuestions,
  subnormalQuestions,
  exceptionQuestions,
  zeroQuestions,
  conversionQuestions,
  halfConversionQuestions,
  halfQuestions,
  integerQuestions,
  repeatQuestions,
];
