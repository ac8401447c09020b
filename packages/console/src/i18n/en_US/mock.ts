import type { Texts } from '../texts.ts';
import type { mock as chinese } from '../zh_CN/mock.ts';

export const mock: Texts<typeof chinese> = {
  title: 'Mock devices',
};
