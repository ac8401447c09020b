import type { TaskLogRow } from '@device-center/contract';
import { render, screen } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLazyTexts } from '../../../i18n/lazy.ts';
import { loadAllTexts } from '../../../i18n/start.ts';
import { TaskLogEntry } from './log-tab.tsx';

const row: TaskLogRow = {
  logId: '1',
  time: '2026-11-19T10:00:00.000Z',
  username: 'ops\u202etxt',
  action: 'first',
  fromStatus: -1,
  toStatus: -1,
  detail: 'dev\u202e\u001b[2J',
};

describe('TaskLogEntry', () => {
  beforeAll(async () => {
    await loadAllTexts();
    for (const texts of ['ota', 'otaDetail'] as const) await loadLazyTexts(texts);
  });

  it.each(['first', 'newer\u202ehub'])('shows control and direction characters as visible marks: %j', (action) => {
    const { container } = render(<TaskLogEntry entry={{ ...row, action }} />);
    expect(screen.getByText('ops⟨U+202E⟩txt')).toBeTruthy();
    expect(container.textContent).toContain(action === 'first' ? 'dev⟨U+202E⟩␛[2J' : 'newer⟨U+202E⟩hub');
    expect(container.textContent).not.toContain('\u202e');
  });
});
