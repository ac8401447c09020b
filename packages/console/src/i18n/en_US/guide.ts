import type { Texts } from '../texts.ts';
import type { guide as chinese } from '../zh_CN/guide.ts';

export const guide: Texts<typeof chinese> = {
  title: 'First five minutes',
};
