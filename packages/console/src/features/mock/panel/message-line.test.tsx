import type { Envelope, MockDetails } from '@device-center/contract';
import { render } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLazyTexts } from '../../../i18n/lazy.ts';
import { loadAllTexts } from '../../../i18n/start.ts';
import { append, emptyBuffer } from './message-buffer.ts';
import type { LoggedMessage } from './message-entry.ts';
import { MessageLine } from './message-line.tsx';
import { wordsOf } from './message-texts.ts';

const HOSTILE = 'a\u202etxt\u001b[2J';
const VISIBLE = 'a⟨U+202E⟩txt␛[2J';
const NOBODY = { deviceId: 'd1', deviceName: 'Lamp', functions: [], children: [] } as unknown as MockDetails;

const passed = (more: Partial<Envelope>, ignored?: string): LoggedMessage => {
  const envelope = { dataFlow: 0, dataId: '1', type: 2, deviceId: 'd1', length: 1, payload: '', ...more } as Envelope;
  return { at: 0, direction: 'down', envelope, ignored };
};

describe('MessageLine', () => {
  beforeAll(async () => {
    await loadAllTexts();
    for (const texts of ['mockPanel', 'deviceDetail'] as const) await loadLazyTexts(texts);
  });

  it.each([
    ['a value', passed({ payload: JSON.stringify({ properties: { label: HOSTILE } }) })],
    ['a sign code', passed({ payload: JSON.stringify({ properties: { [HOSTILE]: 1 } }) })],
    ['an operation', passed({ type: 8, payload: JSON.stringify({ op: HOSTILE }) })],
    ['a sentence of the other side', passed({ dataFlow: 1, code: 60099, message: HOSTILE })],
    ['a reason to ignore it', passed({}, HOSTILE)],
  ])('shows control and direction characters in %s as visible marks', (_name, message) => {
    const [entry] = append(emptyBuffer, [message]).entries;
    if (!entry) throw new Error('no entry');
    const { container } = render(
      <MessageLine entry={entry} words={wordsOf(NOBODY)} withDevice={false} start={0} onOpen={() => undefined} />,
    );
    expect(container.textContent).toContain(VISIBLE);
    expect(container.innerHTML).not.toContain('\u202e');
  });
});
