export { resourceError } from '../refusal.ts';
