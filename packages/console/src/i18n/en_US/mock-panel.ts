import type { Texts } from '../texts.ts';
import type { mockPanel as chinese } from '../zh_CN/mock-panel.ts';

export const mockPanel: Texts<typeof chinese> = {
  title: 'Control panel',
};
