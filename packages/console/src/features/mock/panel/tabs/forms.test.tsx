import { type MockDetails, mockCalls } from '@device-center/contract';
import type { PendingCall } from '@device-center/virtual-device';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { problemOf } from '../../../../../test/console.tsx';
import { client } from '../../../../../test/hub.ts';
import { saveSession } from '../../../../api/session.ts';
import ChildrenTab from './children-tab.tsx';
import EventsTab from './events-tab.tsx';
import FaultsTab from './faults-tab.tsx';
import LogsTab from './logs-tab.tsx';
import PropertiesTab from './properties-tab.tsx';
import ServicesTab from './services-tab.tsx';
import { createMockFixture, type MockFixture, openTab } from './test-fixtures.tsx';

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
const type = async (field: HTMLElement, text: string): Promise<void> => {
  await user.clear(field);
  await user.click(field);
  await user.paste(text);
};

/** The default stored on the hub: its value, and whether a user saved it. */
const storedDefault = async (functionId: string) => {
  const reader = client(fixture.session.token);
  const stored = await reader.ok(mockCalls.queryFunctionDefaults, { deviceId: details.deviceId });
  const found = stored.find((entry) => entry.functionId === functionId);
  return [found?.value, found?.saved];
};

describe('properties', () => {
  const humidity = () => screen.getByRole('textbox', { name: /^Humidity/ });

  it('sends valid values, and nothing if one is invalid', async () => {
    const { sent, mock } = openTab(PropertiesTab, { details });
    expect(button('Send selected (0)')).toHaveProperty('disabled', true);
    await type(humidity(), '150');
    expect(problemOf(humidity())).toBe('Must not be above 100');
    await user.click(button('Send selected (1)'));
    expect(screen.getByText('Not sent, because these values do not match the function model: Humidity')).toBeTruthy();
    expect(sent).toEqual([]);
    await type(humidity(), '55');
    await user.click(button('Send selected (1)'));
    expect(sent).toEqual([{ deviceId: details.deviceId, kind: 'property', name: '', value: { humidity: 55 } }]);
    expect(mock.behaviorOf(details.deviceId).read(['humidity'])).toEqual({ humidity: 55 });
    expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
  });

  it('sends all properties, also after a random change', async () => {
    const { sent, mock, unmount } = openTab(PropertiesTab, { details });
    await user.click(button('Send all'));
    expect(sent).toMatchObject([{ value: { humidity: 0, label: '' } }]);
    unmount();
    const again = openTab(PropertiesTab, { details, mock });
    await user.click(button('Send random change'));
    const { value } = again.sent[0] as { value: Record<string, unknown> };
    expect(value).toHaveProperty('humidity');
    expect(mock.behaviorOf(details.deviceId).read(Object.keys(value))).toEqual(value);
  });

  it('stores defaults on the hub and resets them to those of the model', async () => {
    const { mock } = openTab(PropertiesTab, { details });
    await type(humidity(), '42');
    await user.click(button('Save as defaults'));
    await waitFor(async () => expect(await storedDefault('humidity')).toEqual([42, 1]));
    await screen.findByText('Saved default');
    expect(mock.defaultsOf(details.deviceId)).toMatchObject({ humidity: 42 });
    expect(humidity()).toHaveProperty('value', '42');
    await user.click(button('Reset to model values'));
    await waitFor(async () => expect(await storedDefault('humidity')).toEqual([0, 0]));
    await waitFor(() => expect(humidity()).toHaveProperty('value', '0'));
  });

  it('explains why nothing can be sent while the device is offline', () => {
    openTab(PropertiesTab, { details, online: false });
    expect(button('Send all')).toHaveProperty('disabled', true);
    expect(screen.getByText('Not online: select "Go online" first')).toBeTruthy();
  });

  it('sends for a child only while it is mounted', async () => {
    const { mock, sent } = openTab(PropertiesTab, { details });
    const [child] = details.children;
    const name = child?.deviceName ?? '';
    await user.click(screen.getByRole('combobox', { name: 'Send as' }));
    await user.click(await screen.findByTitle(`${name} · not mounted`));
    expect(screen.getByText(/This child device is not mounted/)).toBeTruthy();
    mock.mount(child?.deviceId ?? '');
    await waitFor(() => expect(button('Send all')).toHaveProperty('disabled', false));
    await user.click(button('Send all'));
    expect(sent).toMatchObject([{ deviceId: child?.deviceId }]);
  });

  it('sends an invalid value unchanged', async () => {
    const { sent } = openTab(FaultsTab, { details });
    await user.click(button('Report a value that does not match the function model'));
    await user.click(button('Send without validation'));
    // The first property of the lighting category is boolean.
    expect(sent).toMatchObject([{ kind: 'property', value: { power: 'on' } }]);
  });
});

describe('events', () => {
  it('sends a valid output and stores it as the default', async () => {
    const { sent, mock } = openTab(EventsTab, { details });
    const body = mock.behaviorOf(details.deviceId);
    body.set({ humidity: 33 });
    expect(screen.getByRole('button', { name: /Overheat.*Alarm/ })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /Overheat/ }));
    const form = within(screen.getByRole('form', { name: 'Overheat' }));
    await type(form.getByRole('textbox', { name: /^Celsius/ }), '999');
    await user.click(form.getByRole('button', { name: 'Send event' }));
    expect(sent).toEqual([]);
    await type(form.getByRole('textbox', { name: /^Celsius/ }), '88.5');
    await user.click(form.getByRole('button', { name: 'Send event' }));
    expect(sent).toMatchObject([{ kind: 'event', name: 'overheat', value: { celsius: 88.5 } }]);
    await user.click(form.getByRole('button', { name: 'Save as default' }));
    await waitFor(async () => expect(await storedDefault('overheat')).toEqual([{ celsius: 88.5 }, 1]));
    expect(sent).toHaveLength(1);
    // A changed default does not reset current values.
    expect(mock.defaultsOf(details.deviceId)).toMatchObject({ overheat: { celsius: 88.5 } });
    expect(body.read(['humidity'])).toEqual({ humidity: 33 });
  });
});

