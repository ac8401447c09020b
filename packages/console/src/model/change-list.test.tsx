import { compareModels, type FunctionWithId } from '@device-center/contract';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLazyTexts } from '../i18n/lazy.ts';
import { loadAllTexts } from '../i18n/start.ts';
import { ChangeList } from './change-list.tsx';

const property = (index: number, max: number): FunctionWithId => ({
  id: String(index),
  signCode: `fn${index}`,
  functionName: `Function ${index}`,
  functionType: 1,
  description: '',
  functionDefinition: { accessMode: 'rw', dataType: { type: 'integer', max } },
});
const many = (count: number, max: number): FunctionWithId[] =>
  Array.from({ length: count }, (_none, index) => property(index, max));

const lines = (): HTMLElement[] => screen.getAllByRole('listitem').filter((item) => item.className === 'dc-change');

describe('the list of changes', () => {
  beforeAll(() => Promise.all([loadAllTexts(), loadLazyTexts('model')]));

  it('shows the number of affected devices, and breaking changes first', () => {
    const before = [property(1, 5), property(2, 5)];
    const difference = compareModels(before, [property(1, 9), property(2, 3), property(3, 1)]);
    render(<ChangeList difference={difference} deviceCount={7} />);
    expect(screen.getByText('Affected devices: 7. Breaking changes: 1')).toBeTruthy();
    expect(lines().map((line) => within(line).getByText(/^Function/).textContent)).toEqual([
      'Function 2',
      'Function 1',
      'Function 3',
    ]);
    expect(lines()[0]?.textContent).toContain('Maximum53range narrowed');
  });

  it('collapses 300 changes until the user expands them', async () => {
    render(<ChangeList difference={compareModels(many(300, 5), many(300, 9))} />);
    expect(screen.getByText('0 added, 300 changed, 0 removed')).toBeTruthy();
    expect(lines()).toHaveLength(60);
    expect(screen.queryByText('Maximum')).toBeNull();
    await userEvent.click(screen.getAllByRole('button', { name: 'Show details (1)' })[0] as HTMLElement);
    expect(screen.getByText('Maximum')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Show 240 more' }));
    expect(lines()).toHaveLength(300);
  });

  it('reports no changes, or only a changed order', () => {
    const { rerender } = render(<ChangeList difference={{ changes: [], reordered: false }} />);
    expect(screen.getByText('No changes')).toBeTruthy();
    rerender(<ChangeList difference={{ changes: [], reordered: true }} />);
    expect(screen.getByText('The order of the functions changed')).toBeTruthy();
  });
});
