import type { DataType } from '@device-center/contract';
import { render, screen } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { loadLazyTexts } from '../../i18n/lazy.ts';
import { loadAllTexts } from '../../i18n/start.ts';
import { ValueView } from './value-view.tsx';

beforeAll(() => Promise.all([loadAllTexts(), loadLazyTexts('model')]));

const field = (identifier: string, name: string, dataType: DataType) => ({
  identifier,
  name,
  dataType,
  required: true,
});
const shape: DataType = {
  type: 'json',
  fields: [
    field('temp', 'Temperature', { type: 'double', unit: '°C' }),
    field('door', 'Door', { type: 'boolean', trueText: 'open', falseText: 'shut' }),
    field('plan', 'Plan', {
      type: 'array',
      count: 3,
      element: { type: 'json', fields: [field('hour', 'Hour', { type: 'integer' })] },
    }),
  ],
};

const linesOf = () => {
  const values = screen.getAllByRole('definition').map(({ textContent }) => textContent);
  return screen.getAllByRole('term').map((term, index) => [term.textContent, values[index]]);
};

it('shows one line per field of an object, with names and units of the model', () => {
  render(<ValueView type={shape} value={{ temp: 21.5, door: true, plan: [{ hour: 7 }, { hour: 19 }] }} />);
  expect(linesOf()).toEqual([
    ['Temperature', '21.5 °C'],
    ['Door', 'open'],
    ['Plan', 'Hour7Hour19'],
    ['Hour', '7'],
    ['Hour', '19'],
  ]);
  expect(document.body.textContent).not.toContain('{');
});

it('shows fields that the model does not define with their keys', () => {
  render(<ValueView type={undefined} value={{ level: 3, tags: ['a', 'b'], none: null, nested: { deep: false } }} />);
  expect(linesOf()).toEqual([
    ['level', '3'],
    ['tags', 'a, b'],
    ['none', '—'],
    ['nested', 'deepfalse'],
    ['deep', 'false'],
  ]);
});