describe('events without parameters, stored by an earlier version', () => {
  it('are sent as events and not called services', async () => {
    const functions = details.functions.map((entry) =>
      entry.functionType === 22 ? { ...entry, functionDefinition: { ...entry.functionDefinition, output: [] } } : entry,
    );
    const { sent } = openTab(EventsTab, { details: { ...details, functions } });
    await user.click(screen.getByRole('button', { name: /Overheat/ }));
    const form = within(screen.getByRole('form', { name: 'Overheat' }));
    expect(form.getByText('This function has no parameters')).toBeTruthy();
    expect(screen.queryByText(/service/i)).toBeNull();
    await user.click(form.getByRole('button', { name: 'Send event' }));
    expect(sent).toEqual([{ deviceId: details.deviceId, kind: 'event', name: 'overheat', value: {} }]);
  });
});

describe('services', () => {
  it('accepts manual responses with valid values, or rejections', async () => {
    const answers: unknown[] = [];
    const call = (more: Partial<PendingCall>): PendingCall => ({
      id: 1,
      deviceId: details.deviceId,
      kind: 'service',
      name: 'calibrate',
      input: { offset: 1.5 },
      at: Date.now(),
      answer: (output) => answers.push(output),
      refuse: (...refusal) => answers.push(refusal),
      ...more,
    });
    const waiting = [
      call({}),
      call({ id: 2, kind: 'set', name: 'label', input: { label: 'door' }, at: Date.now() - 11_000 }),
    ];
    const { mock } = openTab(ServicesTab, { details, waiting });
    await user.click(screen.getByRole('radio', { name: 'Respond manually' }));
    expect(mock.answering.byHand).toBe(true);

    const service = within(screen.getByRole('article', { name: 'Call calibrate' }));
    expect(service.getByText(/"offset": 1.5/)).toBeTruthy();
    expect(service.queryByText(/stopped waiting/)).toBeNull();
    await type(service.getByRole('textbox', { name: /^Result/ }), 'much too long');
    await user.click(service.getByRole('button', { name: 'Answer' }));
    expect(answers).toEqual([]);
    await type(service.getByRole('textbox', { name: /^Result/ }), 'fine');
    await user.click(service.getByRole('button', { name: 'Answer' }));
    expect(answers).toEqual([{ result: 'fine' }]);

    const set = within(screen.getByRole('article', { name: 'Set label' }));
    expect(set.getByText(/stopped waiting/)).toBeTruthy();
    expect(set.getByRole('textbox', { name: /^Label/ })).toHaveProperty('value', 'door');
    await user.click(set.getByRole('textbox', { name: 'Reason (optional)' }));
    await user.paste('not now');
    await user.click(set.getByRole('button', { name: 'Reject' }));
    expect(answers.at(-1)).toEqual(['REFUSED', 'not now']);
  });

  it('stores the default output of a service', async () => {
    openTab(ServicesTab, { details, online: false });
    await user.click(screen.getByRole('button', { name: /Calibrate/ }));
    await type(screen.getByRole('textbox', { name: /^Result/ }), 'done');
    await user.click(button('Save as default'));
    await waitFor(async () => expect(await storedDefault('calibrate')).toEqual([{ result: 'done' }, 1]));
  });
});

describe('logs', () => {
  const write = async () => {
    const opened = openTab(LogsTab, { details });
    await user.click(screen.getByRole('textbox', { name: 'Log line' }));
    await user.paste('boot');
    return opened.sent;
  };

  it('sends a line', async () => {
    const sent = await write();
    await user.click(button('Send line'));
    expect(sent).toMatchObject([{ kind: 'log', name: '4', value: 'boot' }]);
  });

  it('sends many numbered lines', async () => {
    const sent = await write();
    await type(screen.getByRole('spinbutton', { name: 'Number of lines' }), '3');
    await user.click(button('Send 3 lines'));
    expect(sent).toMatchObject(['boot 1/3', 'boot 2/3', 'boot 3/3'].map((value) => ({ value })));
  });
});

describe('children', () => {
  it('are mounted, unmounted and deleted', async () => {
    const { mock } = openTab(ChildrenTab, { details });
    const [first, second] = details.children;
    await user.click(button('Mount all'));
    expect(mock.mounted()).toEqual([first?.deviceId, second?.deviceId]);
    await user.click(button(`Unmount ${second?.deviceName}`));
    await waitFor(() => expect(mock.mounted()).toEqual([first?.deviceId]));
    await user.click(button(`Delete the child device "${first?.deviceName}"?`));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(async () => {
      const now = await fixture.operator.ok(mockCalls.getMockDeviceDetails, { deviceId: details.deviceId });
      expect(now.children.map(({ deviceId }) => deviceId)).toEqual([second?.deviceId]);
    });
    expect(mock.mounted()).toEqual([]);
  });
});
