import { OURS } from '../../base/registry.ts';
import type { Plausible } from './plausible.ts';

export const groups: Plausible = {
  name: 'groups',
  what: 'Are the groups of failures groups of its failures?',
  source: OURS,
  faults({ groups: given = [], cases }) {
    const wrong = given.find(({ cases: places, failing, example, kernels }) => {
      const members = places.map((at) => cases[at]);
      const isOne = members.every((one) => one?.verdict === 'fail' && kernels.includes(one.kernel));
      return !isOne || failing !== members.length || !members.some((one) => one?.case === example);
    });
    return wrong === undefined ? [] : [`"${wrong.says}" is not said of failures that it has`];
  },
};
