import { checkValue, MOCK_STEPS_MAX, type MockDetails, mockCalls } from '@device-center/contract';
import { anyDataType } from '@device-center/contract/test/arbitrary-model.ts';
import type { Mock } from '@device-center/virtual-device';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveSession } from '../../../../api/session.ts';
import FaultsTab from './faults-tab.tsx';
import PlayTab from './play-tab.tsx';
import { isSameSequence, readSequence, sequenceText } from './sequence-file.ts';
import { type MockFixture, createMockFixture, openTab } from './panel-fixtures.tsx';
import { invalidValueFor } from './invalid-value.ts';
import { armedCount } from './use-faults.ts';

const step = { after: 0, deviceId: 'd1', kind: 'property', name: '', value: { power: true } } as const;

describe('a sequence in a file', () => {
  it('comes back as it was written', () => {
    const steps = [step, { ...step, after: 1_500, kind: 'event' as const, name: 'rang', value: {} }];
    expect(readSequence(sequenceText(steps), ['d1'], 'd1')).toEqual({ ok: true, steps, moved: 0 });
  });

  it('becomes this device’s own where it was of another', () => {
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
  ])('is refused when it is %s', (_name, text, problem, stepNumber) => {
    expect(readSequence(text, ['d1'], 'd1')).toEqual({ ok: false, problem, stepNumber });
  });

  it('is the same in whatever order its fields stand', () => {
    const { after, ...rest } = step;
    expect(isSameSequence([step], [{ ...rest, after }])).toBe(true);
    expect(isSameSequence([step], [{ ...step, after: 1 }])).toBe(false);
  });
});

it('suggests a value that the model refuses, whatever the type', () => {
  fc.assert(
    fc.property(anyDataType(), (type) => {
      expect(checkValue(type, invalidValueFor(type))).not.toEqual([]);
    }),
  );
});

describe('what the panel does by itself', () => {
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
  const kept = async () => (await fixture.operator.ok(mockCalls.getMockDeviceDetails, details)).run;
  const rows = () => within(screen.getByRole('region', { name: 'Steps of the sequence' })).getAllByRole('listitem');

  const say = (mock: Mock, humidity: number) =>
    act(() => {
      const { deviceId } = details;
      // The mock never connects, so the message stays pending.
      mock.send({ deviceId, kind: 'property', name: '', value: { humidity } }).catch(() => undefined);
    });

  it('records what is sent, lets steps be removed, and keeps the rest on the hub', async () => {
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
    await user.click(button('Save on the hub'));
    await waitFor(async () =>
      expect((await kept()).sequence.map(({ value }) => value)).toEqual([{ humidity: 2 }, { humidity: 4 }]),
    );
    expect(await kept()).toMatchObject({ runInHub: 0 });
  });

  it('goes on recording while another tab is looked at', async () => {
    const first = openTab(PlayTab, { details });
    await user.click(button('Record'));
    first.unmount();
    say(first.mock, 7);
    openTab(PlayTab, { details, mock: first.mock });
    expect(screen.getByText('Recording, steps: 1')).toBeTruthy();
    await act(() => first.mock.stop());
    expect(screen.queryByText(/Recording/)).toBeNull();
    expect(rows()).toHaveLength(1);
  });

  it('plays its sequence and says at which step it is', async () => {
    const { mock } = openTab(PlayTab, { details });
    await user.click(button('Record'));
    say(mock, 1);
    await user.click(button('Stop recording'));
    await user.click(button('Play in a loop'));
    await screen.findByText('In a loop, step 1 of 1');
    expect(rows()[0]?.getAttribute('aria-current')).toBe('step');
    await user.click(button('Stop'));
    expect(screen.queryByText(/In a loop/)).toBeNull();
  });

  it('takes a file, and leaves the steps alone when it is none', async () => {
    openTab(PlayTab, { details });
    const input = screen.getByLabelText('Choose a file', { selector: 'input' });
    const text = sequenceText([{ ...step, deviceId: details.deviceId }]);
    await user.upload(input, new File([text], 'good.json', { type: 'application/json' }));
    await screen.findByText('Steps imported: 1.');
    await user.upload(input, new File(['no'], 'bad.json', { type: 'application/json' }));
    await screen.findByText('The file is no JSON; nothing was imported');
    expect(rows()).toHaveLength(1);
  });

  it('lets the hub go on with a sequence only when there is one', async () => {
    openTab(PlayTab, { details });
    await user.click(screen.getByRole('switch', { name: /Let the hub go on/ }));
    await user.click(screen.getByRole('radio', { name: 'The sequence, in a loop' }));
    expect(button('Save')).toHaveProperty('disabled', true);
    expect(screen.getByText(/There is no sequence yet/)).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Values that wander' }));
    await user.click(button('Save'));
    await waitFor(async () => expect(await kept()).toMatchObject({ runInHub: 1, mode: 1, everySeconds: 5 }));
  });

  it('counts what it repeats, and stops', async () => {
    const { sent } = openTab(PlayTab, { details });
    await user.click(button('Start'));
    // An offline mock sends nothing, so the count stays 0.
    expect(screen.getByText('Running, messages sent: 0')).toBeTruthy();
    expect(sent).toEqual([]);
    await user.click(button('Stop'));
    expect(button('Start')).toHaveProperty('disabled', false);
  });

  it('arms faults, counts them, and turns them all off', async () => {
    const { mock } = openTab(FaultsTab, { details });
    await user.click(button('Arm'));
    await user.click(screen.getByRole('switch', { name: /^No answer at all/ }));
    expect(mock.faults).toMatchObject({ wrongSignatures: 1, silent: true });
    expect(armedCount(mock.faults)).toBe(2);
    expect(screen.getByText('Faults armed: 2')).toBeTruthy();
    await user.click(screen.getByRole('combobox', { name: /^Refuse every command/ }));
    await user.click(await screen.findByTitle(/^BUSY/));
    expect(mock.faults.refuseWith).toBe('BUSY');
    await user.click(button('All faults off'));
    expect(armedCount(mock.faults)).toBe(0);
    expect(screen.getByText('No fault is armed')).toBeTruthy();
  });
});
