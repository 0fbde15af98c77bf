export { shortOfResources } from '../refusal.ts';
