/** Parts that show a product to people. Few cases need them, so that pages load them separately. */
export { details } from './details.ts';
export { excerptAround } from './excerpt.ts';
export { maps } from './maps.ts';
