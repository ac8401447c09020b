import { checkValue, MOCK_STEPS_MAX, type MockDetails, mockCalls } from '@device-center/contract';
import { anyDataType } from '@device-center/contract/test/arbitrary-model.ts';
import type { Mock } from '@device-center/virtual-device';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveSession } from '../../../../api/session.ts';
import FaultsTab from './faults-tab.tsx';
import { invalidValueFor } from './invalid-value.ts';
import PlayTab from './play-tab.tsx';
import { isSameSequence, readSequence, sequenceText } from './sequence-file.ts';
import { createMockFixture, type MockFixture, openTab } from './test-fixtures.tsx';
import { armedCount } from './use-faults.ts';

const step = { after: 0, deviceId: 'd1', kind: 'property', name: '', value: { power: true } } as const;

describe('sequence files', () => {
  it('can be written and read again', () => {
    const steps = [step, { ...step, after: 1_500, kind: 'event' as const, name: 'rang', value: {} }];
    expect(readSequence(sequenceText(steps), ['d1'], 'd1')).toEqual({ ok: true, steps, moved: 0 });
  });

  it('assign steps of unknown devices to this device', () => {
    const read = readSequence(sequenceText([step, { ...step, deviceId: 'child' }]), ['me', 'child'], 'me');
    expect(read).toMatchObject({ ok: true, moved: 1, steps: [{ deviceId: 'me' }, { deviceId: 'child' }] });
  });

  it.each([
    ['no JSON', '{', 'notJson', 0],
    ['no list', '{}', 'notList', 0],
    ['an empty list', '[]', 'notList', 0],
    ['too many steps', JSON.stringify(Array.from({ length: MOCK_STEPS_MAX + 1 }, () => step)), 'notList', 0],
    ['a strange step', JSON.stringify([step, { ...step, kind: 'service' }]), 'notStep', 2],
    ['too much', ' '.repeat(600_000), 'tooLarge', 0],
  ])('are rejected if they are %s', (_name, text, problem, stepNumber) => {
    expect(readSequence(text, ['d1'], 'd1')).toEqual({ ok: false, problem, stepNumber });
  });

  it('compare equal independently of the field order', () => {
    const { after, ...rest } = step;
    expect(isSameSequence([step], [{ ...rest, after }])).toBe(true);
    expect(isSameSequence([step], [{ ...step, after: 1 }])).toBe(false);
  });
});

it('suggests an invalid value for every type', () => {
  fc.assert(
    fc.property(anyDataType(), (type) => {
      expect(checkValue(type, invalidValueFor(type))).not.toEqual([]);
    }),
  );
});

