import i18next from 'i18next';
import { expect, it } from 'vitest';

it('writes every number in a text with its separators, and text as it is', () => {
  const total = i18next.t('common:pageTotal', { from: 11_911, to: 11_915, total: 11_915 });
  expect(total).toBe('11,911-11,915 of 11,915');
  expect(i18next.t('common:selected', { count: 1_234 })).toBe('1,234 selected');
  expect(i18next.t('common:selectRow', { name: '11915' })).toBe('Select 11915');
});
