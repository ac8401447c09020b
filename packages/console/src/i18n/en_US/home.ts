import type { Texts } from '../texts.ts';
import type { home as chinese } from '../zh_CN/home.ts';

export const home: Texts<typeof chinese> = {
  title: 'Home',
};
