import { elementProducts } from './element-products.ts';
import { operandFinding, operandRounding } from './operand-bits.ts';
import { storedRounding } from './precision.ts';
import { productFinding } from './product-rounding.ts';
import type { InspectionQuestion } from './question.ts';
import { unitFinding } from './unit.ts';

/** Measurement of the bits to which entries and products are rounded. It runs after the sums are known, since narrow sums may hide bits. */
export const entering: InspectionQuestion = {
  id: 'entering',
  question: 'To how many bits are entries and products rounded?',
  wrongProducts: 'subject',
  async ask(context) {
    const { session, known } = context;
    const operand = known.operands === undefined ? [] : [operandFinding(known.operands, context)];
    const rounded = await operandRounding(context);
    const isKnown = session.sides.every(({ isFew }) => isFew);
    const product = isKnown ? await elementProducts(context) : await productFinding(context);
    const unit = known.sums === undefined ? [] : [unitFinding(context)];
    const stored = known.sums === undefined ? [] : await storedRounding(context);
    return [...operand, ...rounded, product, ...stored, ...unit];
  },
};
