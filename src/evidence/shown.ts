/** What shows a product to people: few cases ask for it, so that pages load it apart. */
export { details } from './details.ts';
export { excerptAround } from './excerpt.ts';
export { maps } from './maps.ts';