describe('automation of the panel', () => {
  let fixture: MockFixture;
  let details: MockDetails;
  beforeAll(async () => {
    fixture = await createMockFixture();
  });
  beforeEach(async () => {
    saveSession(fixture.session);
    details = await fixture.newGateway();
  });
  const user = userEvent.setup();
  const button = (name: string | RegExp) => screen.getByRole('button', { name });
  const savedRun = async () => (await fixture.operator.ok(mockCalls.getMockDeviceDetails, details)).run;
  const rows = () => within(screen.getByRole('region', { name: 'Sequence steps' })).getAllByRole('listitem');

  const say = (mock: Mock, humidity: number) =>
    act(() => {
      const { deviceId } = details;
      // The mock never connects, so the message stays pending.
      mock.send({ deviceId, kind: 'property', name: '', value: { humidity } }).catch(() => undefined);
    });

  it('records sent messages, removes steps and saves the rest on the hub', async () => {
    const { mock } = openTab(PlayTab, { details });
    say(mock, 1);
    await user.click(button('Record'));
    say(mock, 2);
    say(mock, 3);
    say(mock, 4);
    await user.click(button('Stop recording'));
    say(mock, 5);
    expect(rows().map((row) => row.querySelector('code')?.textContent)).toEqual(
      [2, 3, 4].map((humidity) => JSON.stringify({ humidity })),
    );
    await user.click(button('Remove step 2'));
    expect(rows()).toHaveLength(2);
    await user.click(button('Save to platform'));
    await waitFor(async () =>
      expect((await savedRun()).sequence.map(({ value }) => value)).toEqual([{ humidity: 2 }, { humidity: 4 }]),
    );
    expect(await savedRun()).toMatchObject({ runInHub: 0 });
  });

  it('keeps recording while another tab is shown', async () => {
    const first = openTab(PlayTab, { details });
    await user.click(button('Record'));
    first.unmount();
    say(first.mock, 7);
    openTab(PlayTab, { details, mock: first.mock });
    expect(screen.getByText('Recording, 1 step')).toBeTruthy();
    await act(() => first.mock.stop());
    expect(screen.queryByText(/Recording/)).toBeNull();
    expect(rows()).toHaveLength(1);
  });

  it('plays the sequence and shows the current step', async () => {
    const { mock } = openTab(PlayTab, { details });
    await user.click(button('Record'));
    say(mock, 1);
    await user.click(button('Stop recording'));
    await user.click(button('Play in a loop'));
    await screen.findByText('Looping, step 1 of 1');
    expect(rows()[0]?.getAttribute('aria-current')).toBe('step');
    await user.click(button('Stop'));
    expect(screen.queryByText(/Looping/)).toBeNull();
  });

  it('imports a file, and keeps the steps if it is invalid', async () => {
    openTab(PlayTab, { details });
    const input = screen.getByLabelText('Choose file', { selector: 'input' });
    const text = sequenceText([{ ...step, deviceId: details.deviceId }]);
    await user.upload(input, new File([text], 'good.json', { type: 'application/json' }));
    await screen.findByText('1 step imported.');
    await user.upload(input, new File(['no'], 'bad.json', { type: 'application/json' }));
    await screen.findByText('The file is not valid JSON. Nothing was imported');
    expect(rows()).toHaveLength(1);
  });

  it('lets the hub play a sequence only if there is one', async () => {
    openTab(PlayTab, { details });
    await user.click(screen.getByRole('switch', { name: /Keep running on the platform/ }));
    await user.click(screen.getByRole('radio', { name: 'Message sequence in a loop' }));
    expect(button('Save')).toHaveProperty('disabled', true);
    expect(screen.getByText(/No message sequence yet/)).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Random values' }));
    await user.click(button('Save'));
    await waitFor(async () => expect(await savedRun()).toMatchObject({ runInHub: 1, mode: 1, everySeconds: 5 }));
  });

  it('counts repeated messages, and stops', async () => {
    const { sent } = openTab(PlayTab, { details });
    await user.click(button('Start'));
    // An offline mock sends nothing, so the count stays 0.
    expect(screen.getByText('Running, 0 messages sent')).toBeTruthy();
    expect(sent).toEqual([]);
    await user.click(button('Stop'));
    expect(button('Start')).toHaveProperty('disabled', false);
  });

  it('arms faults, counts them, and disarms all', async () => {
    const { mock } = openTab(FaultsTab, { details });
    await user.click(button('Activate'));
    await user.click(screen.getByRole('switch', { name: /^No response/ }));
    expect(mock.faults).toMatchObject({ wrongSignatures: 1, silent: true });
    expect(armedCount(mock.faults)).toBe(2);
    expect(screen.getByText('Active faults: 2')).toBeTruthy();
    await user.click(screen.getByRole('combobox', { name: /^Reject all commands/ }));
    await user.click(await screen.findByTitle(/^BUSY/));
    expect(mock.faults.refuseWith).toBe('BUSY');
    await user.click(button('Turn off all faults'));
    expect(armedCount(mock.faults)).toBe(0);
    expect(screen.getByText('No active faults')).toBeTruthy();
  });
});
